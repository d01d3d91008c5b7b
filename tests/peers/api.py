"""Our server before strangers: the official SDKs in Python and Node drive it, schemathesis looks for what it was not told.

Usage: api.py TATA NODE_FOLDER SCHEMATHESIS

Behind the server stands the scripted provider of this folder. Every line that is printed is one thing that was tried; the
exit code is 1 if any of them was not as it must be.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import urllib.request

import openai

from drive import CLEAN, HERE, KEY, await_answer, free_port, running

WEATHER = {
    "type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"], "additionalProperties": False,
}
passed = failed = 0


def check(name, holds, about=""):
    global passed, failed
    if holds:
        passed += 1
        print(f"  ok      {name}")
    else:
        failed += 1
        print(f"  FAILED  {name}\n          {about}")


def refused(kind, name, what):
    try:
        found = what()
        check(name, False, f"nothing was refused: {found!r}")
    except kind as error:
        check(name, bool(error.message), repr(error))
    except openai.APIError as error:
        check(name, False, repr(error))


def chat(client):
    whole = client.chat.completions.create(model="helper", messages=[{"role": "user", "content": "Count from one"}])
    choice = whole.choices[0]
    check("chat: an answer", choice.message.content == "one two three four five" and choice.finish_reason == "stop", whole)
    check("chat: its usage", whole.usage.total_tokens == 27, whole.usage)
    again = [
        {"role": "user", "content": "Count from one"}, {"role": "assistant", "content": choice.message.content},
        {"role": "user", "content": "Are you ready?"},
    ]
    more = client.chat.completions.create(model="helper", messages=again)
    check("chat: a second question", more.choices[0].message.content == "ready", more)
    check("chat: in the same session", more.id.rsplit("-", 2)[0] == whole.id.rsplit("-", 2)[0], (whole.id, more.id))
    pieces = client.chat.completions.create(
        model="helper", stream=True, stream_options={"include_usage": True},
        messages=[{"role": "user", "content": "Count from one"}],
    )
    pieces = list(pieces)
    text = "".join(piece.choices[0].delta.content or "" for piece in pieces if piece.choices)
    check("chat: a streamed answer", text == "one two three four five" and len(pieces) > 4, pieces)
    check("chat: its usage comes last", pieces[-1].usage.total_tokens == 27, pieces[-1])


def chat_tools(client):
    tool = {"type": "function", "function": {"name": "get_weather", "description": "The weather.", "parameters": WEATHER}}
    messages = [{"role": "user", "content": "How is the weather in Oslo?"}]
    for stream in (False, True):
        how = "streamed" if stream else "whole"
        if stream:
            with client.chat.completions.stream(model="helper", messages=messages, tools=[tool]) as events:
                first = events.get_final_completion()
        else:
            first = client.chat.completions.create(model="helper", messages=messages, tools=[tool])
        choice = first.choices[0]
        calls = choice.message.tool_calls or []
        right = len(calls) == 1 and json.loads(calls[0].function.arguments) == {"city": "Oslo"}
        check(f"chat: a call of the client's tool, {how}", right and choice.finish_reason == "tool_calls", first)
        if not right:
            continue
        result = {"role": "tool", "tool_call_id": calls[0].id, "content": "7 degrees"}
        answer = client.chat.completions.create(
            model="helper", messages=[*messages, choice.message.model_dump(exclude_none=True), result], tools=[tool]
        )
        check(f"chat: its result reaches the model, {how}", "7 degrees" in answer.choices[0].message.content, answer)
        check(f"chat: the call and the answer have ids of their own, {how}", answer.id != first.id, answer)
        again = client.chat.completions.create(
            model="helper", messages=[*messages, choice.message.model_dump(exclude_none=True), result], tools=[tool]
        )
        check(f"chat: its result once more, {how}", "7 degrees" in again.choices[0].message.content, again)


def responses(client):
    whole = client.responses.create(model="helper", input="Count from one")
    check("responses: an answer", whole.output_text == "one two three four five" and whole.status == "completed", whole)
    check("responses: its usage", whole.usage.total_tokens == 27, whole.usage)
    more = client.responses.create(model="helper", input="Are you ready?", previous_response_id=whole.id)
    check("responses: a second question", more.output_text == "ready", more)
    check("responses: in the same conversation", more.conversation.id == whole.conversation.id, more)
    branch = client.responses.create(model="helper", input="Are you ready?", previous_response_id=whole.id)
    check("responses: an earlier one branches", branch.conversation.id != whole.conversation.id, branch)
    with client.responses.stream(model="helper", input="Count from one") as events:
        kinds = [event.type for event in events]
        final = events.get_final_response()
    check("responses: a streamed answer", final.output_text == "one two three four five", final)
    check("responses: in pieces", kinds.count("response.output_text.delta") > 2 and kinds[-1] == "response.completed", kinds)


def response_tools(client):
    tool = {"type": "function", "name": "get_weather", "description": "The weather.", "parameters": WEATHER, "strict": True}
    for stream in (False, True):
        how = "streamed" if stream else "whole"
        asked = {"model": "helper", "input": "How is the weather in Oslo?", "tools": [tool]}
        if stream:
            with client.responses.stream(**asked) as events:
                for _ in events:
                    pass
                first = events.get_final_response()
        else:
            first = client.responses.create(**asked)
        calls = [item for item in first.output if item.type == "function_call"]
        right = len(calls) == 1 and json.loads(calls[0].arguments) == {"city": "Oslo"}
        check(f"responses: a call of the client's tool, {how}", right, first)
        if not right:
            continue
        result = {"type": "function_call_output", "call_id": calls[0].call_id, "output": "7 degrees"}
        answer = client.responses.create(model="helper", previous_response_id=first.id, input=[result], tools=[tool])
        check(f"responses: its result reaches the model, {how}", "7 degrees" in answer.output_text, answer)
        check(f"responses: the call and the answer have ids of their own, {how}", answer.id != first.id, answer)
        items = [{"role": "user", "content": asked["input"]}, *first.output, result]
        answer = client.responses.create(model="helper", input=items, tools=[tool])
        check(f"responses: all items again, {how}", "7 degrees" in answer.output_text, answer)


def errors(client):
    hello = [{"role": "user", "content": "hello"}]
    names = [model.id for model in client.models.list()]
    check("models: the agents", {"helper", "tata", "docs"} <= set(names), names)
    check("models: one of them", client.models.retrieve("helper").id == "helper")
    refused(openai.NotFoundError, "errors: no such model", lambda: client.models.retrieve("nobody"))
    refused(openai.NotFoundError, "errors: no such agent", lambda: client.responses.create(model="nobody", input="x"))
    refused(openai.BadRequestError, "errors: no question", lambda: client.chat.completions.create(model="helper", messages=[]))
    wrong = [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "https://example.com/x.png"}}]}]
    refused(openai.BadRequestError, "errors: an image", lambda: client.chat.completions.create(model="helper", messages=wrong))
    unknown = {"model": "helper", "input": "x", "previous_response_id": "resp_none"}
    refused(openai.BadRequestError, "errors: no such response", lambda: client.responses.create(**unknown))
    many = {"model": "helper", "messages": hello, "n": 2}
    refused(openai.BadRequestError, "errors: two answers", lambda: client.chat.completions.create(**many))


def serve(tata, folder, provider):
    """Our server in an empty world with an agent of its own, before the scripted provider."""
    home, port = folder / "home", free_port()
    home.mkdir()
    (folder / "agents").mkdir()
    helper = {"description": "Helps.", "model": "gpt-4o", "system_prompt": "Help."}
    (folder / "agents" / "helper.yaml").write_text(json.dumps(helper))
    world = CLEAN | {
        "HOME": str(home), "TATA_HOME": str(home), "OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": f"http://127.0.0.1:{provider}/v1",
    }
    command = [tata, "serve", "--listen", f"127.0.0.1:{port}"]
    return f"http://127.0.0.1:{port}", running(command, folder / "tata.log", cwd=folder, env=world)


def strangers(tata, base, folder, node, schemathesis):
    client = openai.OpenAI(base_url=f"{base}/v1", api_key="none", max_retries=0, timeout=60)
    for part in (chat, chat_tools, responses, response_tools, errors):
        part(client)
    script = shutil.copy(HERE / "api.mjs", pathlib.Path(node) / "api.mjs")
    said = subprocess.run(["node", script, f"{base}/v1"], capture_output=True, text=True, timeout=120)
    print(said.stdout, end="")
    check("the SDK for Node ran to its end", said.returncode == 0, said.stderr[-2000:])
    script = shutil.copy(HERE / "directory.mjs", pathlib.Path(node) / "directory.mjs")
    home = folder / "company"
    home.mkdir()
    said = subprocess.run(["node", script, tata, home], capture_output=True, text=True, timeout=120)
    print(said.stdout, end="")
    check("people signed in with the directory", said.returncode == 0, said.stderr[-2000:])
    probed(schemathesis, base, folder, "nothing there")
    used(base, folder)
    # Nothing is deleted: the next request would find nothing.
    probed(schemathesis, base, folder, "a used session", "--exclude-method", "DELETE")


def used(base, folder):
    """A session with a turn and a document, and the word for schemathesis to look at that one."""
    def post(path, body):
        request = urllib.request.Request(base + path, json.dumps(body).encode(), {"content-type": "application/json"})
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    session = post("/api/v1/sessions", {})["session_id"]
    post(f"/api/v1/sessions/{session}/turns", {"message": "Count from one", "wait": True})
    notes = "Must have:\n- A\n- B\n- C\n- D\nTasks:\n- run it"
    made = post(f"/api/v1/sessions/{session}/tools/create_requirement_profile", {"position_title": "Engineer", "startup_notes": notes})
    check("a document to look at", made["is_error"] is False, made)
    (folder / "schemathesis.toml").write_text(
        f'[parameters]\nid = "{session}"\n"path.kind" = "requirement_profile"\n"path.turn" = 1\n"path.tool" = "create_requirement_profile"\n'
    )


def probed(schemathesis, base, folder, where, *more):
    """Holds every route against its description, with whatever a program may send."""
    looked = subprocess.run(
        [schemathesis, "run", f"{base}/openapi.json", "--checks", "all", "--max-examples", "20", "--seed", "1",
         # What fits a schema and is refused all the same (a title of blanks, a number out of range) is told with its reason.
         "--exclude-checks", "positive_data_acceptance", "--phases", "examples,coverage,fuzzing", "--request-timeout", "20",
         "--suppress-health-check", "all", "--no-color", *more],
        capture_output=True, text=True, timeout=900, cwd=folder, env=os.environ | {"NO_COLOR": "1"},
    )
    found = looked.stdout[-20000:] + looked.stderr[-1000:]
    check(f"schemathesis finds nothing: {where}", looked.returncode == 0, found)


def company(tata, folder, schemathesis):
    """The same where people sign in, by the key of an admin."""
    folder.mkdir()
    world = CLEAN | {"HOME": str(folder), "TATA_HOME": str(folder)}
    run = lambda *words, **more: subprocess.run([tata, *words], cwd=folder, env=world, text=True, capture_output=True, check=True, **more)
    run("account", "add", "anna", "--role", "admin", input="correct horse battery\n")
    key = run("account", "key", "anna").stdout.strip()
    port = free_port()
    base = f"http://127.0.0.1:{port}"
    with running([tata, "serve", "--accounts", "--listen", f"127.0.0.1:{port}"], folder / "tata.log", cwd=folder, env=world) as server:
        await_answer(f"{base}/healthz", server, folder / "tata.log")
        probed(schemathesis, base, folder, "with accounts", "--header", f"Authorization: Bearer {key}")
        check("the server with accounts lives after all this", server.poll() is None)


def main():
    tata, node, schemathesis = sys.argv[1:4]
    tata = str(pathlib.Path(tata).resolve())
    upstream = [sys.executable, str(HERE / "upstream.py")]
    with tempfile.TemporaryDirectory() as folder, subprocess.Popen(upstream, stdout=subprocess.PIPE, text=True) as provider:
        try:
            folder = pathlib.Path(folder)
            base, started = serve(tata, folder, int(provider.stdout.readline()))
            with started as server:
                await_answer(f"{base}/healthz", server, folder / "tata.log")
                strangers(tata, base, folder, node, schemathesis)
                check("the server lives after all this", server.poll() is None)
            company(tata, folder / "accounts", schemathesis)
        finally:
            provider.kill()
    print(f"{passed} as they must be, {failed} not")
    sys.exit(1 if failed else 0)


main()
