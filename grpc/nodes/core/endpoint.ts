import type { FunctionsBase, ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';
import { getPlainCredential, type RequestFailure, createRedactor } from '../../../nodes/core';
import { parseTarget } from '../../credentials/target';
import type { ChannelSettings } from '../../library/connection/channel.mts';
import type { CallRequest, Listener, MethodRequest, Schema } from '../../library/session.mts';
import { callError, serviceError, type ErrorOptions } from './failures';

const CREDENTIAL_TYPE = 'chainNodeXTokenApi';

type EndpointSettings = ChannelSettings & Pick<ErrorOptions, 'timeoutAdvice'>;

export interface CallResult {
	readonly messages: readonly unknown[];
	/** Why the stream broke off after some messages. Undefined if it ended normally. */
	readonly broken?: RequestFailure;
	/** Whether it was left after Max Messages, and may have had more. */
	readonly isCut?: boolean;
}

/** A connection to a gRPC service. Its errors are written for users, and secrets are removed from all that it returns. */
export interface GrpcEndpoint {
	fetchServices(schema: Schema, timeout: number): Promise<readonly string[]>;
	describe(schema: Schema, service: string, timeout: number): Promise<readonly object[]>;
	probe(timeout: number): Promise<number | undefined>;
	call(
		request: CallRequest,
		ready: () => Promise<void>,
		shown?: Pick<ErrorOptions, 'showTrailers' | 'warnsIfExecuted'>,
	): Promise<CallResult>;
	listen(request: MethodRequest, listener: Listener): Promise<void>;
	redact(text: string): string;
	/** Replaces the connection, because a connection that could not be made may never recover. */
	reset(): void;
	close(): void;
}

/** Opens the endpoint of a node's credential. */
export async function openEndpoint(
	context: Pick<FunctionsBase, 'getCredentials' | 'getCredentialsProperties'>,
	settings: EndpointSettings = {},
): Promise<GrpcEndpoint> {
	const data = await getPlainCredential(context, CREDENTIAL_TYPE);
	return await connectEndpoint(data, context.getCredentialsProperties(CREDENTIAL_TYPE), settings);
}

/** Connects to the endpoint. The gRPC library is loaded only now, because it is large and n8n may load all nodes at its start. */
export async function connectEndpoint(
	data: ICredentialDataDecryptedObject,
	properties: readonly INodeProperties[],
	settings: EndpointSettings = {},
): Promise<GrpcEndpoint> {
	const target = parseTarget(data);
	const { redact: withoutSecrets, redactEchoes } = createRedactor(properties, data);
	const redact = (text: string) => redactHost(withoutSecrets(text), target.address);
	const clean = <Part>(part: Part) => redactPart(part, redactEchoes);
	const options = { redact, timeoutAdvice: settings.timeoutAdvice };
	const done = async <T>(work: () => Promise<T>, shown: Partial<ErrorOptions> = {}) =>
		await work().catch((error: unknown) => {
			throw callError(error, { ...options, ...shown });
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
		fetchServices: async (schema, timeout) =>
			(await done(async () => await session.fetchServices(schema, timeout))).map(clean),
		describe: async (schema, service, timeout) =>
			(await done(async () => await session.describe(schema, service, timeout))).map(clean),
		probe: async (timeout) => await done(async () => await session.probe(timeout)),
		call: async (request, ready, shown) => {
			const work = async () => await session.call(request, ready);
			const { messages, broken, isCut } = await done(work, shown);
			return {
				messages: messages.map(clean),
				broken: broken && serviceError(broken, options),
				isCut,
			};
		},
		listen: async (request, { onOpen, onMessage }) => {
			const listener: Listener = {
				onOpen,
				onMessage: async (message, bytes) => await onMessage(clean(message), bytes),
			};
			await done(async () => await session.listen(request, listener));
		},
	};
}

/** Removes the token from an answer, because a service may repeat it. */
function redactPart<Part>(part: Part, redactEchoes: (text: string) => string): Part {
	const text = JSON.stringify(part ?? null);
	const redacted = redactEchoes(text);
	return redacted === text ? part : (JSON.parse(redacted) as Part);
}

/** Redacts the address in a text. A host without dots may be an ordinary word, so it is redacted only together with its port. */
function redactHost(text: string, address: string): string {
	const host = address.replace(/:\d+$/, '');
	const names = /[.:]/.test(host) ? [address, host] : [address];
	return names.reduce((left, name) => left.replace(buildAnyCasePattern(name), '***'), text);
}

function buildAnyCasePattern(text: string): RegExp {
	return new RegExp(text.replace(/\W/g, '\\$&'), 'gi');
}
