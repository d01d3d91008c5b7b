// The official SDK for Node against our server. A line for each thing that was tried.
import OpenAI from "openai";

const client = new OpenAI({ baseURL: process.argv[2], apiKey: "none", maxRetries: 0, timeout: 60_000 });
let failed = 0;
const check = (name, holds, about) => {
    if (!holds) failed += 1;
    console.log(holds ? `  ok      node ${name}` : `  FAILED  node ${name}\n          ${JSON.stringify(about)}`);
};
const parameters = { type: "object", properties: { city: { type: "string" } }, required: ["city"], additionalProperties: false };
const counting = [{ role: "user", content: "Count from one" }];
const counted = "one two three four five";

const whole = await client.chat.completions.create({ model: "helper", messages: counting });
check("chat: an answer", whole.choices[0].message.content === counted, whole);
let text = "";
for await (const piece of await client.chat.completions.create({ model: "helper", messages: counting, stream: true })) {
    text += piece.choices[0]?.delta?.content ?? "";
}
check("chat: a streamed answer", text === counted, text);

const asking = [{ role: "user", content: "How is the weather in Oslo?" }];
const tool = { type: "function", function: { name: "get_weather", description: "The weather.", parameters } };
const run = client.chat.completions.stream({ model: "helper", messages: asking, tools: [tool] });
const called = (await run.finalChatCompletion()).choices[0].message;
check("chat: a call of the client's tool", called.tool_calls?.[0]?.function?.name === "get_weather", called);
const result = { role: "tool", tool_call_id: called.tool_calls?.[0]?.id, content: "7 degrees" };
const told = await client.chat.completions.create({ model: "helper", messages: [...asking, called, result], tools: [tool] });
check("chat: its result reaches the model", told.choices[0].message.content.includes("7 degrees"), told);

const first = await client.responses.create({ model: "helper", input: "Count from one" });
check("responses: an answer", first.output_text === counted, first);
const more = await client.responses.create({ model: "helper", input: "Are you ready?", previous_response_id: first.id });
check("responses: a second question", more.output_text === "ready", more);
const kinds = [];
for await (const event of await client.responses.create({ model: "helper", input: "Count from one", stream: true })) {
    kinds.push(event.type);
}
check("responses: a stream to its end", kinds.at(-1) === "response.completed", kinds);
const flat = { type: "function", name: "get_weather", description: "The weather.", parameters, strict: true };
const call = await client.responses.create({ model: "helper", input: "How is the weather in Oslo?", tools: [flat] });
const wanted = call.output.find((item) => item.type === "function_call");
check("responses: a call of the client's tool", wanted?.name === "get_weather", call);
const output = [{ type: "function_call_output", call_id: wanted?.call_id, output: "7 degrees" }];
const end = await client.responses.create({ model: "helper", previous_response_id: call.id, input: output, tools: [flat] });
check("responses: its result reaches the model", end.output_text.includes("7 degrees"), end);

for (const [name, wrong, kind] of [
    ["no such agent", () => client.responses.create({ model: "nobody", input: "x" }), OpenAI.NotFoundError],
    ["no question", () => client.chat.completions.create({ model: "helper", messages: [] }), OpenAI.BadRequestError],
]) {
    try {
        await wrong();
        check(`errors: ${name}`, false, "nothing was refused");
    } catch (error) {
        check(`errors: ${name}`, error instanceof kind, String(error));
    }
}
process.exit(failed ? 1 : 0);
