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
import { inOneLine, Refusal } from '../../../credentials/refusal';
import type { HttpRequest } from '../http/types';
import { tryParseJson } from '../values/parseJson';
import { secretsOf } from '../http/secrets';
import { requestLine, networkFailure } from '../http/networkErrors';
import { serviceMessage } from '../answers/serviceMessage';
import { jsonRpc } from './probes/jsonRpc';
import { PLATFORM, TON, WALLET } from './probes/others';
import type { AskMore, Probe } from './probes/probe';

type Test = (
	this: ICredentialTestFunctions,
	credential: ICredentialsDecrypted,
) => Promise<INodeCredentialTestResult>;

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
		const { redact } = secretsOf(type.properties, data);
		const ask = async (request: HttpRequest) => {
			const { status, text } = await send(this, type, data, request);
			return { status, text: redact(text) };
		};
		const replies: string[] = [];
		for (const { request, isAnswer, isRefusal, understood } of probes) {
			try {
				const { status, text } = await ask(request);
				const body = tryParseJson(text);
				if (status === 401 || status === 403 || isRefusal?.(body)) {
					return failed(refusal(secretName, text));
				}
				if (isAnswer(body, status)) {
					const further: AskMore = async (more) =>
						tryParseJson((await ask(more).catch(nothing)).text);
					return { status: 'OK', message: `Connected: ${await understood(body, further)}` };
				}
				replies.push(`${requestLine(request)} answered ${status}`);
			} catch (error) {
				return failed(redact(reason(error, request)));
			}
		}
		return failed(`No known API answered at this address (${replies.join(', ')})`);
	};
}

/** What only makes the message richer must not make the test fail. */
const nothing = () => ({ text: '' });

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
	return { status: answer.statusCode, text: String(answer.body ?? '') };
}

/** The form shows a message alone; and it has no options, which the advice on a connection may name. */
function reason(error: unknown, request: HttpRequest): string {
	const failure = networkFailure(error, request);
	return failure instanceof Refusal ? inOneLine(failure) : failure.message;
}

function refusal(secretName: string, answer: string): string {
	const words = serviceMessage(answer);
	return `The service refused the ${secretName}${words ? `: ${words}` : ''}`;
}

function failed(message: string): INodeCredentialTestResult {
	return { status: 'Error', message };
}
