import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	ICredentialType,
	IHttpRequestOptions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { ChainNodeBasicAuthApi } from '../../credentials/ChainNodeBasicAuthApi.credentials';
import { ChainNodeTokenApi } from '../../credentials/ChainNodeTokenApi.credentials';
import { ChainPlatformApi } from '../../credentials/ChainPlatformApi.credentials';
import { inOneLine, InvalidInput } from '../../credentials/invalidInput';
import type { HttpRequest } from './http/types';
import { networkFailure, requestLine } from './http/networkErrors';
import { secretsOf } from './http/secrets';
import { serviceMessage, shortened, wordsIn } from './responses/response';
import { tryParseJson } from './values/json';
import { isRecord } from './values/read';

/** A further question; undefined where the answer is no JSON. */
type AskMore = (request: HttpRequest) => Promise<unknown>;

/** A request to one kind of API, and how to tell its response. */
interface Probe {
	readonly request: HttpRequest;
	/** Whether this API answered, be it with an error. */
	isAnswer(body: unknown, status: number): boolean;
	/** Whether the secret is wrong, where the status does not say so. */
	isUnauthorized?(body: unknown): boolean;
	/** For people, as in "Connected: chain 1, block 2". */
	describe(body: unknown, ask: AskMore): string | Promise<string>;
}

const TIMEOUT = 10_000;

function get(path: string): HttpRequest {
	return { method: 'GET', path, timeout: TIMEOUT };
}

function post(path: string, body: object): HttpRequest {
	return { method: 'POST', path, body, timeout: TIMEOUT };
}

const ID = 1;

function jsonRpc(path: string): Probe {
	const call = (method: string) => post(path, { jsonrpc: '2.0', method, params: [], id: ID });
	return {
		request: call('eth_chainId'),
		isAnswer: (answer) =>
			isRecord(answer) &&
			answer.jsonrpc === '2.0' &&
			answer.id === ID &&
			('result' in answer || 'error' in answer),
		isUnauthorized: (answer) => isRecord(answer) && saysUnauthorized(answer.error),
		describe: async (answer, ask) => {
			const id = numberIn(answer);
			if (id === undefined) return 'a JSON-RPC node that did not name its chain';
			const head = await headOf(call('eth_blockNumber'), ask);
			return `chain ${id}${head}`;
		},
	};
}

async function headOf(request: HttpRequest, ask: AskMore): Promise<string> {
	const head = numberIn(await ask(request));
	return head === undefined ? '' : `, block ${head.toLocaleString('en-US')}`;
}

function numberIn(answer: unknown): bigint | undefined {
	const result = isRecord(answer) ? answer.result : undefined;
	return typeof result === 'string' && /^0x[0-9a-f]{1,16}$/i.test(result)
		? BigInt(result)
		: undefined;
}

/** JSON-RPC has no code for it. */
function saysUnauthorized(error: unknown): boolean {
	const words = wordsIn({ error }) ?? '';
	return /unauthori[sz]ed|unauthenticated|authenticat|forbidden|access denied|(invalid|unknown|wrong|missing|expired) .{0,20}(token|key|credential|secret)/i.test(
		words,
	);
}

const PLATFORM: Probe = {
	request: get('/v1/organization/'),
	isAnswer: (body, status) => status === 200 && isRecord(body) && 'id' in body,
	describe: (body) => {
		const { name, id } = isRecord(body) ? body : {};
		return `organization ${shortened(String(name ?? id))}`;
	},
};

const WALLET: Probe = {
	request: post('/wallet/listwitnesses?visible=true', { visible: true }),
	isAnswer: (body) => isRecord(body) && Array.isArray(body.witnesses),
	describe: () => 'a witness chain',
};

/** For an account that does not exist; a complaint about it proves the API, too. */
const TON: Probe = {
	request: post('/api/v3/estimateFee', {
		address: `0:${'0'.repeat(64)}`,
		body: 'te6cckEBAQEAAgAAAEysuc0=',
	}),
	isAnswer: (body, status) =>
		isRecord(body) && ('source_fees' in body || (status === 422 && 'error' in body)),
	describe: () => 'a TON chain',
};

type Test = (
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
) => Promise<INodeCredentialTestResult>;

/** A node credential can belong to any chain family, so each kind of API is tried in turn. */
const NODE = [jsonRpc(''), jsonRpc('/evm'), WALLET, TON];

export const testPlatformApi = testWith(new ChainPlatformApi(), [PLATFORM], 'API key');

/** Named in `testedBy`. */
export const nodeCredentialTests = {
	nodeToken: testWith(new ChainNodeTokenApi(), NODE, 'token'),
	nodeBasicAuth: testWith(new ChainNodeBasicAuthApi(), NODE, 'username or the password'),
};

/**
 * Declarative tests cannot see a JSON-RPC error with status 200, or try several APIs. n8n gives such functions only its
 * older request helper.
 */
function testWith(type: ICredentialType, probes: readonly Probe[], secretName: string): Test {
	return async function (this, { data = {} }) {
		const { redact } = secretsOf(type.properties, data);
		const ask = async (request: HttpRequest) => {
			const { status, text } = await sendTest(this, type.authenticate, data, request);
			return { status, text: redact(text) };
		};
		const replies: string[] = [];
		for (const { request, isAnswer, isUnauthorized, describe } of probes) {
			try {
				const { status, text } = await ask(request);
				const body = tryParseJson(text);
				if (status === 401 || status === 403 || isUnauthorized?.(body)) {
					return failed(unauthorized(secretName, text));
				}
				if (isAnswer(body, status)) {
					const further: AskMore = async (more) =>
						tryParseJson((await ask(more).catch(nothing)).text);
					return { status: 'OK', message: `Connected: ${await describe(body, further)}` };
				}
				replies.push(`${requestLine(request)} answered ${status}`);
			} catch (error) {
				return failed(redact(reason(error, request)));
			}
		}
		return failed(`No known API answered at this address (${replies.join(', ')})`);
	};
}

/** A further question must not fail the test. */
const nothing = () => ({ text: '' });

/** One request of a credential's test. */
export async function sendTest(
	context: ICredentialTestFunctions,
	authenticate: ICredentialType['authenticate'],
	data: ICredentialDataDecryptedObject,
	{ method, path, body, timeout }: HttpRequest,
): Promise<{ status: number; text: string }> {
	const options: IHttpRequestOptions = { method, url: path, headers: {}, timeout };
	const { url, headers } =
		typeof authenticate === 'function' ? await authenticate(data, options) : options;
	const answer = (await context.helpers.request({
		method,
		url,
		headers: body ? { ...headers, 'Content-Type': 'application/json' } : headers,
		body: body && JSON.stringify(body),
		timeout,
		followRedirect: false,
		simple: false,
		resolveWithFullResponse: true,
	})) as { statusCode: number; body?: unknown };
	return { status: answer.statusCode, text: String(answer.body ?? '') };
}

/** The form shows the message alone, and has none of the options that advice may name. */
function reason(error: unknown, request: HttpRequest): string {
	const failure = networkFailure(error, request);
	return failure instanceof InvalidInput ? inOneLine(failure) : failure.message;
}

function unauthorized(secretName: string, answer: string): string {
	const words = serviceMessage(answer);
	return `The service refused the ${secretName}${words ? `: ${words}` : ''}`;
}

function failed(message: string): INodeCredentialTestResult {
	return { status: 'Error', message };
}
