import type { ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import {
	createExecutionStarter,
	startTrigger,
	optionsField,
	createParameterParser,
	createParameterSource,
	createReporter,
	RequestFailure,
	DEFAULT_TIMING,
	wait,
	type Field,
	type TriggerTiming,
} from '../../../nodes/core';
import type { MethodRequest } from '../../library/session.mts';
import { openEndpoint, type GrpcEndpoint } from '../core/endpoint';
import { isTokenRefused } from '../core/failures';
import { parseLater, bytesAs, method, schemaFields, buildSchema, service } from '../core/fields';
import { MessageBuffer } from './messageBuffer';

const requests = {
	displayName: 'Requests',
	name: 'requests',
	type: 'json',
	default: '[{}]',
	description:
		'The requests of the stream, as a JSON array: one request, or several if the method takes a stream. They are sent in this order, and again whenever the stream is reopened.',
	hint: "The operation 'Describe' of Chain gRPC shows the fields of a request",
	parse: parseLater,
} as const satisfies Field;

export const fields = [
	...schemaFields,
	service,
	method,
	requests,
	optionsField([bytesAs] as const),
] as const;

/** All times are in milliseconds. */
export interface GrpcTriggerTiming extends TriggerTiming {
	/** The timeout for reading the schema. */
	readonly describeTimeoutMs: number;
	/** The time after which a stream counts as open if it was not refused. */
	readonly openTimeoutMs: number;
	/** An idle connection looks like a dead one: after this time without a message, a ping is sent. */
	readonly keepaliveTime: number;
	/** How long to wait for the reply to a ping. After that, the connection counts as lost. */
	readonly keepaliveTimeout: number;
}

export const DEFAULT_GRPC_TIMING: GrpcTriggerTiming = {
	...DEFAULT_TIMING,
	describeTimeoutMs: 10_000,
	openTimeoutMs: 3_000,
	keepaliveTime: 60_000,
	keepaliveTimeout: 30_000,
};

const OUTAGE_ADVICE = 'What the service sends meanwhile is lost, unless it sends it again.';

/** Starts the trigger. n8n stops it with the `closeFunction` of the response. */
export async function startGrpcTrigger(
	context: ITriggerFunctions,
	timing: GrpcTriggerTiming = DEFAULT_GRPC_TIMING,
): Promise<ITriggerResponse> {
	return await startTrigger<OpenStream>(context, async (closing) => {
		const { signal } = closing;
		const request = buildMethodRequest(context, timing);
		const endpoint = await openEndpoint(context, { stop: signal, keepAlive: timing });
		const buffer = new MessageBuffer(createExecutionStarter(context, closing), timing, signal);
		const report = createReporter(context, closing);
		return {
			timing,
			open: createStreamOpener(endpoint, request, buffer, signal, timing),
			listen: (stream) => listenTo(stream, timing),
			report: (cause) => report(cause, OUTAGE_ADVICE),
			isRefused: isTokenRefused,
		};
	});
}

function buildMethodRequest(
	context: ITriggerFunctions,
	{ describeTimeoutMs: describeTimeout }: GrpcTriggerTiming,
): MethodRequest {
	const chosen = createParameterParser(createParameterSource(context), fields)(0);
	return {
		schema: buildSchema(chosen),
		service: chosen.service,
		method: chosen.method,
		requests: { by: 'many', json: chosen.requests },
		bytesAs: chosen.options.bytesAs,
		timeout: describeTimeout,
	};
}

/** An open stream. */
interface OpenStream {
	/** Resolves with the first message. */
	readonly heard: Promise<void>;
	/** Rejects when the stream ends for any reason. */
	readonly ended: Promise<never>;
}

/** Creates a function that opens the stream and passes its messages to the buffer. */
function createStreamOpener(
	endpoint: GrpcEndpoint,
	request: MethodRequest,
	buffer: MessageBuffer,
	closing: AbortSignal,
	{ openTimeoutMs: openTimeout }: GrpcTriggerTiming,
) {
	return async (): Promise<OpenStream> => {
		const settled = new AbortController();
		let hear = () => {};
		const heard = new Promise<void>((resolve) => (hear = resolve));
		let isOpen = false;
		let isOver = false;
		const onOpen = () => {
			isOpen = true;
			settled.abort();
		};
		const onMessage = async (message: unknown, bytes: number) => {
			onOpen();
			hear();
			await buffer.push(message, bytes);
		};
		const over = endpoint.listen(request, { onOpen, onMessage }).then(throwStreamEnded);
		over.catch(() => {
			isOver = true;
			if (!isOpen) endpoint.reset();
			settled.abort();
		});
		await wait(openTimeout, closing, settled.signal);
		return isOver ? await over : { heard, ended: over };
	};
}

function throwStreamEnded(): never {
	throw new RequestFailure('The service ended the stream', {
		description: 'Choose a method that keeps its stream open and sends more messages.',
	});
}

/** Reports the end of an outage, after the first message or when the stream has been open long enough. */
async function* listenTo(
	{ heard, ended: over }: OpenStream,
	{ stableMs: stable }: GrpcTriggerTiming,
) {
	const since = Date.now();
	try {
		await Promise.race([heard, over]);
		yield { kind: 'caughtUp' };
		await over;
	} finally {
		if (Date.now() - since > stable) yield { kind: 'caughtUp' };
	}
}
