import type { ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import {
	executionsOf,
	listen,
	optionsField,
	parameterReader,
	parameterSource,
	reporter,
	RequestFailure,
	USUAL_TIMING,
	wait,
	type Field,
	type TriggerTiming,
} from '../../../nodes/core';
import type { MethodRequest } from '../../library/session.mts';
import { openEndpoint, type Endpoint } from '../core/endpoint';
import { isRefusedToken } from '../core/failures';
import { anyJson, bytesAs, method, schemaFields, schemaOf, service } from '../core/fields';
import { MessageBuffer } from './messageBuffer';

const requests = {
	displayName: 'Requests',
	name: 'requests',
	type: 'json',
	default: '[{}]',
	description:
		'What the stream is asked for, as a JSON array: one request, or several where the method takes a stream of them. They are sent in this order, and again whenever the stream is reopened.',
	hint: "The operation 'Describe' of Chain gRPC shows the fields",
	read: anyJson,
} as const satisfies Field;

export const fields = [
	...schemaFields,
	service,
	method,
	requests,
	optionsField([bytesAs] as const),
] as const;

/** In milliseconds. */
export interface Timing extends TriggerTiming {
	/** For reading the schema. */
	readonly describeTimeout: number;
	/** A stream that is neither open nor refused after this time counts as open. */
	readonly openTimeout: number;
	/** Idle and dead look alike: after so long without a message, a ping is sent. */
	readonly keepaliveTime: number;
	/** Without a reply to the ping in this time, the connection is lost. */
	readonly keepaliveTimeout: number;
}

export const DEFAULT_TIMING: Timing = {
	...USUAL_TIMING,
	describeTimeout: 10_000,
	openTimeout: 3_000,
	keepaliveTime: 60_000,
	keepaliveTimeout: 30_000,
};

const OUTAGE_ADVICE = 'What the service sends meanwhile is lost, unless it sends it again.';

/** Starts the trigger; n8n ends it by the `closeFunction` of the response. */
export async function start(
	context: ITriggerFunctions,
	timing: Timing = DEFAULT_TIMING,
): Promise<ITriggerResponse> {
	return await listen<Stream>(context, async (closing) => {
		const { signal } = closing;
		const request = requestOf(context, timing);
		const endpoint = await openEndpoint(context, { stop: signal, keepAlive: timing });
		const buffer = new MessageBuffer(executionsOf(context, closing), timing, signal);
		const report = reporter(context, closing);
		return {
			timing,
			open: streamOpener(endpoint, request, buffer, signal, timing),
			follow: async (stream, healthy) => await followStream(stream, healthy, timing),
			report: (cause) => report(cause, OUTAGE_ADVICE),
			isRefused: isRefusedToken,
		};
	});
}

function requestOf(context: ITriggerFunctions, { describeTimeout }: Timing): MethodRequest {
	const chosen = parameterReader(parameterSource(context), fields)(0);
	return {
		schema: schemaOf(chosen),
		service: chosen.service,
		method: chosen.method,
		requests: { by: 'many', json: chosen.requests },
		bytesAs: chosen.options.bytesAs,
		timeout: describeTimeout,
	};
}

/** An open stream. */
interface Stream {
	/** Rejects when the stream ends, for whatever reason. */
	readonly over: Promise<never>;
}

/** Opens the stream, whose messages go to the buffer. */
function streamOpener(
	endpoint: Endpoint,
	request: MethodRequest,
	buffer: MessageBuffer,
	closing: AbortSignal,
	{ openTimeout }: Timing,
) {
	return async (healthy: () => void): Promise<Stream> => {
		const settled = new AbortController();
		let isOpen = false;
		let isOver = false;
		const onOpen = () => {
			isOpen = true;
			settled.abort();
		};
		const onMessage = async (message: unknown, bytes: number) => {
			onOpen();
			healthy();
			await buffer.push(message, bytes);
		};
		const over = endpoint.listen(request, { onOpen, onMessage }).then(streamEnded);
		over.catch(() => {
			isOver = true;
			if (!isOpen) endpoint.reset();
			settled.abort();
		});
		await wait(openTimeout, closing, settled.signal);
		return isOver ? await over : { over };
	};
}

function streamEnded(): never {
	throw new RequestFailure('The service ended the stream', {
		description: 'The trigger is meant for streams that stay open.',
	});
}

/** A stream that lasted ends an outage, even without messages. */
async function followStream(
	{ over }: Stream,
	healthy: () => void,
	{ stable }: Timing,
): Promise<never> {
	const since = Date.now();
	try {
		return await over;
	} finally {
		if (Date.now() - since > stable) healthy();
	}
}
