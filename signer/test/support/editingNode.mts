import { request } from 'undici';
import type { Sandbox } from '../../../test/harness/sandbox.mts';
import { createTestServer, sendJson } from '../../../test/harness/server.mts';

type Json = Record<string, unknown>;

/** Returns a changed answer of the chain. `name` is the method or the path of the request. For a path, the result may be a promise. */
export type Edit = (name: string, answer: Json) => unknown;

/** A node that answers as the sandbox does, but for what a test changes in its answers. */
export function createEditingNode(sandbox: Sandbox) {
	let edit: Edit | undefined;
	const change = (name: string, answer: unknown) =>
		edit && typeof answer === 'object' && answer !== null ? edit(name, answer as Json) : answer;
	const server = createTestServer(async ({ path, text, json, request: { method } }, response) => {
		const { statusCode, body } = await request(`${sandbox.nodeUrl}/${sandbox.authToken}${path}`, {
			method: method === 'POST' ? method : 'GET',
			headers: { 'content-type': 'application/json' },
			...(method === 'POST' && { body: text }),
		});
		const answer: unknown = await body.json();
		const methods = new Map(
			[json].flat().map((call) => [(call as Json)?.id, (call as Json)?.method]),
		);
		const changeReply = (reply: Json) => ({
			...reply,
			...(reply.result !== undefined && {
				result: change(String(methods.get(reply.id)), reply.result),
			}),
		});
		const isRpc = [json].flat().some((call) => (call as Json)?.jsonrpc !== undefined);
		if (!isRpc) sendJson(response, statusCode, await change(path, answer));
		else if (Array.isArray(answer))
			sendJson(response, statusCode, (answer as Json[]).map(changeReply));
		else sendJson(response, statusCode, changeReply(answer as Json));
	});
	beforeEach(() => (edit = undefined));
	return {
		editBy: (wanted: Edit) => (edit = wanted),
		/** The sandbox with credentials of the node that changes answers. */
		get seen(): Sandbox {
			const credentials = { ...sandbox.credentials, token: server.credentials.token };
			return { ...sandbox, credentials } as Sandbox;
		},
	};
}
