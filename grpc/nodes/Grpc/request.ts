import { parseResourceMapper, type Field, type Params } from '../../../nodes/core';
import type { RequestInput } from '../../library/json/messages.mts';
import { parseLater } from '../core/fields';

const DESCRIBE_HINT = "The operation 'Describe' shows the fields";

const requestsBy = {
	displayName: 'Send',
	name: 'requestsBy',
	type: 'options',
	default: 'one',
	noDataExpression: true,
	options: [
		{
			name: 'Many Requests',
			value: 'many',
			description: 'A list of requests, for methods that take more than one (a stream)',
		},
		{ name: 'One Request', value: 'one' },
	],
} as const satisfies Field;

const requestBy = {
	displayName: 'Request By',
	name: 'requestBy',
	type: 'options',
	default: 'json',
	noDataExpression: true,
	description: 'How to give the request',
	options: [
		{ name: 'Fields', value: 'fields', description: 'A form with the fields of the request' },
		{ name: 'JSON', value: 'json', description: 'The fields of the request as one JSON object' },
	],
	show: { requestsBy: ['one'] },
} as const satisfies Field;

const requestFields = {
	displayName: 'Request',
	name: 'requestFields',
	type: 'resourceMapper',
	default: { mappingMode: 'defineBelow', value: null },
	noDataExpression: true,
	description: 'The fields of the request. Fields that are empty or removed are not sent.',
	typeOptions: {
		loadOptionsDependsOn: [
			'service.value',
			'method.value',
			'schemaFrom',
			'descriptorSet',
			'protoFiles.file[0].content',
		],
		resourceMapper: {
			resourceMapperMethod: 'requestFields',
			mode: 'add',
			valuesLabel: 'Request',
			fieldWords: { singular: 'field', plural: 'fields' },
			addAllFields: true,
			multiKeyMatch: false,
			supportAutoMap: false,
			noFieldsError: 'The request of this method has no fields',
		},
	},
	show: { requestsBy: ['one'], requestBy: ['fields'] },
	parse: parseResourceMapper,
} as const satisfies Field;

const request = {
	displayName: 'Request',
	name: 'request',
	type: 'json',
	default: '{}',
	description:
		'The fields of the request as JSON. Write long integers as numbers or text, bytes as base64 or hex after 0x, and enums (fixed choices) by name.',
	hint: DESCRIBE_HINT,
	show: { requestsBy: ['one'], requestBy: ['json'] },
	parse: parseLater,
} as const satisfies Field;

const requests = {
	displayName: 'Requests',
	name: 'requests',
	type: 'json',
	default: '[]',
	description:
		'The requests as a JSON array. They are sent in this order; then responses are read until the service ends the stream.',
	hint: DESCRIBE_HINT,
	show: { requestsBy: ['many'] },
	parse: parseLater,
} as const satisfies Field;

/** The fields for the messages that are sent to a method. */
export const requestParameters = [requestsBy, requestBy, request, requestFields, requests] as const;

export function buildRequestInput(chosen: Params<typeof requestParameters>): RequestInput {
	if (chosen.requestsBy === 'many') return { by: 'many', json: chosen.requests };
	return chosen.requestBy === 'fields'
		? { by: 'fields', json: chosen.requestFields }
		: { by: 'one', json: chosen.request };
}
