import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

interface Tool {
	name: string;
	description: string;
	parameters: { properties: object };
}

/** A request of an agent to a model: all messages so far, and the tools that it may call. */
interface Turn {
	messages: Array<{ role: string; content: unknown }>;
	tools: Array<{ function: Tool }>;
}

/** The description of a tool that the model received before the call, and the tool's answer. */
interface Call {
	tool?: Tool;
	answer?: string;
}

/** A scripted model: it calls the one tool that it is offered with the given input, and then ends. */
export async function scriptedModel() {
	let script: object = {};
	let call: Call = {};

	function reply({ messages, tools }: Turn): object {
		const last = messages.at(-1);
		if (last?.role === 'tool') {
			call.answer = String(last.content);
			return { role: 'assistant', content: 'Done' };
		}
		call.tool = tools[0]?.function;
		const wanted = { name: call.tool?.name, arguments: JSON.stringify(script) };
		const calls = [{ id: 'call_1', type: 'function', function: wanted }];
		return { role: 'assistant', content: null, tool_calls: calls };
	}

	const server = createServer(async (request: IncomingMessage, response) => {
		const message = reply((await json(request)) as Turn);
		const choice = {
			index: 0,
			message,
			finish_reason: 'tool_calls' in message ? 'tool_calls' : 'stop',
		};
		const completion = { id: 'scripted', object: 'chat.completion', created: 0, model: 'scripted' };
		response.writeHead(200, { 'content-type': 'application/json' });
		response.end(JSON.stringify({ ...completion, choices: [choice] }));
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');

	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
		/** Makes the model give this to the tool; the returned object is filled while the agent runs. */
		give: (given: object): Call => {
			script = given;
			return (call = {});
		},
		close: () => server.close(),
	};
}
