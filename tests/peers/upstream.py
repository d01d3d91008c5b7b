"""A model provider that says what its script says: OpenAI Chat Completions and Responses, Anthropic Messages.

It stands behind a gateway, on loopback. What it answers depends on the last thing the person said; after tool results it
says whether each result came back under the id of its call. `GET /seen` tells how many questions of each kind arrived.
"""

import collections
import http.server
import json
import sys

PARTS = ["Hello", ", ", "world: ", "åäö €"]
TOKENS = (20, 7)
QUOTA = {"message": "You exceeded your current quota", "type": "insufficient_quota", "code": "insufficient_quota"}

seen = collections.Counter()


def joined(content):
    """Text of a message, whichever way it is written."""
    if isinstance(content, str):
        return content
    return "".join(part.get("text", "") if isinstance(part, dict) else part for part in content or [])


def understand(wire, body):
    """The last words of the person, the tool results since then, and the tools on offer."""
    asked, results = "", {}
    for item in {"chat": body.get("messages"), "messages": body.get("messages"), "responses": body.get("input")}[wire]:
        content = item.get("content")
        if wire == "chat" and item["role"] == "tool":
            results[item["tool_call_id"]] = joined(content)
        elif wire == "responses" and item.get("type") == "function_call_output":
            results[item["call_id"]] = joined(item["output"])
        elif item.get("role") == "user":
            blocks = content if isinstance(content, list) else [{"type": "text", "text": content}]
            tools = [block for block in blocks if block.get("type") == "tool_result"]
            results.update({block["tool_use_id"]: joined(block["content"]) for block in tools})
            said = joined([block for block in blocks if block not in tools])
            if said:
                asked, results = said, ({} if not tools else results)
    names = [tool.get("name") or tool.get("function", {}).get("name") for tool in body.get("tools") or []]
    return asked, results, names


def plan(asked, results, names):
    """What the model says: pieces of text, and calls (id, name, arguments)."""
    if results:
        right = "project_settings" in results.get("call_1", "") and "requirement_profile" in results.get("call_2", "")
        return ["Every result is in its place."] if right else ["Mixed up: ", json.dumps(results)], []
    if "ready" in asked:
        return ["ready"], []
    if "Count from one" in asked:
        return ["one ", "two ", "three ", "four ", "five"], []
    if "Bergen" in asked:
        cities = ["Oslo", "Bergen"]
        return [], [(f"call_{at}", "get_weather", json.dumps({"city": city})) for at, city in enumerate(cities, 1)]
    if "Oslo" in asked:
        return [], [("call_1", "get_weather", '{"city": "Oslo"}')]
    if "two calls" in asked and "set_project" in names:
        return [], [("call_1", "set_project", '{"language": "sv"}'), ("call_2", "create_job_ad", "{}")]
    if "nothing" in asked:
        return [], []
    return PARTS, []


def chat(model, text, calls, cut, counts=True):
    base = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1, "model": model}
    deltas = [{"role": "assistant", "content": ""}] + [{"content": part} for part in text]
    for at, (ident, name, arguments) in enumerate(calls):
        function = {"name": name, "arguments": ""}
        deltas.append({"tool_calls": [{"index": at, "id": ident, "type": "function", "function": function}]})
        for piece in (arguments[:3], arguments[3:]):
            deltas.append({"tool_calls": [{"index": at, "function": {"arguments": piece}}]})
    for delta in deltas:
        yield None, base | {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]}
    reason = "length" if cut else "tool_calls" if calls else "stop"
    yield None, base | {"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]}
    usage = {"prompt_tokens": TOKENS[0], "completion_tokens": TOKENS[1], "total_tokens": sum(TOKENS)}
    if counts:
        yield None, base | {"choices": [], "usage": usage}
    yield None, "[DONE]"


def chat_whole(model, text, calls, cut):
    message = {"role": "assistant", "content": "".join(text) or None}
    if calls:
        message["tool_calls"] = [
            {"id": ident, "type": "function", "function": {"name": name, "arguments": arguments}}
            for ident, name, arguments in calls
        ]
    usage = {"prompt_tokens": TOKENS[0], "completion_tokens": TOKENS[1], "total_tokens": sum(TOKENS)}
    reason = "length" if cut else "tool_calls" if calls else "stop"
    return {
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": model, "usage": usage,
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
    }


def responses_whole(model, text, calls, cut):
    output = []
    if text:
        part = {"type": "output_text", "text": "".join(text), "annotations": []}
        output.append({"id": "msg_1", "type": "message", "role": "assistant", "status": "completed", "content": [part]})
    for ident, name, arguments in calls:
        output.append({
            "id": f"fc_{ident}", "type": "function_call", "status": "completed", "call_id": ident, "name": name,
            "arguments": arguments,
        })
    usage = {
        "input_tokens": TOKENS[0], "output_tokens": TOKENS[1], "total_tokens": sum(TOKENS),
        "input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0},
    }
    return {
        "id": "resp_1", "object": "response", "created_at": 1, "model": model, "output": output, "usage": usage,
        "status": "incomplete" if cut else "completed", "error": None, "parallel_tool_calls": True, "tools": [],
        "incomplete_details": {"reason": "max_output_tokens"} if cut else None, "tool_choice": "auto",
        "instructions": None, "metadata": {}, "temperature": 1.0, "top_p": 1.0,
    }


def responses(model, text, calls, cut):
    whole = responses_whole(model, text, calls, cut)
    begun = whole | {"output": [], "usage": None, "status": "in_progress", "incomplete_details": None}
    events = [("response.created", {"response": begun})]
    for at, item in enumerate(whole["output"]):
        place = {"output_index": at, "item_id": item["id"]}
        if item["type"] == "message":
            events.append(("response.output_item.added", {"output_index": at, "item": item | {"content": []}}))
            part = item["content"][0]
            events.append(("response.content_part.added", place | {"content_index": 0, "part": part | {"text": ""}}))
            for piece in text:
                events.append(("response.output_text.delta", place | {"content_index": 0, "delta": piece}))
            events.append(("response.output_text.done", place | {"content_index": 0, "text": part["text"]}))
            events.append(("response.content_part.done", place | {"content_index": 0, "part": part}))
        else:
            events.append(("response.output_item.added", {"output_index": at, "item": item | {"arguments": ""}}))
            events.append(("response.function_call_arguments.delta", place | {"delta": item["arguments"]}))
            events.append(("response.function_call_arguments.done", place | {"arguments": item["arguments"]}))
        events.append(("response.output_item.done", {"output_index": at, "item": item}))
    events.append(("response.incomplete" if cut else "response.completed", {"response": whole}))
    for number, (kind, data) in enumerate(events):
        yield kind, {"type": kind, "sequence_number": number} | data


def messages_whole(model, text, calls, cut):
    content = [{"type": "text", "text": "".join(text)}] if text else []
    for ident, name, arguments in calls:
        content.append({"type": "tool_use", "id": ident, "name": name, "input": json.loads(arguments)})
    return {
        "id": "msg_1", "type": "message", "role": "assistant", "model": model, "content": content,
        "stop_reason": "max_tokens" if cut else "tool_use" if calls else "end_turn", "stop_sequence": None,
        "usage": {"input_tokens": TOKENS[0], "output_tokens": TOKENS[1]},
    }


def messages(model, text, calls, cut):
    whole = messages_whole(model, text, calls, cut)
    start = whole | {"content": [], "stop_reason": None, "usage": {"input_tokens": TOKENS[0], "output_tokens": 1}}
    yield "message_start", {"type": "message_start", "message": start}
    for at, block in enumerate(whole["content"]):
        if block["type"] == "text":
            empty, pieces = block | {"text": ""}, [{"type": "text_delta", "text": piece} for piece in text]
        else:
            written = json.dumps(block["input"])
            pieces = [{"type": "input_json_delta", "partial_json": piece} for piece in (written[:3], written[3:])]
            empty = block | {"input": {}}
        yield "content_block_start", {"type": "content_block_start", "index": at, "content_block": empty}
        for piece in pieces:
            yield "content_block_delta", {"type": "content_block_delta", "index": at, "delta": piece}
        yield "content_block_stop", {"type": "content_block_stop", "index": at}
    delta = {"stop_reason": whole["stop_reason"], "stop_sequence": None}
    yield "message_delta", {"type": "message_delta", "delta": delta, "usage": {"output_tokens": TOKENS[1]}}
    yield "message_stop", {"type": "message_stop"}


WIRES = {"chat": (chat, chat_whole), "responses": (responses, responses_whole), "messages": (messages, messages_whole)}
PATHS = {"/chat/completions": "chat", "/responses": "responses", "/messages": "messages"}


class Provider(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.answer(200, dict(seen))

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        path = self.path.split("?")[0]
        wire = next((wire for end, wire in PATHS.items() if path.endswith(end)), None)
        if wire is None or (wire == "responses" and path.startswith("/chat-only/")):
            return self.answer(404, {"detail": "Not Found"})
        if wire == "responses" and isinstance(body["input"], str):
            body["input"] = [{"role": "user", "content": body["input"]}]
        asked, results, names = understand(wire, body)
        seen[asked.split()[0] if asked else ""] += 1
        if "quota" in asked:
            error = {"type": "error", "error": QUOTA} if wire == "messages" else {"error": QUOTA}
            return self.answer(429, error)
        if "trouble" in asked:
            return self.answer(500, {"type": "error", "error": {"type": "api_error", "message": "The server stumbled"}})
        text, calls = plan(asked, results, names)
        streamed, whole = WIRES[wire]
        cut = "cut off" in asked
        if not body.get("stream"):
            return self.answer(200, whole(body["model"], text, calls, cut))
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        more = {"counts": False} if wire == "chat" and "uncounted" in asked else {}
        for kind, data in streamed(body["model"], text, calls, cut, **more):
            line = data if isinstance(data, str) else json.dumps(data)
            self.chunk((f"event: {kind}\n" if kind else "") + f"data: {line}\n\n")
        self.chunk("")

    def chunk(self, text):
        raw = text.encode()
        self.wfile.write(f"{len(raw):x}\r\n".encode() + raw + b"\r\n")

    def answer(self, status, value):
        raw = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)


def main():
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Provider)
    print(server.server_address[1], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    sys.exit(main())
