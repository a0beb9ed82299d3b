import { fromBinary, fromJson, toBinary, toJson } from '@bufbuild/protobuf';
import { field, defineMessages, repeated, Type } from '../descriptors/handMade.mts';

/** What is asked of a service about itself. Both versions of the protocol have these messages in common. */
export type ReflectionRequest =
	| { readonly listServices: string }
	| { readonly fileContainingSymbol: string }
	| { readonly fileContainingExtension: { readonly message: string; readonly number: number } }
	| { readonly fileByFilename: string };

export interface ReflectionResponse {
	readonly listServicesResponse?: { readonly service?: ReadonlyArray<{ readonly name?: string }> };
	/** Descriptors of files, each in base64. */
	readonly fileDescriptorResponse?: { readonly fileDescriptorProto?: readonly string[] };
	readonly errorResponse?: { readonly errorCode?: number; readonly errorMessage?: string };
}

/** Fields of a choice send even an empty text. */
const choice = { oneofIndex: 0 };
const choices = { oneofDecl: [{ name: 'choice' }] };

/** The part of the protocol that is used. */
const { Request: request, Response: response } = defineMessages({
	Request: {
		...choices,
		field: [
			field('fileByFilename', 3, Type.STRING, choice),
			field('fileContainingSymbol', 4, Type.STRING, choice),
			field('fileContainingExtension', 5, '.Extension', choice),
			field('listServices', 7, Type.STRING, choice),
		],
	},
	Extension: { field: [field('message', 1, Type.STRING), field('number', 2, Type.INT32)] },
	Response: {
		...choices,
		field: [
			field('fileDescriptorResponse', 4, '.Files', choice),
			field('listServicesResponse', 6, '.Services', choice),
			field('errorResponse', 7, '.Error', choice),
		],
	},
	Files: { field: [field('fileDescriptorProto', 1, Type.BYTES, repeated)] },
	Services: { field: [field('service', 1, '.Service', repeated)] },
	Service: { field: [field('name', 1, Type.STRING)] },
	Error: { field: [field('errorCode', 1, Type.INT32), field('errorMessage', 2, Type.STRING)] },
});

export function encodeRequest(question: ReflectionRequest): Uint8Array {
	return toBinary(request, fromJson(request, question));
}

export function decodeResponse(bytes: Uint8Array): ReflectionResponse {
	return toJson(response, fromBinary(response, bytes)) as ReflectionResponse;
}
