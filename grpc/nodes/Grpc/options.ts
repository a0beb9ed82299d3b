import {
	concurrencyField,
	type Field,
	maxCallsPerSecond,
	maxRetries,
	maxWait,
	optionsField,
	type Params,
	timeoutField,
	wholeNumberParser,
} from '../../../nodes/core';
import { bytesAs } from '../core/fields';

const concurrencyOption = concurrencyField(100);
const timeoutOption = timeoutField(
	30_000,
	'How many milliseconds a call may take. A stream is closed after this time.',
);

const maxMessages = {
	displayName: 'Max Messages',
	name: 'maxMessages',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 100,
	description: 'How many messages to take from a stream before closing it',
	parse: wholeNumberParser(1),
} as const satisfies Field;

const trailers = {
	displayName: 'Show Trailers',
	name: 'trailers',
	type: 'boolean',
	default: false,
	description:
		'Whether the details of an error show the extra data that the service sent at the end of its answer',
} as const satisfies Field;

/** The options of all operations. */
export const grpcOptions = optionsField([
	concurrencyOption,
	maxCallsPerSecond,
	maxRetries,
	maxWait,
	timeoutOption,
] as const);
export const callOptions = optionsField([
	bytesAs,
	concurrencyOption,
	maxCallsPerSecond,
	maxMessages,
	maxRetries,
	maxWait,
	trailers,
	timeoutOption,
] as const);

type CallOptions = Params<typeof callOptions.options>;

/** Returns the options of a call. Options that the user did not set have their default values. */
export function withDefaults(chosen: Partial<CallOptions>) {
	return {
		concurrency: concurrencyOption.default,
		maxCallsPerSecond: maxCallsPerSecond.default,
		maxMessages: maxMessages.default,
		maxRetries: maxRetries.default,
		maxWait: maxWait.default,
		timeout: timeoutOption.default,
		...chosen,
	};
}
