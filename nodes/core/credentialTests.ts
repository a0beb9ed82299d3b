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
import { formatInOneLine, InvalidInput } from './errors/invalidInput';
import { parseCredential } from './net/http/credential';
import type { HttpRequest } from './net/http/types';
import { networkError, formatRequestLine } from './net/http/networkErrors';
import { createRedactor } from './net/http/secrets';
import { findServiceMessage, shortenMessage, findMessage } from './net/responses/response';
import { tryParseJson } from './values/json';
import { catching, isRecord } from './values/parse';

/** Sends another request of the same test; returns undefined if the answer is not JSON. */
type SendFurther = (request: HttpRequest) => Promise<unknown>;

/** A request that identifies a type of API, with functions that read the response. */
interface Probe {
	readonly request: HttpRequest;
	/** Whether the response came from this type of API, even as an error. */
	isAnswer(body: unknown, status: number): boolean;
	/** Whether the API refused the secret, if the status does not show it. */
	isUnauthorized?(body: unknown): boolean;
	/** Describes the service, as in "chain 1, block 2". */
	describe(body: unknown, ask: SendFurther): string | Promise<string>;
}

const TIMEOUT_MS = 10_000;
const NOT_FOUND = 404;

function buildGet(path: string): HttpRequest {
	return { method: 'GET', path, timeout: TIMEOUT_MS };
}

function buildPost(path: string, body: object): HttpRequest {
	return { method: 'POST', path, body, timeout: TIMEOUT_MS };
}

const RPC_ID = 1;

function buildRpcProbe(path: string): Probe {
	const call = (method: string) =>
		buildPost(path, { jsonrpc: '2.0', method, params: [], id: RPC_ID });
	return {
		request: call('eth_chainId'),
		isAnswer: (answer) =>
			isRecord(answer) &&
			answer.jsonrpc === '2.0' &&
			answer.id === RPC_ID &&
			('result' in answer || 'error' in answer),
		isUnauthorized: (answer) => isRecord(answer) && saysUnauthorized(answer.error),
		describe: async (answer, ask) => {
			const id = decodeResultNumber(answer);
			if (id === undefined)
				return (await findRollup(call, ask)) ?? 'a JSON-RPC chain node that did not name its chain';
			const head = await readHeadText(call('eth_blockNumber'), ask);
			return `chain ${id}${head}`;
		},
	};
}

/** The prefixes of the methods of STARK rollups. Each rollup uses one of them. */
const ROLLUP_PREFIXES = ['l2', 'starknet'];

/** Finds out whether the node serves a STARK rollup. The ID of a STARK rollup contains its name in ASCII. */
async function findRollup(
	call: (method: string) => HttpRequest,
	ask: SendFurther,
): Promise<string | undefined> {
	for (const prefix of ROLLUP_PREFIXES) {
		const answer = await ask(call(`${prefix}_chainId`));
		const [, digits = ''] = ROLLUP_ID_PATTERN.exec(getResult(answer)) ?? [];
		if (digits !== '')
			return `the STARK rollup ${Buffer.from(digits, 'hex').toString('latin1')}, for Chain STARK`;
	}
	return undefined;
}

/** The chain ID of a STARK rollup: the hex of up to 31 printable ASCII characters. */
const ROLLUP_ID_PATTERN = /^0x0*((?:[2-6][0-9a-f]|7[0-9a-e]){1,31})$/i;

function getResult(answer: unknown): string {
	return isRecord(answer) && typeof answer.result === 'string' ? answer.result : '';
}

async function readHeadText(request: HttpRequest, ask: SendFurther): Promise<string> {
	const head = decodeResultNumber(await ask(request));
	return head === undefined ? '' : `, block ${head.toLocaleString('en-US')}`;
}

function decodeResultNumber(answer: unknown): bigint | undefined {
	const result = getResult(answer);
	return /^0x[0-9a-f]{1,16}$/i.test(result) ? BigInt(result) : undefined;
}

/** Recognizes an error about a wrong secret by its words, because JSON-RPC has no error code for it. */
function saysUnauthorized(error: unknown): boolean {
	const words = findMessage({ error }) ?? '';
	return /unauthori[sz]ed|unauthenticated|authenticat|forbidden|access denied|(invalid|unknown|wrong|missing|expired) .{0,20}(token|key|credential|secret)/i.test(
		words,
	);
}

const PLATFORM_PROBE: Probe = {
	request: buildGet('/v1/organization/'),
	isAnswer: (body, status) => status === 200 && isRecord(body) && 'id' in body,
	describe: (body) => {
		const { name, id } = isRecord(body) ? body : {};
		return `organization ${shortenMessage(String(name ?? id))}`;
	},
};

const WALLET_PROBE: Probe = {
	request: buildPost('/wallet/listwitnesses?visible=true', { visible: true }),
	isAnswer: (body) => isRecord(body) && Array.isArray(body.witnesses),
	describe: () => 'TRON, for Chain Witness Wallet',
};

/**
 * A request about an account that does not exist. Even an error about the account shows that the service is this API.
 */
const TON_PROBE: Probe = {
	request: buildPost('/api/v3/estimateFee', {
		address: `0:${'0'.repeat(64)}`,
		body: 'te6cckEBAQEAAgAAAEysuc0=',
	}),
	isAnswer: (body, status) =>
		isRecord(body) && ('source_fees' in body || (status === 422 && 'error' in body)),
	describe: () => 'a TON chain, for Chain TON',
};

type CredentialTest = (
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
) => Promise<INodeCredentialTestResult>;

/** A node credential may belong to any family of chains, so each type of API is tried in turn. */
const NODE_PROBES = [buildRpcProbe(''), buildRpcProbe('/evm'), WALLET_PROBE, TON_PROBE];

export const testPlatformApi = createCredentialTest(
	new ChainPlatformApi(),
	[PLATFORM_PROBE],
	'API key',
	'platform API',
);

/** The tests by the names that credentials use in `testedBy`. */
export const nodeCredentialTests = {
	nodeToken: createCredentialTest(new ChainNodeTokenApi(), NODE_PROBES, 'token'),
	nodeBasicAuth: createCredentialTest(
		new ChainNodeBasicAuthApi(),
		NODE_PROBES,
		'username or the password',
	),
};

/**
 * Creates a test in code. A declarative test could not read a JSON-RPC error with status 200, or try several APIs. In a credential test,
 * n8n offers only its older function for requests.
 */
function createCredentialTest(
	type: ICredentialType,
	probes: readonly Probe[],
	secretName: string,
	serviceName = 'chain node',
): CredentialTest {
	return async function (this, { data: given = {} }) {
		const data = catching(InvalidInput, () => parseCredential(given));
		if (data instanceof InvalidInput) return buildFailedResult(formatInOneLine(data));
		const { redact } = createRedactor(type.properties, data);
		const ask = async (request: HttpRequest) => {
			const { status, text } = await sendTestRequest(this, type.authenticate, data, request);
			return { status, text: redact(text) };
		};
		const replies: string[] = [];
		const statuses = new Set<number>();
		for (const { request, isAnswer, isUnauthorized, describe } of probes) {
			try {
				const { status, text } = await ask(request);
				const body = tryParseJson(text);
				if (status === 401 || status === 403 || isUnauthorized?.(body)) {
					return buildFailedResult(formatUnauthorized(secretName, text));
				}
				if (isAnswer(body, status)) {
					const further: SendFurther = async (more) =>
						tryParseJson((await ask(more).catch(emptyReply)).text);
					return { status: 'OK', message: `Connected: ${await describe(body, further)}` };
				}
				statuses.add(status);
				replies.push(`${formatRequestLine(request)} answered ${status}`);
			} catch (error) {
				return buildFailedResult(redact(formatReason(error, request)));
			}
		}
		const isNowhere = [...statuses].every((status) => status === NOT_FOUND);
		return buildFailedResult(
			isNowhere
				? `No ${serviceName} answers at this address. Copy the whole address from the console.`
				: `No known API answered at this address (${replies.join(', ')})`,
		);
	};
}

/** If a further request of the test fails, its answer counts as empty, and the test continues. */
const emptyReply = () => ({ text: '' });

/** Sends one request of a credential's test. */
export async function sendTestRequest(
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

/** Formats a failure as a single message, because the credential's form shows no description. */
function formatReason(error: unknown, request: HttpRequest): string {
	const failure = networkError(error, request);
	return failure instanceof InvalidInput ? formatInOneLine(failure) : failure.message;
}

function formatUnauthorized(secretName: string, answer: string): string {
	const words = findServiceMessage(answer);
	return `The service refused the ${secretName}${words ? `: ${words}` : ''}`;
}

function buildFailedResult(message: string): INodeCredentialTestResult {
	return { status: 'Error', message };
}
