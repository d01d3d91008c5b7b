// Text that wants to be a script, in every place where text enters: none runs, nothing is asked elsewhere, the policy is kept.
import { check, run, say } from "./world.mjs";

const CALL = "window.__ran=(window.__ran||0)+1";
const AWAY = "https://evil.example/x";
const VECTORS = [
  `<script>${CALL}</script>`, `<img src=x onerror="${CALL}">`, `<svg onload="${CALL}"></svg>`, `<svg><script>${CALL}</script></svg>`,
  `<iframe srcdoc="<script>parent.${CALL}</script>"></iframe>`, `<a href="javascript:${CALL}">x</a>`, `[x](javascript:${CALL})`,
  `[x](data:text/html,<script>${CALL}</script>)`, `![x](${AWAY}.png)`, `<img src="${AWAY}.png">`, `<link rel=stylesheet href="${AWAY}.css">`,
  `<style>@import "${AWAY}.css";</style>`, `<meta http-equiv="refresh" content="0;url=${AWAY}">`, `<base href="${AWAY}/">`,
  `<form action="${AWAY}"><button>x</button></form>`, `<object data="${AWAY}"></object>`, `<embed src="${AWAY}">`,
  `<video src="${AWAY}" onerror="${CALL}"></video>`, `<details open ontoggle="${CALL}">x</details>`, `<input autofocus onfocus="${CALL}">`,
  `<math><mtext><table><mglyph><style><img src=x onerror="${CALL}"></style></mglyph></table></mtext></math>`,
  `<noscript><p title="</noscript><img src=x onerror=${CALL}>"></noscript>`, `"><script>${CALL}</script>`, `'><img src=x onerror=${CALL}>`,
  `</textarea><script>${CALL}</script>`, `</title><script>${CALL}</script>`, `--><script>${CALL}</script><!--`, `{{constructor.constructor('${CALL}')()}}`,
  `\${${CALL}}`, `<template><script>${CALL}</script></template>`, `<x onclick="${CALL}" tabindex=1 autofocus>y</x>`,
  `<svg><animate onbegin="${CALL}" attributeName=x dur=1s></svg>`, `<svg><use href="${AWAY}#x"></use></svg>`,
  `<a href="//evil.example">x</a>`, `<a href="JaVaScRiPt:${CALL}">x</a>`, `<a href=" javascript:${CALL}">x</a>`, "<a href=\"java\tscript:alert(1)\">x</a>",
  `[x](<javascript:${CALL}>)`, `[x](vbscript:${CALL})`, `<${AWAY}>`, `<javascript:${CALL}>`, `[a]: javascript:${CALL}\n\n[a]`,
  `| a | b |\n|---|---|\n| <script>${CALL}</script> | <img src=x onerror=${CALL}> |`, "```html\n<script>" + CALL + "</script>\n```",
  `<!--<img src="--><img src=x onerror=${CALL}//">`, `<![CDATA[<script>${CALL}</script>]]>`, `&lt;script&gt;${CALL}&lt;/script&gt;`,
  `<scr<script>ipt>${CALL}</scr</script>ipt>`, `\u202e<script>${CALL}</script>`, `<script\u2028>${CALL}</script>`, `%3Cscript%3E${CALL}%3C/script%3E`,
  `<span class="evidence" onmouseover="${CALL}" data-sources="1">x</span>`, `<a data-panel-link href="${AWAY}">x</a>`,
  `<form data-panel-form action="${AWAY}"><button>x</button></form>`, `<button data-copy onclick="${CALL}">x</button>`,
  `<div data-composer><textarea></textarea></div>`, `<input name=__proto__ id=turns>`, `<img name=getElementById><img id=words data-offline="x">`,
  `<svg><foreignObject><iframe srcdoc="x"></iframe></foreignObject></svg>`, `<portal src="${AWAY}"></portal>`,
];

async function calm(page, where) {
  // Everything that can be pointed at is, and everything folded is opened.
  await page.evaluate(() => {
    for (const one of document.querySelectorAll("details")) one.open = true;
    for (const one of document.querySelectorAll(".answer *, .said *, .document *, .list *, .files *")) {
      one.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
      if (one.tabIndex >= 0) one.focus();
    }
  });
  check(!(await page.evaluate(() => window.__ran)), `no script runs: ${where}`);
  const foreign = await page.evaluate(() => document.querySelectorAll("main script, main iframe, main img, main object, main embed, main link, main style, main meta, main base, main video, main template, main math, main [onclick], main [onerror], main [onload]").length);
  check(foreign === 0, `nothing foreign on the page: ${where}`);
  const links = await page.evaluate(() => [...document.querySelectorAll("main a[href]")].map((one) => one.protocol).filter((one) => !["http:", "https:", "mailto:"].includes(one)));
  check(links.length === 0, `links lead where links lead: ${where}: ${links}`);
}

await run("hostile", {}, async (world) => {
  const page = await world.page();
  let tried = 0;
  // As messages, sent by hand; several in one conversation, as materials.
  await page.goto(world.base);
  await say(page, "Hello");
  for (let at = 0; at < VECTORS.length; at += 8) {
    await say(page, VECTORS.slice(at, at + 8).join("\n\n"));
    tried += Math.min(8, VECTORS.length - at);
  }
  await calm(page, "messages as they were sent");
  await page.reload();
  await calm(page, "messages as they are stored");
  const project = page.url().split("/d/")[0].split("#")[0];
  const session = project.split("/p/")[1];

  // As documents: notes and ads that are quoted, file names of titles, keys.
  const post = async (path, body) => (await page.request.post(world.base + path, { data: body })).json();
  for (const vector of VECTORS) {
    const notes = `Must have\n* Five years of ${vector.replaceAll("\n", " ")} experience\n* Calm ${vector.replaceAll("\n", " ")}\n\nTasks\n* Run ${vector.replaceAll("\n", " ")}\n`;
    const position = `Engineer ${vector}`.replaceAll("\n", " ").slice(0, 100);
    await post(`/api/v1/sessions/${session}/tools/create_requirement_profile`, { position_name: position, startup_notes: notes, replace: true });
    await post(`/api/v1/sessions/${session}/tools/create_di_review`, { job_ad_text: `We are a young team.\n\n${vector}\n\nNative speaker wanted, ${vector}` });
    // Its text is marked, and a remark opens in it.
    await page.goto(`${project}/d/di_review`);
    await page.locator(".marked .flag").first().click();
    await page.locator(".card:popover-open").waitFor();
    await calm(page, `a marked text: ${vector}`);
    tried += 3;
  }
  const listed = await (await page.request.get(`${world.base}/api/v1/sessions/${session}/artifacts`)).json();
  check(listed.artifacts.length >= 1, `documents were made: ${listed.artifacts.map((one) => `${one.kind} ${one.version}`)}`);
  for (const artifact of listed.artifacts) {
    for (let version = 1; version <= artifact.version; version += 1) {
      await page.goto(`${project}/d/${artifact.kind}?version=${version}${version > 1 ? `&with=${version - 1}` : ""}`);
      await calm(page, `${artifact.kind} ${version}`);
      if (version % 8 === 1) {
        await page.goto(`${project}/d/${artifact.kind}?version=${version}`);
        await calm(page, `${artifact.kind} ${version}, whole`);
      }
    }
  }

  // As titles, searches and addresses.
  for (const vector of VECTORS) {
    await page.request.post(`${project}/rename`, { form: { title: vector.replaceAll("\n", " ").slice(0, 190) } });
    await page.goto(`${world.base}/projects?q=${encodeURIComponent(vector.slice(0, 150))}`);
    await calm(page, `titles and searches: ${vector}`);
    await page.goto(`${world.base}/documents?q=${encodeURIComponent(vector)}`);
    await calm(page, `searches of documents: ${vector}`);
    tried += 3;
  }
  for (const vector of VECTORS.slice(0, 20)) {
    await page.goto(`${project}/d/${encodeURIComponent(vector.slice(0, 80))}`);
    await calm(page, `addresses: ${vector}`);
    await page.goto(`${world.base}/knowledge?q=${encodeURIComponent(vector)}`);
    await calm(page, `searches of knowledge: ${vector}`);
    tried += 2;
  }

  // As files: their names and what is in them, before and after they are sent.
  for (let at = 0; at < VECTORS.length; at += 6) {
    const files = VECTORS.slice(at, at + 6).map((vector, nth) => ({
      name: `${vector.replaceAll(/[\/\\\n\t"]/g, "_").slice(0, 60)}-${nth}.txt`, mimeType: "text/plain", buffer: Buffer.from(vector),
    }));
    await page.goto(project);
    await page.setInputFiles("input[type=file]", files);
    await page.waitForFunction((count) => document.querySelectorAll(".files details").length === count, files.length);
    await calm(page, "files before they are sent");
    tried += files.length * 2;
  }
  await page.click("[data-send]");
  await page.waitForFunction(() => document.querySelector("[data-stop]").hidden);
  await calm(page, "files after they were sent");
  check(tried >= 300, `${tried} payloads`);
  console.log(`hostile: ${tried} payloads`);
});
