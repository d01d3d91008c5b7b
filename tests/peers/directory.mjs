// A certified OpenID provider is the company's directory; a browser made of `fetch` signs in with it at our server.
//
//   node directory.mjs TATA FOLDER      FOLDER is empty and becomes the home of the server
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import Provider from "oidc-provider";

const [tata, home] = process.argv.slice(2);
let failed = 0;
const check = (name, holds, about) => {
    if (!holds) failed += 1;
    console.log(holds ? `  ok      ${name}` : `  FAILED  ${name}\n          ${JSON.stringify(about)}`);
};

async function freePort() {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address();
    await new Promise((done) => server.close(done));
    return port;
}

const people = {
    anna: { email: "anna@acme.example", email_verified: true },
    eve: { email: "anna@acme.example", email_verified: false },
    carl: { email: "carl@elsewhere.example", email_verified: true },
};
const [at, own] = [await freePort(), await freePort()];
const [issuer, base] = [`http://127.0.0.1:${at}`, `http://127.0.0.1:${own}`];
const provider = new Provider(issuer, {
    clients: [{
        client_id: "tata", client_secret: "a secret of 32 characters at least", redirect_uris: [`${base}/sign-in/company/back`],
        response_types: ["code"], grant_types: ["authorization_code"],
    }],
    claims: { email: ["email", "email_verified"], profile: ["preferred_username"] },
    findAccount: (_, id) => ({ accountId: id, claims: () => ({ sub: id, preferred_username: id, ...people[id] }) }),
    pkce: { required: () => true },
    cookies: { keys: ["only for this test"] },
});
provider.on("server_error", (_, error) => console.log(`  the directory: ${error.stack}`));
const directory = provider.listen(at, "127.0.0.1");
await once(directory, "listening");

const environment = {
    PATH: process.env.PATH, HOME: home, TATA_HOME: home, NO_PROXY: "*", TATA_OIDC_ISSUER: issuer, TATA_OIDC_CLIENT_ID: "tata",
    TATA_OIDC_CLIENT_SECRET: "a secret of 32 characters at least", TATA_OIDC_COMPANY: "acme",
    TATA_OIDC_ADMINS: "anna@acme.example", TATA_OIDC_DOMAINS: "acme.example",
};
const server = spawn(tata, ["serve", "--accounts", "--listen", `127.0.0.1:${own}`], { cwd: home, env: environment });
let said = "";
server.stderr.on("data", (bytes) => (said += bytes));

/** A browser: it keeps cookies by origin and follows redirects; forms of the directory are filled in by whoever sits there. */
class Browser {
    cookies = new Map();
    trail = [];

    async open(address, form) {
        for (let step = 0; step < 20; step += 1) {
            const { origin } = new URL(address);
            const jar = this.cookies.get(origin) ?? new Map();
            this.cookies.set(origin, jar);
            const headers = { accept: "text/html", cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; ") };
            const body = form && new URLSearchParams(form);
            const response = await fetch(address, { method: form ? "POST" : "GET", body, headers, redirect: "manual" });
            for (const line of response.headers.getSetCookie()) {
                const [name, ...value] = line.split(";")[0].split("=");
                if (/max-age=0|1970/i.test(line)) jar.delete(name);
                else jar.set(name, value.join("="));
            }
            this.trail.push(`${response.status} ${address}`);
            if (!response.headers.has("location")) return { status: response.status, address, text: await response.text() };
            address = new URL(response.headers.get("location"), address).href;
            form = undefined;
        }
        throw new Error("it goes round in circles");
    }

    async signIn(who) {
        let page = await this.open(`${base}/sign-in/company`);
        for (let step = 0; step < 3 && page.address.startsWith(issuer); step += 1) {
            const action = page.text.match(/action="([^"]+)"/)?.[1];
            const prompt = page.text.match(/name="prompt" value="(\w+)"/)?.[1];
            if (!action) return page;
            page = await this.open(new URL(action, page.address).href, { prompt, login: who, password: "any" });
        }
        return page;
    }

    me() {
        const cookie = this.cookies.get(base)?.get("__Host-tata");
        return fetch(`${base}/api/v1/me`, { headers: { cookie: `__Host-tata=${cookie}` } }).then((response) => response.json());
    }
}

try {
    for (let tries = 0; tries < 100; tries += 1) {
        if (await fetch(`${base}/healthz`).then(() => true, () => false)) break;
        await new Promise((done) => setTimeout(done, 200));
    }
    const anna = new Browser();
    const door = await anna.open(`${base}/sign-in`);
    check("the directory is offered at the door", door.text.includes('href="/sign-in/company"'), door);
    const arrived = await anna.signIn("anna");
    check("she arrives at the start", arrived.status === 200 && arrived.address === `${base}/`, { arrived, trail: anna.trail, said });
    const me = await anna.me();
    check("as herself, an admin of her company", me.name === "anna@acme.example" && me.tenant === "acme" && me.role === "admin", me);
    check("nothing of the way stays", !anna.cookies.get(base).has("__Host-tata-door"), [...anna.cookies.get(base).keys()]);
    const again = new Browser();
    await again.signIn("anna");
    check("in another browser it is the same account", (await again.me()).id === me.id);
    for (const [who, why] of [["eve", "an address that nobody vouches for"], ["carl", "another domain"]]) {
        const refused = await new Browser().signIn(who);
        check(`${why} opens nothing`, refused.status === 403 && refused.text.includes('role="alert"'), refused);
    }
    const stolen = new Browser();
    const back = anna.trail.find((step) => step.includes("/sign-in/company/back")).slice(4);
    const strayed = await stolen.open(back);
    check("the way back is good for one browser", strayed.status === 401, strayed);
    const twice = await anna.open(back);
    check("and once", twice.status === 401, twice);
    directory.closeAllConnections();
    await new Promise((done) => directory.close(done));
    // The state is right and the code is new, but nobody is there to redeem it.
    const lost = new Browser();
    const left = await fetch(`${base}/sign-in/company`, { redirect: "manual" });
    lost.cookies.set(base, new Map([left.headers.getSetCookie()[0].split(";")[0].split("=")]));
    const state = new URL(left.headers.get("location")).searchParams.get("state");
    const away = await lost.open(`${base}/sign-in/company/back?code=x&state=${state}`);
    check("a directory that is away is told in plain words", away.status === 502 && away.text.includes('role="alert"'), away);
} catch (error) {
    check("all of it was tried", false, `${error.stack}\n${said.slice(-1000)}`);
} finally {
    server.kill();
}
process.exit(failed ? 1 : 0);
