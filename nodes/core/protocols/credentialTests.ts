import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	ICredentialType,
	IHttpRequestOptions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import { ChainNodeBasicAuthApi } from '../../../credentials/ChainNodeBasicAuthApi.credentials';
import { ChainNodeTokenApi } from '../../../credentials/ChainNodeTokenApi.credentials';
import { ChainPlatformApi } from '../../../credentials/ChainPlatformApi.credentials';
import type { HttpRequest } from '../http/types';
import { isRecord, tryParseJson } from '../values/parseJson';
import { secretsOf } from '../http/secrets';
import { requestLine, networkFailure } from '../http/networkErrors';
import { serviceMessage, wordsIn } from '../answers/serviceMessage';

type Test = (
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
) => Promise<INodeCredentialTestResult>;

interface Probe {
	readonly request: HttpRequest;
	/** Whether this is how the API answers, be it with an error of its own. */
	isAnswer(body: unknown, status: number): boolean;
	/** Whether it refuses the secret, with a status that does not say so. */
	isRefusal?(body: unknown): boolean;
}

const TIMEOUT = 10_000;

function post(path: string, body: object): HttpRequest {
	return { method: 'POST', path, body, timeout: TIMEOUT };
}

function jsonRpc(path: string): Probe {
	const body = { jsonrpc: '2.0', method: 'eth_maxPriorityFeePerGas', params: [], id: 1 };
	return {
		request: post(path, body),
		isAnswer: (answer) =>
			isRecord(answer) &&
			answer.jsonrpc === '2.0' &&
			answer.id === body.id &&
			('result' in answer || 'error' in answer),
		isRefusal: (answer) => isRecord(answer) && isUnauthorized(answer.error),
	};
}

/** There is no code for it, so the words have to tell. An error about the method or its limits is another matter. */
function isUnauthorized(error: unknown): boolean {
	const words = wordsIn({ error }) ?? '';
	return /unauthori[sz]ed|unauthenticated|authenticat|forbidden|access denied|(invalid|unknown|wrong|missing|expired) .{0,20}(token|key|credential|secret)/i.test(
		words,
	);
}

const PLATFORM: Probe = {
	request: { method: 'GET', path: '/v1/organization/', timeout: TIMEOUT },
	isAnswer: (body, status) => status === 200 && isRecord(body) && 'id' in body,
};

const WALLET: Probe = {
	request: post('/wallet/listwitnesses?visible=true', { visible: true }),
	isAnswer: (body) => isRecord(body) && Array.isArray(body.witnesses),
};

/** An account that exists nowhere: a fee, or a complaint about it, is an answer alike. */
const TON: Probe = {
	request: post('/api/v3/estimateFee', {
		address: `0:${'0'.repeat(64)}`,
		body: 'te6cckEBAQEAAgAAAEysuc0=',
	}),
	isAnswer: (body, status) =>
		isRecord(body) && ('source_fees' in body || (status === 422 && 'error' in body)),
};

/** A node credential can belong to any chain family, so each kind of API is tried in turn. */
const NODE = [jsonRpc(''), jsonRpc('/evm'), WALLET, TON];

export const testPlatformApi = testWith(new ChainPlatformApi(), [PLATFORM], 'API key');

/** What the nodes of a chain name in `testedBy`. */
export const nodeCredentialTests = {
	nodeToken: testWith(new ChainNodeTokenApi(), NODE, 'token'),
	nodeBasicAuth: testWith(new ChainNodeBasicAuthApi(), NODE, 'username or the password'),
};

/**
 * Tests a credential from its form. A declarative test cannot see an error inside an answer with status 200,
 * nor try several kinds of API. Such a function has only n8n's older request helper.
 */
function testWith(type: ICredentialType, probes: readonly Probe[], secretName: string): Test {
	return async function (this, { data = {} }) {
		const replies: string[] = [];
		for (const { request, isAnswer, isRefusal } of probes) {
			try {
				const { status, text } = await send(this, type, data, request);
				const body = tryParseJson(text);
				if (status === 401 || status === 403 || isRefusal?.(body)) {
					return failed(refusal(secretName, text));
				}
				if (isAnswer(body, status)) {
					return { status: 'OK', message: 'Connection successful' };
				}
				replies.push(`${requestLine(request)} answered ${status}`);
			} catch (error) {
				const { redact } = secretsOf(type.properties, data);
				return failed(redact(networkFailure(error, request).message));
			}
		}
		return failed(`No known API answered at this address (${replies.join(', ')})`);
	};
}

async function send(
	context: ICredentialTestFunctions,
	type: ICredentialType,
	data: ICredentialDataDecryptedObject,
	{ method, path, body, timeout }: HttpRequest,
): Promise<{ status: number; text: string }> {
	const options: IHttpRequestOptions = { method, url: path, headers: {}, timeout };
	const { authenticate } = type;
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
	const text = secretsOf(type.properties, data).redact(String(answer.body ?? ''));
	return { status: answer.statusCode, text };
}

function refusal(secretName: string, answer: string): string {
	const words = serviceMessage(answer);
	return `The service refused the ${secretName}${words ? `: ${words}` : ''}`;
}

function failed(message: string): INodeCredentialTestResult {
	return { status: 'Error', message };
}
