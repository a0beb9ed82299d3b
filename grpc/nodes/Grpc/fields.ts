import type { Field } from '../../../nodes/core/operation/field';
import type { Read } from '../../../nodes/core/values/read';
import { optionsField, timeout } from '../../../nodes/core/protocols/transportOptions';
import { unfit } from '../../../nodes/core/values/read';
import { text, wholeNumber } from '../../../nodes/core/values/basic';

const TIMEOUT = timeout(30_000, 'How many milliseconds a call may take; a stream is left then');

const maxMessages = {
	displayName: 'Max Messages',
	name: 'maxMessages',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 100,
	description: 'How many messages to take from a stream before it is left',
	read: wholeNumber(1),
} as const satisfies Field;

export const serviceName: Read<string> = (given) => {
	const name = text(given);
	return /^[a-z_]\w*(\.[a-z_]\w*)*$/i.test(name)
		? name
		: unfit('the full name of a service, such as chain.v1.ChainService');
};

const methodName: Read<string> = (given) => {
	const name = text(given);
	return /^[a-z_]\w*$/i.test(name) ? name : unfit('the name of a method, such as GetBlock');
};

const chosenOrTyped = (searchListMethod: string, placeholder: string) => [
	{
		displayName: 'From List',
		name: 'list',
		type: 'list' as const,
		typeOptions: { searchListMethod, searchable: true },
	},
	{ displayName: 'By Name', name: 'name', type: 'string' as const, placeholder },
];

export const service = {
	displayName: 'Service',
	name: 'service',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description: 'The service to use, as the endpoint describes it',
	modes: chosenOrTyped('services', 'e.g. chain.v1.ChainService'),
	read: serviceName,
} as const satisfies Field;

export const method = {
	displayName: 'Method',
	name: 'method',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description: 'The method to call: one that takes one request, and gives one message or a stream',
	typeOptions: { loadOptionsDependsOn: ['service.value'] },
	modes: chosenOrTyped('methods', 'e.g. GetBlock'),
	read: methodName,
} as const satisfies Field;

export const options = optionsField([TIMEOUT] as const);
export const callOptions = optionsField([maxMessages, TIMEOUT] as const);

/** What holds for a call: what the user chose, else what is usual. */
export function limits(chosen: { readonly timeout?: number; readonly maxMessages?: number }) {
	return { timeout: TIMEOUT.default, maxMessages: maxMessages.default, ...chosen };
}
