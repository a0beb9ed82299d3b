import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

interface Tool {
	name: string;
	description: string;
	parameters: { properties: object };
}

/** A request of an agent to a model, with all messages so far and the tools that the model may call. */
interface Turn {
	messages: Array<{ role: string; content: unknown }>;
	tools: Array<{ function: Tool }>;
}

/** A call of a tool: the description that the model received before, and the answer of the tool. */
interface Call {
	tool?: Tool;
	answer?: string;
}

/**
 * Starts a scripted model. It calls the only tool that it is offered with the given input, and then ends the
 * conversation.
 */
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
		/** Sets the input that the model gives to the tool. The returned object is filled while the agent runs. */
		give: (given: object): Call => {
			script = given;
			return (call = {});
		},
		close: () => server.close(),
	};
}
