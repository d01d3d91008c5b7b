"""Drives the real `tata` against a real server of the three wires.

Usage: drive.py litellm TATA LITELLM_PROGRAM | drive.py aimock TATA CLI_JS

Everything listens on loopback, on free ports, and is stopped at the end. Every line that is printed is one thing that
was tried; the exit code is 1 if any of them was not as it must be.
"""

import contextlib
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request

HERE = pathlib.Path(__file__).parent
KEY = "sk-peer-0123456789"
WIRES = ["responses", "chat", "messages"]
# Nothing of the machine's own configuration, and no way out of it.
CLEAN = {name: os.environ[name] for name in ("PATH", "LANG", "LD_LIBRARY_PATH") if name in os.environ} | {
    "NO_PROXY": "*", "no_proxy": "*",
}


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@contextlib.contextmanager
def running(command, log, **options):
    """A program that is stopped at the end, whatever happens."""
    with open(log, "wb") as out:
        child = subprocess.Popen(command, stdout=out, stderr=out, stdin=subprocess.DEVNULL, **options)
    try:
        yield child
    finally:
        child.terminate()
        try:
            child.wait(10)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


def await_answer(url, child, log, seconds=90):
    """Waits until a server answers, whatever it says."""
    end = time.monotonic() + seconds
    while time.monotonic() < end and child.poll() is None:
        try:
            with urllib.request.urlopen(url, timeout=5):
                return
        except urllib.error.HTTPError:
            return
        except OSError:
            time.sleep(0.2)
    sys.exit(f"the peer does not answer at {url}:\n{pathlib.Path(log).read_text()[-2000:]}")


class Tata:
    """The program in an empty world, with one provider for each wire of the peer."""

    def __init__(self, program, folder, origin):
        self.program, self.folder, self.origin = program, pathlib.Path(folder), origin
        self.failed = self.passed = 0
        providers = {
            f"peer-{wire}": {
                "wire": wire, "base_url": f"{origin}/v1", "key_env": "PEER_KEY",
                "auth": "x-api-key" if wire == "messages" else "bearer",
            }
            for wire in WIRES
        }
        # JSON is YAML.
        (self.folder / "peers.yaml").write_text(json.dumps({"providers": providers}))

    def run(self, *arguments, **more):
        home = tempfile.mkdtemp(dir=self.folder)
        world = CLEAN | {"HOME": home, "TATA_HOME": home, "PEER_KEY": KEY} | more
        command = [self.program, "--models-file", str(self.folder / "peers.yaml"), "--timeout", "20", *arguments]
        return subprocess.run(
            command, cwd=home, env=world, capture_output=True, text=True, timeout=90, stdin=subprocess.DEVNULL
        )

    def ask(self, model, question, *arguments):
        said = self.run("ask", "--json", "--model", model, *arguments, question)
        try:
            return said.returncode, json.loads(said.stdout)
        except ValueError:
            return said.returncode, {"stdout": said.stdout, "stderr": said.stderr}

    def check(self, name, found, wanted, about=""):
        if found == wanted:
            self.passed += 1
            print(f"  ok      {name}")
        else:
            self.failed += 1
            print(f"  FAILED  {name}\n          wanted {wanted!r}\n          found  {found!r}\n          {about}")

    def check_that(self, name, holds, about):
        self.check(name, bool(holds), True, about)


def of_text(tata, at, model, text):
    code, said = tata.ask(model, "hello there")
    about = str(said)[:1500]
    tata.check(f"{at}: text, ending, exit code", (said.get("content"), said.get("outcome"), code), (text, "answered", 0), about)
    tata.check(f"{at}: usage", said.get("tokens_used"), 27, about)
    shown = tata.run("ask", "--model", model, "hello there")
    tata.check(f"{at}: what is shown is what is recorded", (shown.stdout, shown.returncode), (text + "\n", 0), shown.stderr)


def of_calls(tata, at, model, ids, final):
    code, said = tata.ask(model, "Make two calls, please", "--agent", "tata")
    calls = [(call["call_id"], call["tool"], call["status"]) for call in said.get("tool_calls") or []]
    about = str(said)[:2500]
    first, second = ids
    wanted = [(first, "set_project", "succeeded"), (second, "create_job_ad", "missing_prerequisite")]
    tata.check(f"{at}: parallel calls in call order, under their ids", calls, wanted, about)
    tata.check(f"{at}: every result came back under its id", (said.get("content"), code), (final, 0), about)


def of_failure(tata, at, model, question, kind, wanted_code):
    code, said = tata.ask(model, question)
    tata.check(f"{at}: {kind}", ((said.get("error") or {}).get("kind"), code), (kind, wanted_code), str(said)[:1500])


def of_check(tata, at, model):
    said = tata.run("models", "check", model, "--json")
    works = {}
    with contextlib.suppress(ValueError):
        works = {one["what"]: one["works"] for one in json.loads(said.stdout)["findings"]}
    wanted = dict.fromkeys(["text", "streaming", "tools", "parallel tools", "usage"], True)
    tata.check(f"{at}: models check", (works, said.returncode), (wanted, 0), said.stdout + said.stderr)


def of_list(tata, at, provider, some):
    said = tata.run("models", "list", provider, "--json")
    with contextlib.suppress(ValueError):
        tata.check_that(f"{at}: models list", set(some) <= set(json.loads(said.stdout)["models"]), said.stdout)
        return
    tata.check(f"{at}: models list", said.stdout, "JSON", said.stderr)


def of_default(tata, at):
    """A gateway with models of its own, and nobody names one."""
    said = tata.run("ask", "hello there", OPENAI_BASE_URL=f"{tata.origin}/v1", OPENAI_API_KEY=KEY)
    named = "none is chosen" in said.stderr and "--model" in said.stderr
    tata.check(f"{at}: the models to choose from are named", (said.returncode, named), (3, True), said.stderr)


def litellm(tata_program, program, folder):
    upstream = HERE / "upstream.py"
    with subprocess.Popen([sys.executable, str(upstream)], stdout=subprocess.PIPE, text=True) as provider:
        try:
            behind = f"http://127.0.0.1:{provider.stdout.readline().strip()}"
            port, log = free_port(), folder / "litellm.log"
            world = CLEAN | {
                "HOME": str(folder), "UPSTREAM": behind, "UPSTREAM_V1": f"{behind}/v1", "UPSTREAM_CHAT": f"{behind}/chat-only/v1",
                "LITELLM_LOCAL_MODEL_COST_MAP": "True", "LITELLM_LOG": "ERROR", "DISABLE_ADMIN_UI": "True",
                "LITELLM_MODE": "PRODUCTION",
            }
            command = [program, "--config", str(HERE / "litellm.yaml"), "--host", "127.0.0.1", "--port", str(port)]
            with running(command, log, env=world, cwd=folder) as gateway:
                origin = f"http://127.0.0.1:{port}"
                await_answer(f"{origin}/health/liveliness", gateway, log)
                return through_litellm(Tata(tata_program, folder, origin), behind)
        finally:
            provider.terminate()


def through_litellm(tata, behind):
    text = "Hello, world: åäö €"
    for wire in WIRES:
        for model in ("of-openai", "of-anthropic", "chat-only"):
            at, name = f"{wire} before {model}", f"peer-{wire}/{model}"
            of_text(tata, at, name, text)
            of_calls(tata, at, name, ("call_1", "call_2"), "Every result is in its place.")
        name = f"peer-{wire}/of-openai"
        of_failure(tata, wire, name, f"quota-{wire} is what I ask about", "quota", 7)
        of_failure(tata, wire, name, "trouble is what I ask about", "server", 6)
        of_failure(tata, wire, f"peer-{wire}/no-such-model", "hello there", "model_not_found", 5)
        code, said = tata.ask(name, "Be cut off")
        tata.check(f"{wire}: an answer that is cut off", (said.get("outcome"), code), ("incomplete", 9), str(said)[:1500])
        code, said = tata.ask(name, "Say nothing")
        tata.check(f"{wire}: an answer that is empty", (said.get("content"), code), ("", 9), str(said)[:1500])
        of_check(tata, wire, name)
        of_list(tata, wire, f"peer-{wire}", ["of-openai", "chat-only"])
    with urllib.request.urlopen(f"{behind}/seen") as answer:
        seen = json.load(answer)
    asked = {wire: seen.get(f"quota-{wire}") for wire in WIRES}
    tata.check("a used-up quota is asked about once", asked, dict.fromkeys(WIRES, 1), str(seen))
    of_default(tata, "gateway")
    of_late_warning(tata, behind)
    return tata


def of_late_warning(tata, provider):
    """Straight to the provider: a gateway would count by itself."""
    direct = Tata(tata.program, tata.folder, provider)
    _, said = direct.ask("peer-chat/scripted", "uncounted, please")
    codes = [warning["code"] for warning in said.get("warnings") or []]
    tata.check("a warning raised at the end of a stream is in --json", codes, ["missing_usage"], str(said)[:1500])
    lines = direct.run("ask", "--jsonl", "--model", "peer-chat/scripted", "uncounted, please").stdout
    events = [json.loads(line) for line in lines.splitlines()]
    codes = [event["code"] for event in events if event["event"] == "warning"]
    tata.check("a warning raised at the end of a stream is in --jsonl", codes, ["missing_usage"], lines[-1500:])


def aimock(tata_program, program, folder):
    port, log = free_port(), folder / "aimock.log"
    command = ["node", program, "-p", str(port), "-h", "127.0.0.1", "-f", str(HERE / "aimock.json"), "--strict"]
    with running(command, log, env=CLEAN | {"HOME": str(folder)}, cwd=folder) as server:
        origin = f"http://127.0.0.1:{port}"
        await_answer(f"{origin}/v1/models", server, log)
        tata = Tata(tata_program, folder, origin)
        for wire in WIRES:
            model = f"peer-{wire}/gpt-4o"
            of_text(tata, wire, model, "Hello from a scripted server: åäö €")
            of_calls(tata, wire, model, ("call_1", "call_2"), "Both are done.")
            of_failure(tata, wire, model, "quota is what I ask about", "quota", 7)
            of_failure(tata, wire, model, "trouble is what I ask about", "server", 6)
            code, said = tata.ask(model, "Be cut off")
            tata.check(f"{wire}: an answer that is cut off", (said.get("outcome"), code), ("incomplete", 9), str(said)[:1500])
            of_check(tata, wire, model)
            of_list(tata, wire, f"peer-{wire}", ["gpt-4o"])
        of_default(tata, "gateway")
        return tata


def main():
    which, tata, program = sys.argv[1:]
    with tempfile.TemporaryDirectory(prefix="tata-peer-") as folder:
        # The servers run in the folder.
        tata, program = os.path.abspath(tata), os.path.abspath(program)
        done = {"litellm": litellm, "aimock": aimock}[which](tata, program, pathlib.Path(folder))
    print(f"{which}: {done.passed} passed, {done.failed} failed")
    return 1 if done.failed or not done.passed else 0


if __name__ == "__main__":
    sys.exit(main())
