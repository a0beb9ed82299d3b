import { abiParser } from '../core/evm/abi/abi';
import type { Topic } from '../core/evm/abi/event';
import type { Field } from '../core/operation/field';
import { parseEvmAddress } from '../core/evm/address';
import { parseJsonValue, listParser } from '../core/values/json';
import { isRecord, isBlank, type Parse, InvalidValue } from '../core/values/parse';
import { keccak256 } from '../core/values/keccak';
import { optionalParser } from '../core/values/numbers';
import { raise } from '../core/errors/raise';

const MAX_TOPICS = 4;
/** The declaration of a real event is shorter than this limit, which bounds the time for hashing. */
const MAX_SIGNATURE_CHARS = 10_000;
const EVENT_SIGNATURE_PATTERN = /^[a-z_$][\w$]*\([\w$,()[\]]*\)$/i;

/**
 * Parses the topics of a log filter, by position. They are text with commas between the topics, JSON, or an array. A
 * topic is a hash, an address, the signature of an event, empty for any value, or a list of alternatives.
 */
export const parseTopics: Parse<readonly Topic[]> = (given) => {
	if (isBlank(given)) return [];
	const positions = splitPositions(given);
	if (positions.length > MAX_TOPICS) throw new InvalidValue(`at most ${MAX_TOPICS} topics`);
	const filter = positions.map((position) =>
		Array.isArray(position) ? position.map(parseTopic) : parseTopic(position),
	);
	// A null at the end would match only logs with at least that many topics, so it is removed.
	while (filter.at(-1) === null) filter.pop();
	return filter;
};

function splitPositions(given: unknown): readonly unknown[] {
	if (Array.isArray(given)) return given as unknown[];
	if (typeof given !== 'string') throw new InvalidValue('text or an array');
	const text = given.trim();
	if (text.startsWith('[')) return splitPositions(parseJsonValue(text));
	return splitOutsideParentheses(text);
}

/**
 * Splits text at the commas outside of parentheses. It stops after four parts: the rest is a fifth part, which is
 * refused.
 */
function splitOutsideParentheses(text: string): string[] {
	const positions: string[] = [];
	let start = 0;
	let depth = 0;
	for (let at = 0; at < text.length && positions.length < MAX_TOPICS; at++) {
		if (text[at] === '(') depth++;
		else if (text[at] === ')') depth--;
		else if (text[at] === ',' && depth <= 0) {
			positions.push(text.slice(start, at));
			start = at + 1;
			depth = 0;
		}
	}
	return [...positions, text.slice(start)];
}

function parseTopic(given: unknown): string | null {
	const value = typeof given === 'string' ? given.trim() : given;
	if (isBlank(value) || value === 'null' || value === '*') return null;
	if (typeof value !== 'string') throw new InvalidValue(EXPECTED_TOPICS);
	if (/^0x[0-9a-f]{64}$/i.test(value)) return value;
	if (value.length <= MAX_SIGNATURE_CHARS && EVENT_SIGNATURE_PATTERN.test(value))
		return hashSignature(value);
	if (/^0x[0-9a-f]{40}$/i.test(value))
		return `0x${parseEvmAddress(value).slice(2).padStart(64, '0')}`;
	throw new InvalidValue(EXPECTED_TOPICS);
}

const EXPECTED_TOPICS =
	'topics (the values by which logs are found): each a hash, an address, the signature of an event such as Transfer(address,address,uint256), or empty for any';

/** Hashes the signature of an event. The short types uint and int are written out first. */
function hashSignature(signature: string): string {
	const whole = signature.replace(/\b(u?int)(?=[,)[])/g, '$1256');
	return `0x${keccak256(Buffer.from(whole)).toString('hex')}`;
}

/** The contracts whose logs are wanted. */
export const addresses = {
	displayName: 'Addresses',
	name: 'addresses',
	type: 'string',
	default: '',
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description: 'Only logs of these contracts: comma-separated, or an array',
	hint: 'Empty for any contract',
	parse: listParser(parseEvmAddress),
} as const satisfies Field;

/**
 * Makes the field for an event's declaration. A trigger gives it another name, because its field `event` selects the
 * kind of event.
 */
export function eventField<const Name extends string>(displayName: string, name: Name) {
	return {
		displayName,
		name,
		type: 'string',
		default: '',
		placeholder: 'e.g. Transfer(address indexed from, address indexed to, uint256 value)',
		description:
			'The Solidity declaration of an event, or a JSON ABI with events. Only their logs come, decoded.',
		hint: 'Empty for any event',
		parse: optionalParser(abiParser('event')),
	} as const satisfies Field;
}

const parseConditions: Parse<Readonly<Record<string, unknown>>> = (given) => {
	const value = isBlank(given) ? {} : parseJsonValue(given);
	return isRecord(value) ? value : raise(new InvalidValue('a JSON object'));
};

export const where = {
	displayName: 'Where',
	name: 'where',
	type: 'json',
	default: '{}',
	description:
		'Only logs that match this JSON object of indexed arguments, each with a value or a list of allowed values',
	hint: 'e.g. { "to": "0x5aAe…BeAed" }',
	parse: parseConditions,
} as const satisfies Field;

export const topics = {
	displayName: 'Topics',
	name: 'topics',
	type: 'string',
	default: '',
	placeholder: 'e.g. Transfer(address,address,uint256)',
	description:
		'Only logs with these topics (indexed values), in their order. A topic is a hash, an address, an event such as Transfer(address,address,uint256), a list of alternatives, or empty for any value.',
	hint: 'If you use Topics, leave Event and Where empty',
	parse: parseTopics,
} as const satisfies Field;
