import { type Field, mustBe, type Read, text } from '../../../nodes/core';

export const serviceName: Read<string> = (given) => {
	const name = text(given);
	return /^[a-z_]\w*(\.[a-z_]\w*)*$/i.test(name)
		? name
		: mustBe('the full name of a service, such as chain.v1.ChainService');
};

const methodName: Read<string> = (given) => {
	const name = text(given);
	return /^[a-z_]\w*$/i.test(name) ? name : mustBe('the name of a method, such as GetBlock');
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
	description: 'The service to use, by its full name',
	modes: chosenOrTyped('services', 'e.g. chain.v1.ChainService'),
	read: serviceName,
} as const satisfies Field;

export const method = {
	displayName: 'Method',
	name: 'method',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description: 'The method of the service to call',
	typeOptions: { loadOptionsDependsOn: ['service.value'] },
	modes: chosenOrTyped('methods', 'e.g. GetBlock'),
	read: methodName,
} as const satisfies Field;

/** JSON as it was given: what it must hold depends on the method, and each of its digits counts. */
export const anyJson: Read<unknown> = (given) => given;

/** Undefined when nothing was chosen: then bytes that may be meant in two ways are refused. */
export const bytesAs = {
	displayName: 'Bytes As',
	name: 'bytesAs',
	type: 'options',
	default: 'base64',
	description:
		'How bytes are written in requests and responses. In requests, hex after 0x is understood as well.',
	options: [
		{ name: 'Base58', value: 'base58', description: 'As keys and signatures are on some chains' },
		{ name: 'Base64', value: 'base64', description: 'As in the JSON of Protocol Buffers' },
		{ name: 'Hex', value: 'hex', description: 'After 0x' },
	],
} as const satisfies Field;
