import { createHash } from 'crypto';
import { anyAbiParser, abiParser } from '../core/evm/abi/abi';
import { formatSignatures } from '../core/evm/abi/call';
import type { AbiItem } from '../core/evm/abi/entry';
import { hashTypedDataInSlices } from '../core/evm/abi/typedData';
import type { Field } from '../core/operation/field';
import { pureOperation } from '../core/protocols/pure';
import { runInSlices } from '../core/net/pacing/slices';
import { parseHexBytes, encodeHex } from '../core/values/hex';
import { keccak256InSlices } from '../core/values/keccak';
import { hashMessageInSlices } from '../core/evm/message';
import { parseEnsName, namehash } from '../core/evm/ensName';
import { parseExactText, type Parse, parseField, InvalidValue } from '../core/values/parse';
import { raise } from '../core/errors/raise';

const algorithm = {
	displayName: 'Algorithm',
	name: 'algorithm',
	type: 'options',
	default: 'keccak256',
	description: 'What to compute',
	options: [
		{
			name: 'Event Topic',
			value: 'topic',
			description: "The first topic of an event's logs: the hash of the event's name and types",
		},
		{
			name: 'Function Selector',
			value: 'selector',
			description:
				"The first four bytes of a call's or an error's data, which identify the function or the error",
		},
		{ name: 'Keccak-256', value: 'keccak256', description: 'The hash that EVM chains use' },
		{
			name: 'Message (EIP-191)',
			value: 'message',
			description: 'The hash that a wallet signs for a message',
		},
		{
			name: 'Name (Namehash)',
			value: 'namehash',
			description: 'The hash under which an ENS name is registered',
		},
		{ name: 'SHA-256', value: 'sha256' },
		{
			name: 'Typed Data (EIP-712)',
			value: 'typedData',
			description: 'The hash that a wallet signs for typed data',
		},
	],
} as const satisfies Field;

/** The input stays unparsed until the algorithm is known, because white space may be part of the hashed text. */
const parseAsGiven: Parse = (given) => given;

/** The field for the input, which gets another description for each algorithm. */
const input = {
	displayName: 'Input',
	name: 'input',
	type: 'string',
	typeOptions: { rows: 2 },
	default: '',
	parse: parseAsGiven,
} as const;

const bytesInput = {
	...input,
	placeholder: 'e.g. hello',
	description: 'The value to hash. Nothing is trimmed; even an empty text has a hash.',
	show: { algorithm: ['keccak256', 'message', 'sha256'] },
} as const satisfies Field;

const inputAs = {
	displayName: 'Input As',
	name: 'inputAs',
	type: 'options',
	default: 'text',
	description: 'Whether Input holds text, or bytes that are written as 0x-hex',
	options: [
		{ name: 'Hex', value: 'hex', description: 'Bytes, written as 0x-hex' },
		{ name: 'Text', value: 'text', description: 'The text itself, in UTF-8' },
	],
	show: { algorithm: ['keccak256', 'message', 'sha256'] },
} as const satisfies Field;

const functionInput = {
	...input,
	required: true,
	placeholder: 'e.g. transfer(address to, uint256 amount)',
	description: 'The function or the error as Solidity declares it, or its JSON ABI',
	show: { algorithm: ['selector'] },
} as const satisfies Field;

const eventInput = {
	...input,
	required: true,
	placeholder: 'e.g. Transfer(address indexed from, address indexed to, uint256 value)',
	description: 'The event as Solidity declares it, or its JSON ABI',
	show: { algorithm: ['topic'] },
} as const satisfies Field;

const nameInput = {
	...input,
	placeholder: 'e.g. wallet.example.eth',
	description:
		"The ENS name, of the letters a to z, digits and a few signs. Capital letters become small letters, and the apostrophe ' becomes ’. An empty name stands for the root, the parent of all names.",
	show: { algorithm: ['namehash'] },
} as const satisfies Field;

const typedDataInput = {
	...input,
	typeOptions: { rows: 5 },
	required: true,
	placeholder:
		'e.g. { "types": { "Mail": [{ "name": "text", "type": "string" }] }, "domain": { "name": "Example" }, "primaryType": "Mail", "message": { "text": "Hello" } }',
	description:
		'The typed data as JSON: an object with types, domain, primaryType and message. You may leave out the type EIP712Domain.',
	show: { algorithm: ['typedData'] },
} as const satisfies Field;

const compute = pureOperation({
	name: 'Compute',
	action: 'Compute hash',
	description:
		'Compute a hash, the selector of a function, the topic of an event, or the hash that a wallet signs for a message or typed data',
	fields: [algorithm, bytesInput, inputAs, functionInput, eventInput, nameInput, typedDataInput],
	result: async (p) => ({ hash: await computeHash(p.algorithm, p.input, p.inputAs === 'hex') }),
});

async function computeHash(chosen: string, given: unknown, isHex: boolean): Promise<string> {
	const label = input.displayName;
	const content = () => parseField(label, given, isHex ? parseHexBuffer : parseExactText);
	switch (chosen) {
		case 'selector':
			return parseField(label, given, parseSelector);
		case 'topic':
			return parseField(label, given, parseEventTopic);
		case 'namehash':
			return encodeHex(namehash(parseField(label, given, parseEnsName)));
		case 'typedData':
			return encodeHex(await runInSlices(hashTypedDataInSlices(given, label)));
		case 'message':
			return encodeHex(await runInSlices(hashMessageInSlices(content())));
		case 'sha256':
			return encodeHex(createHash('sha256').update(content()).digest());
		default:
			return encodeHex(await runInSlices(keccak256InSlices(content())));
	}
}

const parseHexBuffer: Parse<Buffer> = (given) => Buffer.from(parseHexBytes(given).slice(2), 'hex');

/** Parses a declaration to its selector: that of a function, or that of an error if the text declares no function. */
const parseSelector: Parse<string> = (given) => {
	const { functions, errors } = anyAbiParser('function')(given);
	const isError = functions.length === 0 && errors.length > 0;
	return (isError ? requireOne(errors) : requireOne(abiParser('function')(given).functions))
		.selector;
};

const parseEventTopic: Parse<string> = (given) => {
	const event = requireOne(abiParser('event')(given).events);
	return event.isAnonymous
		? raise(
				new InvalidValue(
					'an event without the word anonymous: the logs of an anonymous event have no topic that names the event',
				),
			)
		: event.topic;
};

function requireOne<Entry extends AbiItem>(entries: readonly Entry[]): Entry {
	const [only, ...others] = entries;
	return only && others.length === 0
		? only
		: raise(new InvalidValue(`a single declaration, not several: ${formatSignatures(entries)}`));
}

export const hash = { name: 'Hash', operations: { compute } };
