import type { FunctionsBase, ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';
import { type RequestFailure, secretsOf } from '../../../nodes/core';
import { targetOf } from '../../credentials/target';
import type { ChannelSettings } from '../../library/connection/channel.mts';
import type { CallRequest, Listener, MethodRequest, Schema } from '../../library/session.mts';
import { failureOf, serviceFailure } from './failures';

const CREDENTIAL = 'chainNodeXTokenApi';

/** The messages of a call. */
export interface CallResult {
	readonly messages: readonly unknown[];
	/** Why the stream broke off, if it did after messages had arrived. */
	readonly broken?: RequestFailure;
}

/** The service as a node knows it: what goes wrong is told in words for the user, and nothing holds a secret. */
export interface Endpoint {
	services(schema: Schema, timeout: number): Promise<readonly string[]>;
	describe(schema: Schema, service: string, timeout: number): Promise<readonly object[]>;
	probe(timeout: number): Promise<number | undefined>;
	call(request: CallRequest, ready: () => Promise<void>): Promise<CallResult>;
	listen(request: MethodRequest, listener: Listener): Promise<void>;
	redact(text: string): string;
	/** Begins anew with another connection: one that never came about may never do so. */
	reset(): void;
	close(): void;
}

/** The endpoint that the credential of a node names. */
export async function openEndpoint(
	context: Pick<FunctionsBase, 'getCredentials' | 'getCredentialsProperties'>,
	settings?: ChannelSettings,
): Promise<Endpoint> {
	const data = await context.getCredentials(CREDENTIAL);
	return await connect(data, context.getCredentialsProperties(CREDENTIAL), settings);
}

/** n8n loads every node when it starts; the library is large, and loaded when it is first needed. */
export async function connect(
	data: ICredentialDataDecryptedObject,
	properties: readonly INodeProperties[],
	settings?: ChannelSettings,
): Promise<Endpoint> {
	const target = targetOf(data);
	const { redact: withoutSecrets, redactEchoes } = secretsOf(properties, data);
	const redact = (text: string) => withoutHost(withoutSecrets(text), target.address);
	const clean = <Part>(part: Part) => cleaned(part, redactEchoes);
	const done = async <T>(work: () => Promise<T>): Promise<T> =>
		await work().catch((error: unknown) => {
			throw failureOf(error, redact);
		});
	const { Session } = await import('../../library/session.mts');
	let session = await done(async () => new Session(target, settings));
	return {
		redact,
		close: () => session.close(),
		reset: () => {
			session.close();
			session = new Session(target, settings);
		},
		services: async (...asked) =>
			(await done(async () => await session.services(...asked))).map(clean),
		describe: async (...asked) =>
			(await done(async () => await session.describe(...asked))).map(clean),
		probe: async (timeout) => await done(async () => await session.probe(timeout)),
		call: async (request, ready) => {
			const { messages, broken } = await done(async () => await session.call(request, ready));
			// One after the other, as a stream may be large.
			return { messages: messages.map(clean), broken: broken && serviceFailure(broken, redact) };
		},
		listen: async (request, { onOpen: opened, onMessage: take }) => {
			const takeClean: Listener['onMessage'] = async (message, bytes) =>
				await take(clean(message), bytes);
			await done(
				async () => await session.listen(request, { onOpen: opened, onMessage: takeClean }),
			);
		},
	};
}

/** An answer may hold what the request brought: its token. */
function cleaned<Part>(part: Part, redactEchoes: (text: string) => string): Part {
	const text = JSON.stringify(part ?? null);
	const redacted = redactEchoes(text);
	return redacted === text ? part : (JSON.parse(redacted) as Part);
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
