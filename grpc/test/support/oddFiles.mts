import {
	FieldDescriptorProto_Label as Label,
	FieldDescriptorProto_Type as Type,
} from '@bufbuild/protobuf/wkt';
import type { File } from './oddServer.mts';

function field(name: string, number: number, type: Type | string, label = Label.OPTIONAL) {
	return typeof type === 'string'
		? { name, number, label, type: Type.MESSAGE, typeName: type }
		: { name, number, label, type };
}

const method = (name: string, inputType: string, outputType: string) => ({
	name,
	inputType,
	outputType,
});

/** The files that the odd server describes. */
export const FILES: readonly File[] = [
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
	// Only an Any refers to this file.
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
				field: [field('name', 1, Type.STRING, Label.REQUIRED), field('note', 2, Type.STRING)],
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
