import { rethrow } from '../core/values/parse';
import type { IN8nHttpFullResponse, ITriggerFunctions } from 'n8n-workflow';
import { InvalidInput } from '../core/errors/invalidInput';
import { toHttpUrl, buildSocketAddress, type SocketAddress } from '../../credentials/webSocket';
import { getStatusAdvice } from '../core/errors/nodeError';
import { RequestFailure, withAdvice, withoutSecrets } from '../core/errors/requestFailure';
import { getPlainCredential } from '../core/net/http/credential';
import type { HttpRequest } from '../core/net/http/types';
import { networkError } from '../core/net/http/networkErrors';
import { createRedactor } from '../core/net/http/secrets';
import { statusError } from '../core/net/responses/response';
import { Connection, type ConnectionTiming } from './connection';

/** Opens connections, and removes secrets from their failures. */
export interface SocketEndpoint {
	open(closing: AbortSignal): Promise<Connection>;
	redact(failure: unknown): unknown;
}

export async function createSocketEndpoint(
	context: ITriggerFunctions,
	credentialType: string,
	givenUrl: string,
	timing: ConnectionTiming,
): Promise<SocketEndpoint> {
	if (typeof WebSocket === 'undefined') {
		throw new InvalidInput(
			'This trigger needs Node.js 22 or newer',
			'Older versions have no WebSocket.',
		);
	}
	const credential = await getPlainCredential(context, credentialType);
	const address = buildSocketAddress(credential, givenUrl);
	const secrets = createRedactor(context.getCredentialsProperties(credentialType), credential);
	const url = new URL(address.url);
	const keys = givenUrl === '' ? [] : findKeys(url);
	const redactText = (text: string) => {
		const rest = keys.reduce((left, key) => left.replaceAll(key, '***'), text);
		return secrets.redact(rest).replaceAll(url.host, '');
	};
	const redact = (failure: unknown) =>
		failure instanceof RequestFailure ? withoutSecrets(failure, redactText) : failure;
	return {
		redact,
		open: async (closing) => {
			const connection = await Connection.open(address, closing, timing).catch(
				async (failure: RequestFailure) => rethrow(withAdvice(failure, URL_ADVICE)),
			);
			if (connection) return connection;
			const failure = await handshakeError(context, address, closing, timing.openingMs);
			return rethrow(redact(failure));
		},
	};
}

/**
 * Parts of a URL with at least this many characters may be an API key. Shorter parts are taken for ordinary words.
 */
const MIN_KEY_CHARS = 12;

function findKeys({ pathname, searchParams }: URL): string[] {
	const parts = [pathname.slice(1), ...pathname.split('/'), ...searchParams.values()];
	return parts.filter(({ length }) => length >= MIN_KEY_CHARS);
}

/** The HTTP statuses with which WebSocket servers answer a plain GET request. */
const SOCKET_STATUSES = [200, 400, 405, 426];

const URL_ADVICE =
	"If this chain has its WebSocket elsewhere, give its address in the option 'WebSocket URL'.";

/**
 * Finds out why a handshake failed. A WebSocket does not tell the reason, so the same address is requested by GET.
 */
async function handshakeError(
	context: ITriggerFunctions,
	{ url, headers }: SocketAddress,
	closing: AbortSignal,
	timeout: number,
): Promise<RequestFailure> {
	const { pathname } = new URL(url);
	const request: HttpRequest = { method: 'GET', path: pathname, timeout };
	try {
		const answer = (await context.helpers.httpRequest({
			method: 'GET',
			url: toHttpUrl(url),
			headers: { ...headers },
			timeout,
			encoding: 'text',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			abortSignal: closing,
		})) as IN8nHttpFullResponse;
		const { statusCode: status, body } = answer;
		if (SOCKET_STATUSES.includes(status)) return unopenedSocketError(status);
		const failure = statusError(request, {
			status,
			headers: answer.headers,
			text: String(body ?? ''),
		});
		return [401, 403].includes(status)
			? credentialRefusedError(failure)
			: withAdvice(failure, getStatusAdvice(status, URL_ADVICE));
	} catch (error) {
		const failure = networkError(error, request, URL_ADVICE);
		return failure instanceof RequestFailure ? failure : new RequestFailure(failure.message);
	}
}

/** Puts an explanation before the message of the service, which may be as short as "no". */
function credentialRefusedError(failure: RequestFailure): RequestFailure {
	const { message } = failure;
	const what = 'The service refused the credential';
	return new RequestFailure(message.startsWith(what) ? message : `${what}: ${message}`, failure);
}

function unopenedSocketError(status: number): RequestFailure {
	return new RequestFailure('The chain node did not open a WebSocket', {
		description: `Over HTTP the same address answered ${status}. ${URL_ADVICE}`,
	});
}
