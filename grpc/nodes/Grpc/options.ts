import {
	concurrency,
	type Field,
	maxCallsPerSecond,
	maxRetries,
	maxWait,
	optionsField,
	type Params,
	timeout,
	wholeNumber,
} from '../../../nodes/core';
import { bytesAs } from '../core/fields';

const AT_ONCE = concurrency(100);
const TIMEOUT = timeout(
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
	read: wholeNumber(1),
} as const satisfies Field;

const trailers = {
	displayName: 'Show Trailers',
	name: 'trailers',
	type: 'boolean',
	default: false,
	description: 'Whether the details of an error show the trailers that came with it',
} as const satisfies Field;

/** Of all operations. */
export const options = optionsField([
	AT_ONCE,
	maxCallsPerSecond,
	maxRetries,
	maxWait,
	TIMEOUT,
] as const);
export const callOptions = optionsField([
	bytesAs,
	AT_ONCE,
	maxCallsPerSecond,
	maxMessages,
	maxRetries,
	maxWait,
	trailers,
	TIMEOUT,
] as const);

type Chosen = Params<typeof callOptions.options>;

/** The user's options with defaults for the others. */
export function settingsOf(chosen: Partial<Chosen>) {
	return {
		concurrency: AT_ONCE.default,
		maxCallsPerSecond: maxCallsPerSecond.default,
		maxMessages: maxMessages.default,
		maxRetries: maxRetries.default,
		maxWait: maxWait.default,
		timeout: TIMEOUT.default,
		...chosen,
	};
}
