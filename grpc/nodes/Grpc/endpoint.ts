import type { FunctionsBase, ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';
import { secretsOf, type Secrets } from '../../../nodes/core/http/secrets';
import { targetOf } from '../../credentials/target';
import type { Target } from '../../library/channel.mts';
import type { Session } from '../../library/session.mts';
import { failureOf } from './failures';

const CREDENTIAL = 'chainNodeXTokenApi';

export interface Endpoint {
	/** Does what is asked. What goes wrong is told in words for the user, without secrets. */
	send<T>(request: (session: Session) => Promise<T>): Promise<T>;
	redact(text: string): string;
	close(): void;
}

/** The endpoint that the credential of a node names. */
export async function openEndpoint(
	context: Pick<FunctionsBase, 'getCredentials' | 'getCredentialsProperties'>,
	stop?: AbortSignal,
): Promise<Endpoint> {
	const data = await context.getCredentials(CREDENTIAL);
	return await connect(data, context.getCredentialsProperties(CREDENTIAL), stop);
}

/** n8n loads every node when it starts; the library is large, and loaded when it is first needed. */
export async function connect(
	data: ICredentialDataDecryptedObject,
	properties: readonly INodeProperties[],
	stop?: AbortSignal,
): Promise<Endpoint> {
	const target = targetOf(data);
	const secrets = secretsOf(properties, data);
	const redact = (text: string) => withoutHost(secrets.redact(text), target.address);
	const failed = (error: unknown) => failureOf(error, redact);
	const session = await opened(target, stop).catch((error) => {
		throw failed(error);
	});
	return {
		redact,
		close: session.close,
		send: async (request) => {
			try {
				return withoutEcho(await request(session), secrets);
			} catch (error) {
				throw failed(error);
			}
		},
	};
}

async function opened(target: Target, stop?: AbortSignal): Promise<Session> {
	const { Session } = await import('../../library/session.mts');
	return new Session(target, stop);
}

/** A host that is a plain word may be any word. */
function withoutHost(text: string, address: string): string {
	const host = address.replace(/:\d+$/, '');
	const names = /[.:]/.test(host) ? [address, host] : [address];
	return names.reduce((left, name) => left.replace(inAnyCase(name), '***'), text);
}

function inAnyCase(text: string): RegExp {
	return new RegExp(text.replace(/\W/g, '\\$&'), 'gi');
}

/** An answer may hold what the request brought: its token. Part for part, as a stream may be large. */
function withoutEcho<T>(answer: T, { redactEchoes }: Secrets): T {
	const clean = <Part>(part: Part): Part => {
		const text = JSON.stringify(part ?? null);
		const struck = redactEchoes(text);
		return struck === text ? part : (JSON.parse(struck) as Part);
	};
	return Array.isArray(answer) ? (answer.map(clean) as T) : clean(answer);
}
