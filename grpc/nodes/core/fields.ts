import {
	parseText,
	type Field,
	type Params,
	type Parse,
	InvalidValue,
	raise,
	toStandardBase64,
} from '../../../nodes/core';
import type { Schema } from '../../library/session.mts';

const schemaFrom = {
	displayName: 'Schema From',
	name: 'schemaFrom',
	type: 'options',
	default: 'reflection',
	noDataExpression: true,
	description: 'Where to read the methods of the endpoint and their fields',
	options: [
		{
			name: 'Descriptor Set',
			value: 'descriptorSet',
			description:
				'Enter one file (a descriptor set), compiled from the .proto files that describe the service',
		},
		{
			name: 'Proto Files',
			value: 'proto',
			description: 'Enter the .proto files: text files that describe the methods of the service',
		},
		{
			name: 'Reflection',
			value: 'reflection',
			description: 'Ask the endpoint for its methods, if it supports this (gRPC reflection)',
		},
	],
} as const satisfies Field;

const protoFiles = {
	displayName: 'Proto Files',
	name: 'protoFiles',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add file',
	default: {},
	description:
		'The files that describe the service, and those that they import. The files of google/protobuf are built in.',
	show: { schemaFrom: ['proto'] },
	options: [
		{
			displayName: 'File',
			name: 'file',
			values: [
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					placeholder: 'e.g. chain/v1/chain.proto',
					description:
						'The path of the .proto file, as the import lines of other .proto files write it. Leave Name empty if no other file imports the file.',
				},
				{
					displayName: 'Content',
					name: 'content',
					type: 'string',
					typeOptions: { rows: 10 },
					required: true,
					default: '',
					placeholder: 'e.g. syntax = "proto3"; …',
					description: 'The text of the .proto file',
				},
			],
		},
	],
} as const satisfies Field;

const parseDescriptorSet: Parse<string> = (given) => {
	const value = toStandardBase64(parseText(given));
	return value !== undefined && /^[a-z\d+/]+={0,2}$/i.test(value)
		? value
		: raise(new InvalidValue('a descriptor set (a file that protoc writes) in base64'));
};

const descriptorSet = {
	displayName: 'Descriptor Set',
	name: 'descriptorSet',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	placeholder: 'e.g. CpABChNnb29nbGUvcHJvdG9idWYv…',
	description:
		'The file that protoc (the compiler of .proto files) writes with --include_imports and --descriptor_set_out, in base64',
	show: { schemaFrom: ['descriptorSet'] },
	parse: parseDescriptorSet,
} as const satisfies Field;

/** The fields that choose where the descriptions of services and methods come from. */
export const schemaFields = [schemaFrom, protoFiles, descriptorSet] as const;

export function buildSchema(chosen: Params<typeof schemaFields>): Schema {
	const { schemaFrom: from, protoFiles: files = [], descriptorSet: set = '' } = chosen;
	if (from === 'descriptorSet') return { from, set };
	if (from === 'reflection') return { from };
	return {
		from,
		files: files.map(({ name, content }, index) => ({
			name: name || `file ${index + 1}`,
			content,
		})),
	};
}

export const parseServiceName: Parse<string> = (given) => {
	const name = parseText(given);
	return /^[a-z_]\w*(\.[a-z_]\w*)*$/i.test(name)
		? name
		: raise(new InvalidValue('the full name of a service, such as chain.v1.ChainService'));
};

export const parseMethodName: Parse<string> = (given) => {
	const name = parseText(given);
	return /^[a-z_]\w*$/i.test(name)
		? name
		: raise(new InvalidValue('the name of a method, such as GetBlock'));
};

const listOrNameModes = (searchListMethod: string, placeholder: string) => [
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
	modes: listOrNameModes('services', 'e.g. chain.v1.ChainService'),
	parse: parseServiceName,
} as const satisfies Field;

export const method = {
	displayName: 'Method',
	name: 'method',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description: 'The method of the service to call',
	typeOptions: { loadOptionsDependsOn: ['service.value'] },
	modes: listOrNameModes('methods', 'e.g. GetBlock'),
	parse: parseMethodName,
} as const satisfies Field;

/** Returns the value unchanged. The library parses the JSON later by the type of the method, so that no digits are lost. */
export const parseLater: Parse<unknown> = (given) => given;

/** Undefined if the option is not added. Ambiguous bytes are then refused. */
export const bytesAs = {
	displayName: 'Bytes As',
	name: 'bytesAs',
	type: 'options',
	default: 'base64',
	description:
		'How bytes are written in requests and responses. In requests, hex after 0x is understood as well.',
	options: [
		{
			name: 'Base58',
			value: 'base58',
			description:
				'Write bytes in Base58, as some chains write keys: letters and digits without 0, O, I and l',
		},
		{
			name: 'Base64',
			value: 'base64',
			description:
				'Write bytes in Base64, as is standard for gRPC data in JSON: letters, digits, + and /',
		},
		{
			name: 'Hex',
			value: 'hex',
			description: 'Write bytes as 0x and hex digits (0 to 9 and a to f)',
		},
	],
} as const satisfies Field;
