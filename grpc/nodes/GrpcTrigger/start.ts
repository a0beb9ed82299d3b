import type { ITriggerFunctions, ITriggerResponse } from 'n8n-workflow';
import {
	executionsOf,
	listening,
	parameterReader,
	parameterSource,
	reporter,
} from '../../../nodes/core';
import type { MethodRequest } from '../../library/session.mts';
import { openEndpoint } from '../core/endpoint';
import { schemaOf } from '../core/schema';
import { isRefusedToken } from '../core/status';
import { fields } from './fields';
import { MessageBuffer } from './intake';
import { followStream, streamOpener, type Stream } from './stream';
import { DEFAULT_TIMING, type Timing } from './timing';

const MEANWHILE = 'What the service sends meanwhile is lost, unless it sends it again.';

/** Begins to listen; n8n ends it by the function in the answer. */
export async function start(
	context: ITriggerFunctions,
	timing: Timing = DEFAULT_TIMING,
): Promise<ITriggerResponse> {
	return await listening<Stream>(context, async (closing) => {
		const { signal } = closing;
		const request = requestOf(context, timing);
		const endpoint = await openEndpoint(context, { stop: signal, keepAlive: timing });
		const intake = new MessageBuffer(executionsOf(context, closing), timing, signal);
		const report = reporter(context, closing);
		return {
			timing,
			open: streamOpener(endpoint, request, intake, signal, timing),
			follow: async (stream, well) => await followStream(stream, well, timing),
			report: (cause) => report(cause, MEANWHILE),
			isRefused: isRefusedToken,
		};
	});
}

function requestOf(
	context: ITriggerFunctions,
	{ describeTimeout: describing }: Timing,
): MethodRequest {
	const chosen = parameterReader(parameterSource(context), fields)(0);
	return {
		schema: schemaOf(chosen),
		service: chosen.service,
		method: chosen.method,
		requests: { by: 'many', json: chosen.requests },
		bytesAs: chosen.options.bytesAs,
		timeout: describing,
	};
}
