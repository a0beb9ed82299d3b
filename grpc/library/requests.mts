import type { DescMethod } from '@bufbuild/protobuf';
import { excerpt } from '../../nodes/core';
import { exactJson } from './json/scalars/exactJson.mts';
import { encodeMessage, type CodecOptions } from './json/messages.mts';
import { fail } from './problem.mts';
import type { Catalog } from './schema/catalog.mts';

/** JSON as the user gave it, as text or by an expression: of one request, or of a list of them. */
export interface RequestInput {
	readonly by: 'one' | 'many';
	readonly json: unknown;
}

/** The requests of a call as bytes. One request will do where a method takes a stream, but not the other way round. */
export async function encodeRequests(
	catalog: Catalog,
	{ name, input: type, methodKind }: DescMethod,
	{ by, json }: RequestInput,
	manner: CodecOptions,
): Promise<Uint8Array[]> {
	const label = by === 'one' ? "'Request'" : "'Requests'";
	const parsed = parseInput(label, json);
	const list = by === 'one' ? [parsed] : arrayIn(label, parsed);
	const takesOne = methodKind === 'unary' || methodKind === 'server_streaming';
	if (takesOne && list.length !== 1) tooMany(name, list.length);
	return await Promise.all(
		list.map(async (one, index) => {
			const place = by === 'one' ? label : `${label} [${index}]`;
			return await encodeMessage(catalog, { type, json: one, label: place }, manner);
		}),
	);
}

/** Nothing stands for a request without values. */
function parseInput(label: string, given: unknown): unknown {
	if (given === undefined || given === null) return undefined;
	if (typeof given === 'string' && given.trim() === '') return undefined;
	try {
		return exactJson(given);
	} catch {
		return refuse(`${label} must be JSON; got ${excerpt(given)}`);
	}
}

function arrayIn(label: string, json: unknown): readonly unknown[] {
	if (json === undefined) return [undefined];
	return Array.isArray(json) ? json : refuse(`${label} must be a JSON array; got ${excerpt(json)}`);
}

function tooMany(method: string, count: number): never {
	return refuse(
		`The method ${method} takes exactly one request, but ${count} were given`,
		'Only methods that take a stream of requests take a list of them.',
	);
}

function refuse(message: string, description?: string): never {
	return fail({ kind: 'refused', message, description });
}
