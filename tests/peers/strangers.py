"""MCP among strangers. `strangers.py PEERS SAMPLE TATA`: the folder with the npm packages, our sample program, and the program itself."""

import asyncio
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import tempfile

from mcp import Client, StdioServerParameters
from mcp_types import ElicitResult

PEERS = pathlib.Path(sys.argv[1])
SAMPLE = str(pathlib.Path(sys.argv[2]).resolve())
TATA = str(pathlib.Path(sys.argv[3]).resolve())
NODE = str(PEERS / "node_modules/node/bin/node")
SUITE = str(PEERS / "node_modules/@modelcontextprotocol/conformance/dist/index.js")
EXPECTED = str(pathlib.Path(__file__).with_name("mcp-expected-failures.yaml"))
problems = []


def check(what, fine, seen=""):
    print(f"   {'ok  ' if fine else 'FAIL'} {what}")
    if not fine:
        problems.append(f"{what}: {seen}")


class Serving:
    """Our sample server at a port of this machine."""

    def __init__(self, what):
        self.process = subprocess.Popen([SAMPLE, what, "0"], stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()

    def __enter__(self):
        return self.url

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()


def suite(what, *arguments):
    # One scenario measures a pause of half a second and warns when it took 0.2 s longer, as it does on a busy machine.
    # Only such a run, without a single failure, is repeated.
    for _ in range(3):
        with tempfile.TemporaryDirectory() as folder:
            command = [NODE, SUITE, *arguments, "--expected-failures", EXPECTED]
            done = subprocess.run(command, capture_output=True, text=True, timeout=300, cwd=folder)
        total = re.findall(r"Total: .*", done.stdout)
        if done.returncode == 0 or not (total and ", 0 failed, " in total[-1]):
            break
    # Without a total the suite did not run, whatever it says at its end.
    fine = done.returncode == 0 and bool(total)
    check(f"conformance, {what}: {total[-1] if total else 'nothing ran'}", fine, (done.stdout + done.stderr)[-3000:])


def conformance():
    with Serving("conformance-server") as url:
        suite("server", "server", "--url", url)
    client = ["client", "--command", f"{SAMPLE} conformance-client"]
    suite("client, core", *client, "--suite", "core")
    suite("client, auth", *client, "--suite", "auth")


def attempt(servers, calls):
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump({"mcpServers": servers}, file)
        file.flush()
        done = subprocess.run([SAMPLE, "try", file.name, json.dumps(calls)], capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        return {"status": [], "results": [], "error": done.stderr[-2000:]}
    return json.loads(done.stdout)


def left_behind(words):
    """The processes, by the process table, whose command has these words."""
    found = []
    for file in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = file.read_bytes().replace(b"\0", b" ").decode(errors="replace")
        except OSError:
            continue
        if words in command:
            found.append(f"{file.parent.name} {command}")
    return found


def free_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        return listener.getsockname()[1]


def everything(how, server):
    calls = [["everything__echo", {"message": "hej"}], ["everything__get-sum", {"a": 2, "b": 40}],
             ["everything__get-tiny-image", {}], ["everything__get-sum", {"a": "x", "b": 1}]]
    came = attempt({"everything": server}, calls)
    status = came["status"][0] if came["status"] else {}
    check(f"server-everything, {how}: ready", status.get("state") == "Ready", came)
    if status.get("state") != "Ready":
        return
    texts = [result["text"] for result in came["results"]]
    check(f"server-everything, {how}: {len(status['tools'])} tools, none left out", not status["left_out"], status)
    check(f"server-everything, {how}: echo", "hej" in texts[0], texts[0])
    check(f"server-everything, {how}: sum", "42" in texts[1], texts[1])
    check(f"server-everything, {how}: picture named or shown", not came["results"][2]["is_error"], texts[2])
    check(f"server-everything, {how}: wrong arguments refused", came["results"][3]["is_error"], texts[3])


def official_servers():
    script = str(PEERS / "node_modules/@modelcontextprotocol/server-everything/dist/index.js")
    everything("stdio", {"command": NODE, "args": [script, "stdio"]})
    port = free_port()
    environment = {**os.environ, "PORT": str(port)}
    process = subprocess.Popen([NODE, script, "streamableHttp"], env=environment, stdout=subprocess.DEVNULL,
                               stderr=subprocess.PIPE, text=True)
    process.stderr.readline()
    everything("HTTP", {"type": "http", "url": f"http://127.0.0.1:{port}/mcp"})
    process.kill()
    process.wait()
    script = str(PEERS / "node_modules/@modelcontextprotocol/server-filesystem/dist/index.js")
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder).resolve()
        (path / "note.txt").write_text("written by hand")
        server = {"command": NODE, "args": [script, "${FOLDER_OF_NOTES}"]}
        os.environ["FOLDER_OF_NOTES"] = str(path)
        calls = [["files__read_text_file", {"path": str(path / "note.txt")}],
                 ["files__write_file", {"path": str(path / "new.txt"), "content": "written by a tool"}],
                 ["files__read_text_file", {"path": "/etc/passwd"}]]
        came = attempt({"files": server}, calls)
        texts = [result["text"] for result in came["results"]] or ["", "", ""]
        check("server-filesystem: reads", "written by hand" in texts[0], came)
        new = path / "new.txt"
        check("server-filesystem: writes", new.exists() and new.read_text() == "written by a tool", texts[1])
        check("server-filesystem: its refusal is a failure", came["results"] and came["results"][2]["is_error"], texts[2])
    left = left_behind("server-filesystem/dist") + left_behind("server-everything/dist")
    check("no official server is left behind", not left, left)


async def python_client(how, server):
    asked = []

    async def answer(_context, params):
        asked.append(params)
        if "run" in params.requested_schema["properties"]:
            return ElicitResult(action="accept", content={"run": True})
        return ElicitResult(action="accept", content={"title": "From a person"})

    for mode in ["auto", "legacy"]:
        name = f"Python SDK, {how}, {mode}"
        asked.clear()
        seen = []

        async def progress(done, total, message):
            seen.append(done)

        async with Client(server, mode=mode, elicitation_callback=answer, read_timeout_seconds=30) as client:
            tools = [tool.name for tool in (await client.list_tools()).tools]
            check(f"{name}: tools", tools == ["write_note", "count_notes", "send_letter", "read_output"], tools)
            made = await client.call_tool("write_note", {"title": "Ships", "text": "float"}, progress_callback=progress)
            check(f"{name}: a call", not made.is_error and "float" in made.content[0].text, made)
            check(f"{name}: progress", seen == [0.0, 1.0], seen)
            found = (await client.list_resources()).resources
            check(f"{name}: a document", len(found) == 1 and str(found[0].uri).endswith("/Note/Ships"), found)
            read = await client.read_resource(str(found[0].uri))
            check(f"{name}: its text", read.contents[0].text == "# Ships\n", read)
            asking = await client.call_tool("write_note", {"title": "", "text": "x"})
            check(f"{name}: what is missing is asked", "From a person" in asking.content[0].text, asking)
            letter = await client.call_tool("send_letter", {"to": "Ada"})
            check(f"{name}: a person's yes", letter.content[0].text == "Sent to Ada." and len(asked) == 2, letter)
            prompt = await client.get_prompt("note", {"topic": "ships"})
            check(f"{name}: a prompt", prompt.messages[0].content.text == "Write a note about ships.", prompt)


NOTES = """Network Engineer

Must have
* Five years of experience with BGP and MPLS
* Experience of operating carrier networks
* Fluent English, spoken and written
* A driving licence for cars

Tasks
* Operate and develop the backbone
* Find the causes of faults
* Plan changes at night"""


async def recruiting():
    """`tata mcp serve`: what a client's model writes is no source, what its person fills in is; decisions are the person's."""
    asked = []

    async def answer(_context, params):
        names = list(params.requested_schema["properties"])
        asked.append(names)
        values = {"startup_notes": NOTES, "position_title": "Network Engineer", "run": True}
        return ElicitResult(action="accept", content={name: values[name] for name in names})

    with tempfile.TemporaryDirectory() as home:
        server = StdioServerParameters(command=TATA, args=["mcp", "serve"], env={"TATA_HOME": home, "PATH": os.environ["PATH"]})
        async with Client(server, mode="auto", elicitation_callback=answer, read_timeout_seconds=60) as client:
            tools = [tool.name for tool in (await client.list_tools()).tools]
            check("tata mcp serve: the modules", "create_requirement_profile" in tools and "search_docs" in tools, tools)
            invented = {"position_title": "Astrophysicist", "startup_notes": "Must have: a degree in astrophysics"}
            made = await client.call_tool("create_requirement_profile", invented)
            text = made.content[0].text
            check("tata mcp serve: the person is asked for the notes", asked and "startup_notes" in asked[0], asked)
            check("tata mcp serve: a profile of the person's words", not made.is_error and "BGP" in text, text)
            check("tata mcp serve: nothing of the model's", "strophysic" not in text, text)
            confirmed = await client.call_tool("edit_requirement_profile", {"confirm": True})
            check("tata mcp serve: the person confirms", asked[-1] == ["run"] and "Version 2, confirmed" in confirmed.content[0].text, confirmed)
            found = (await client.list_resources()).resources
            check("tata mcp serve: the profile is a resource", any("requirement_profile" in str(one.uri) for one in found), found)


async def python_sdk():
    await recruiting()
    await python_client("stdio", StdioServerParameters(command=SAMPLE, args=["agent"]))
    with Serving("agent") as url:
        await python_client("HTTP", url)


print("the conformance suite")
conformance()
print("the official servers")
official_servers()
print("the official Python SDK")
asyncio.run(python_sdk())
if problems:
    print("\n".join(["", *problems]))
    sys.exit(1)
print("all of it holds")
