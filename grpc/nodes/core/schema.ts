import { type Field, mustBe, type Params, type Read, text } from '../../../nodes/core';
import type { Schema } from '../../library/session.mts';

const schemaFrom = {
	displayName: 'Schema From',
	name: 'schemaFrom',
	type: 'options',
	default: 'reflection',
	noDataExpression: true,
	description: 'Where to read what the endpoint offers',
	options: [
		{
			name: 'Descriptor Set',
			value: 'descriptorSet',
			description: 'What protoc makes of .proto files with --descriptor_set_out',
		},
		{ name: 'Proto Files', value: 'proto', description: 'The text of .proto files' },
		{
			name: 'Reflection',
			value: 'reflection',
			description: 'The endpoint describes itself, if it can',
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
					description: 'The path by which other files import it. It may be empty if none does.',
				},
				{
					displayName: 'Content',
					name: 'content',
					type: 'string',
					typeOptions: { rows: 10 },
					required: true,
					default: '',
					placeholder: 'e.g. syntax = "proto3"; …',
					description: 'The text of the file',
				},
			],
		},
	],
} as const satisfies Field;

const base64: Read<string> = (given) => {
	const value = text(given).replace(/\s/g, '');
	return /^[\w+/-]+={0,2}$/.test(value) ? value : mustBe('a descriptor set in base64');
};

const descriptorSet = {
	displayName: 'Descriptor Set',
	name: 'descriptorSet',
	type: 'string',
	typeOptions: { rows: 4 },
	default: '',
	placeholder: 'e.g. CpABChNnb29nbGUvcHJvdG9idWYv…',
	description:
		'The file that protoc writes with --include_imports and --descriptor_set_out, in base64',
	show: { schemaFrom: ['descriptorSet'] },
	read: base64,
} as const satisfies Field;

/** The fields of an operation that say what its service and method look like. */
export const schemaFields = [schemaFrom, protoFiles, descriptorSet] as const;

export function schemaOf(chosen: Params<typeof schemaFields>): Schema {
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
