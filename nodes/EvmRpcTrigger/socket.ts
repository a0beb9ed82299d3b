import type { IN8nHttpFullResponse, ITriggerFunctions } from 'n8n-workflow';
import { InvalidInput } from '../../credentials/invalidInput';
import { overHttp, socketAddress, type SocketAddress } from '../../credentials/webSocket';
import { adviceFor } from '../core/errors/nodeError';
import { RequestFailure, withAdvice, withoutSecrets } from '../core/errors/requestFailure';
import type { HttpRequest } from '../core/http/types';
import { networkFailure } from '../core/http/networkErrors';
import { secretsOf } from '../core/http/secrets';
import { statusFailure } from '../core/responses/response';
import { Connection } from './connection';
import type { Timing } from './timing';

/** Opens connections; the only part of this node that knows the secret. */
export interface Socket {
	open(closing: AbortSignal): Promise<Connection>;
	/** A failure in words that hold no secret. */
	clean(failure: unknown): unknown;
}

/** An address that the user gave may hold a key of its own, which nothing shorter has room for. */
const KEY_LENGTH = 12;

function keysIn({ pathname, searchParams }: URL): string[] {
	const parts = [pathname.slice(1), ...pathname.split('/'), ...searchParams.values()];
	return parts.filter(({ length }) => length >= KEY_LENGTH);
}

export async function socketOf(
	context: ITriggerFunctions,
	credentialType: string,
	givenUrl: string,
	timing: Timing,
): Promise<Socket> {
	if (typeof WebSocket === 'undefined') {
		throw new InvalidInput(
			'This trigger needs Node 22 or newer',
			'Older versions have no WebSocket.',
		);
	}
	const credential = await context.getCredentials(credentialType);
	const address = socketAddress(credential, givenUrl);
	const secrets = secretsOf(context.getCredentialsProperties(credentialType), credential);
	const url = new URL(address.url);
	const keys = givenUrl === '' ? [] : keysIn(url);
	const redact = (text: string) => {
		const rest = keys.reduce((left, key) => left.replaceAll(key, '***'), text);
		return secrets.redact(rest).replaceAll(url.host, '');
	};
	const clean = (failure: unknown) =>
		failure instanceof RequestFailure ? withoutSecrets(failure, redact) : failure;
	return {
		clean,
		open: async (closing) => {
			const connection = await Connection.open(address, closing, timing);
			if (connection) return connection;
			return await Promise.reject(clean(await whyNot(context, address, closing, timing.opening)));
		},
	};
}

/** What a server of WebSockets answers to a plain request at the right place. */
const RIGHT_PLACE = [200, 400, 405, 426];

const ELSEWHERE =
	"If this chain has its WebSocket elsewhere, give its address in the option 'WebSocket URL'.";

/** A WebSocket does not say why a handshake failed, so the same address is asked over HTTP. */
async function whyNot(
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
			url: overHttp(url),
			headers: { ...headers },
			timeout,
			encoding: 'text',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			abortSignal: closing,
		})) as IN8nHttpFullResponse;
		const { statusCode: status, body } = answer;
		if (RIGHT_PLACE.includes(status)) return unopened(status);
		const failure = statusFailure(request, {
			status,
			headers: answer.headers,
			text: String(body ?? ''),
		});
		return [401, 403].includes(status)
			? refused(failure)
			: withAdvice(failure, adviceFor(status, ELSEWHERE));
	} catch (error) {
		const failure = networkFailure(error, request, ELSEWHERE);
		return failure instanceof RequestFailure ? failure : new RequestFailure(failure.message);
	}
}

/** The service's own words may be as short as "no". */
function refused(failure: RequestFailure): RequestFailure {
	const { message } = failure;
	const what = 'The service refused the credential';
	return new RequestFailure(message.startsWith(what) ? message : `${what}: ${message}`, failure);
}

function unopened(status: number): RequestFailure {
	return new RequestFailure('The node did not open a WebSocket', {
		description: `Over HTTP the same address answered ${status}. ${ELSEWHERE}`,
	});
}
