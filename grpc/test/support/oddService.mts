import {
	FieldDescriptorProto_Label as Label,
	FieldDescriptorProto_Type as Type,
} from '@bufbuild/protobuf/wkt';
import type { INodeParameters } from 'n8n-workflow';
import { field, usual, type File } from './described.mts';
import { callOf, createLyingServer } from './lyingServer.mts';

const method = (name: string, inputType: string, outputType: string) => ({
	name,
	inputType,
	outputType,
});

const FILES: readonly File[] = [
	{
		name: 'odd.proto',
		package: 'odd.v1',
		syntax: 'proto3',
		dependency: ['parts/holder.proto', 'old.proto'],
		service: [
			{
				name: 'OddService',
				method: [
					method('Echo', '.odd.v1.Holder', '.odd.v1.Holder'),
					method('Old', '.odd.v1.Old', '.odd.v1.Old'),
					method('SendIt', '.odd.v1.Holder', '.odd.v1.Holder'),
				],
			},
		],
	},
	{
		name: 'parts/holder.proto',
		package: 'odd.v1',
		syntax: 'proto3',
		dependency: ['google/protobuf/any.proto'],
		messageType: [
			{
				name: 'Holder',
				field: [
					field('snake_case_name', 1, Type.STRING),
					field('content', 2, '.google.protobuf.Any'),
				],
			},
		],
	},
	// The type of this file is used only inside an Any.
	{
		name: 'hidden.proto',
		package: 'odd.v1',
		syntax: 'proto3',
		messageType: [{ name: 'Hidden', field: [field('secret_number', 1, Type.UINT64)] }],
	},
	{
		name: 'old.proto',
		package: 'odd.v1',
		syntax: 'proto2',
		messageType: [
			{
				name: 'Old',
				field: [
					field('name', 1, Type.STRING, { label: Label.REQUIRED }),
					field('note', 2, Type.STRING),
				],
			},
		],
	},
	{
		name: 'lost.proto',
		package: 'odd.v1',
		syntax: 'proto3',
		dependency: ['nowhere.proto'],
		service: [{ name: 'LostService' }],
	},
];

const SERVICE = 'odd.v1.OddService';

/** Creates a service with the given methods for one test file. Its descriptions are in several files, and its fields have no JSON names. */
export function createOddServer(
	methods: Readonly<Record<string, (request: Buffer) => Uint8Array>>,
) {
	const paths = Object.entries(methods).map(([name, method]) => [`/${SERVICE}/${name}`, method]);
	return createLyingServer({ answer: usual(...FILES), methods: Object.fromEntries(paths) });
}

export function oddCall(method: string, request: object | string, options: INodeParameters = {}) {
	return { ...callOf(method, request, options), service: SERVICE };
}
