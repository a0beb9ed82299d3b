import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

interface Tool {
	name: string;
	description: string;
	parameters: { properties: object };
}

/** What an agent sends to a model: all that was said until now, and the tools it may call. */
interface Turn {
	messages: Array<{ role: string; content: unknown }>;
	tools: Array<{ function: Tool }>;
}

/** What a model was told about its tool before it called it, and what the tool answered. */
export interface Call {
	tool?: Tool;
	answer?: string;
}

/** A model without a mind: it calls the one tool that it is offered with what is given, and is then content. */
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
		/** Has the model give this to the tool; the answer fills up while the agent runs. */
		give: (given: object): Call => {
			script = given;
			return (call = {});
		},
		close: () => server.close(),
	};
}
