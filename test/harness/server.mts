import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

export interface ReceivedRequest {
	/** The path after the token, or the whole path of the platform. */
	readonly path: string;
	readonly text: string;
	/** The body as JSON, undefined where it is none. */
	readonly json: unknown;
	readonly request: IncomingMessage;
}

type Serve = (received: ReceivedRequest, response: ServerResponse) => void | Promise<void>;

export interface TestServer {
	/** Every request, in order of arrival. */
	readonly received: ReceivedRequest[];
	readonly url: string;
	readonly credentials: ReturnType<typeof buildCredentials>;
	/** The requests whose connections are still open. */
	readonly open: () => number;
	readonly stop: () => Promise<void>;
}

/** A server that is a function: for what no honest service does. */
export async function startServer(handle: Serve): Promise<TestServer> {
	const received: ReceivedRequest[] = [];
	let open = 0;
	const server = createServer((request, response) => {
		open++;
		response.once('close', () => open--);
		void readRequest(request).then(async (one) => {
			received.push(one);
			await handle(one, response);
		}, ignoreFailure);
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		received,
		url,
		credentials: buildCredentials(url),
		open: () => open,
		stop: async () => {
			server.closeAllConnections();
			await once(server.close(), 'close');
		},
	};
}

/** All credentials of a test contain this secret somewhere. */
export const SECRET = 'secret-of-a-test';

type Credentials = Readonly<Record<string, ICredentialDataDecryptedObject>>;

/** Credentials of each kind for one address. */
export function buildCredentials(url: string): Readonly<Record<string, Credentials>> {
	return {
		platform: { chainPlatformApi: { baseUrl: url, apiKey: SECRET } },
		token: { chainNodeTokenApi: { nodeUrl: url, authToken: SECRET } },
	};
}

async function readRequest(request: IncomingMessage): Promise<ReceivedRequest> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	const text = Buffer.concat(chunks).toString();
	return {
		path: (request.url ?? '').replace(`/${SECRET}`, ''),
		text,
		json: tryParse(text),
		request,
	};
}

function tryParse(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

/** A client that hangs up in the middle gets no error. */
function ignoreFailure(): void {}

export interface RpcCall {
	readonly method: string;
	readonly params: readonly unknown[];
	readonly id: number;
}

/** The JSON-RPC calls of a request. */
export function getCalls({ json }: ReceivedRequest): readonly RpcCall[] {
	return (Array.isArray(json) ? json : [json]) as RpcCall[];
}

/** Answers each call of a request, as a node does. */
export function answerCalls(
	received: ReceivedRequest,
	response: ServerResponse,
	result: (call: RpcCall) => object,
): void {
	const replies = getCalls(received).map((call) => ({
		jsonrpc: '2.0',
		id: call.id,
		...result(call),
	}));
	sendJson(response, 200, Array.isArray(received.json) ? replies : replies[0]);
}

export function sendJson(
	response: ServerResponse,
	status: number,
	body: unknown,
	headers: Record<string, string> = {},
): void {
	response.writeHead(status, { 'content-type': 'application/json', ...headers });
	response.end(JSON.stringify(body));
}
