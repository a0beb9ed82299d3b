import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

export interface ReceivedRequest {
	/** The path of the request, without the token that the URL of a chain node contains. */
	readonly path: string;
	readonly text: string;
	/** The body as JSON. It is undefined if the body is no JSON. */
	readonly json: unknown;
	readonly request: IncomingMessage;
}

type Serve = (received: ReceivedRequest, response: ServerResponse) => void | Promise<void>;

interface ServerSettings {
	/**
	 * Whether the server leaves the body unread. The function `serve` then gets the request before its body has
	 * arrived.
	 */
	readonly leavesBodies?: boolean;
}

/** An HTTP server whose answers come from a function. It can give answers that no honest service gives. */
export class TestServer {
	/** All requests, in order of arrival. */
	readonly received: ReceivedRequest[] = [];
	private openCount = 0;
	readonly http = createServer((request, response) => {
		this.openCount++;
		response.once('close', () => this.openCount--);
		void this.read(request).then(async (one) => {
			this.received.push(one);
			await this.serve(one, response);
		}, ignoreFailure);
	});

	constructor(
		private readonly serve: Serve,
		private readonly settings: ServerSettings = {},
	) {}

	get port(): number {
		return (this.http.address() as AddressInfo).port;
	}

	get url(): string {
		return `http://127.0.0.1:${this.port}`;
	}

	get credentials() {
		return buildCredentials(this.url);
	}

	/** Returns the number of requests whose connections are still open. */
	open(): number {
		return this.openCount;
	}

	async start(): Promise<this> {
		await once(this.http.listen(0, '127.0.0.1'), 'listening');
		return this;
	}

	async stop(): Promise<void> {
		this.http.closeAllConnections();
		await once(this.http.close(), 'close');
	}

	private async read(request: IncomingMessage): Promise<ReceivedRequest> {
		const body = this.settings.leavesBodies ? '' : await text(request);
		const path = (request.url ?? '').replace(`/${SECRET}`, '');
		return { path, text: body, json: tryParse(body), request };
	}
}

export async function startServer(serve: Serve): Promise<TestServer> {
	return await new TestServer(serve).start();
}

/**
 * Creates a server for a test file or a group of tests. Before each test, it forgets the requests that it has received.
 */
export function createTestServer(serve: Serve, settings?: ServerSettings): TestServer {
	const server = new TestServer(serve, settings);
	beforeAll(async () => void (await server.start()));
	afterAll(async () => await server.stop());
	beforeEach(() => server.received.splice(0));
	return server;
}

/** A text that is part of all credentials of a test, so that tests can search for leaks. */
export const SECRET = 'secret-of-a-test';

type Credentials = Readonly<Record<string, ICredentialDataDecryptedObject>>;

/** Builds credentials of each kind for the given address. */
export function buildCredentials(url: string): Record<'platform' | 'token', Credentials> {
	return {
		platform: { chainPlatformApi: { baseUrl: url, apiKey: SECRET } },
		token: { chainNodeTokenApi: { nodeUrl: url, authToken: SECRET } },
	};
}

function tryParse(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

/** A client that disconnects in the middle of an answer makes the sending fail. The failure is ignored. */
function ignoreFailure(): void {}

export interface RpcCall {
	readonly method: string;
	readonly params: readonly unknown[];
	readonly id: number;
}

/** Returns the JSON-RPC calls of a request. */
export function getCalls({ json }: ReceivedRequest): readonly RpcCall[] {
	return (Array.isArray(json) ? json : [json]) as RpcCall[];
}

/** Answers each call of a request as a node does, alone or in a batch. */
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
