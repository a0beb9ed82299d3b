import { createHash } from 'crypto';
import { abiOf, abiWith } from '../core/abi/abi';
import { signaturesOf } from '../core/abi/call';
import type { AbiEntry } from '../core/abi/entry';
import { typedDataHash } from '../core/abi/typedData';
import type { Field } from '../core/operation/field';
import { pure } from '../core/operation/pure';
import { bytes, hexOf } from '../core/values/hex';
import { keccak256 } from '../core/values/keccak';
import { messageHash } from '../core/values/message';
import { chainName, namehash } from '../core/values/names';
import { exactText, mustBe, readAs, type Read } from '../core/values/read';

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
			description: 'The first topic of the logs of an event: the hash of its signature',
		},
		{
			name: 'Function Selector',
			value: 'selector',
			description: 'The four bytes that the data of a call begins with, or those of an error',
		},
		{ name: 'Keccak-256', value: 'keccak256', description: 'The hash that EVM chains use' },
		{
			name: 'Message (EIP-191)',
			value: 'message',
			description: 'What a wallet signs of a message',
		},
		{ name: 'Name (Namehash)', value: 'namehash', description: 'The node of a name in a registry' },
		{ name: 'SHA-256', value: 'sha256' },
		{
			name: 'Typed Data (EIP-712)',
			value: 'typedData',
			description: 'What a wallet signs of typed data',
		},
	],
} as const satisfies Field;

/** Read when the algorithm is known: white space is hashed as well. */
const asGiven: Read = (given) => given;

/** One parameter, explained for each algorithm. */
const input = {
	displayName: 'Input',
	name: 'input',
	type: 'string',
	typeOptions: { rows: 2 },
	default: '',
	read: asGiven,
} as const;

const bytesInput = {
	...input,
	placeholder: 'e.g. hello',
	description: 'What to hash. Nothing is trimmed; empty text has a hash, too.',
	show: { algorithm: ['keccak256', 'message', 'sha256'] },
} as const satisfies Field;

const inputAs = {
	displayName: 'Input As',
	name: 'inputAs',
	type: 'options',
	default: 'text',
	description: 'What the input stands for',
	options: [
		{ name: 'Hex', value: 'hex', description: 'The bytes that 0x-hex stands for' },
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
	description: 'The name, in ASCII; upper case is lowered. Empty for the root.',
	show: { algorithm: ['namehash'] },
} as const satisfies Field;

const typedDataInput = {
	...input,
	typeOptions: { rows: 5 },
	required: true,
	placeholder: 'e.g. { "types": {…}, "domain": {…}, "primaryType": "Mail", "message": {…} }',
	description:
		'The typed data as JSON: an object with types, domain, primaryType and message. The type EIP712Domain may be left out.',
	show: { algorithm: ['typedData'] },
} as const satisfies Field;

const compute = pure({
	name: 'Compute',
	action: 'Compute a hash',
	description:
		'Compute a hash, the selector of a function, the topic of an event, or what a wallet signs of a message or of typed data',
	fields: [
		...([algorithm, bytesInput, inputAs] as const),
		...([functionInput, eventInput, nameInput, typedDataInput] as const),
	],
	result: (p) => ({ hash: hashOf(p.algorithm, p.input, p.inputAs === 'hex') }),
});

function hashOf(chosen: string, given: unknown, isHex: boolean): string {
	const label = input.displayName;
	const content = () => readAs(label, given, isHex ? hexBytes : exactText);
	switch (chosen) {
		case 'selector':
			return readAs(label, given, selector);
		case 'topic':
			return readAs(label, given, topic);
		case 'namehash':
			return hexOf(namehash(readAs(label, given, chainName)));
		case 'typedData':
			return hexOf(typedDataHash(given, label));
		case 'message':
			return hexOf(messageHash(content()));
		case 'sha256':
			return hexOf(createHash('sha256').update(content()).digest());
		default:
			return hexOf(keccak256(content()));
	}
}

const hexBytes: Read<Buffer> = (given) => Buffer.from(bytes(given).slice(2), 'hex');

/** Of a function, or of an error where there is no function. */
const selector: Read<string> = (given) => {
	const { functions, errors } = abiOf('function')(given);
	const isError = functions.length === 0 && errors.length > 0;
	return (isError ? onlyOne(errors) : onlyOne(abiWith('function')(given).functions)).selector;
};

const topic: Read<string> = (given) => {
	const event = onlyOne(abiWith('event')(given).events);
	return event.isAnonymous
		? mustBe('an event that is not anonymous: logs of an anonymous one have no such topic')
		: event.topic;
};

function onlyOne<Entry extends AbiEntry>(entries: readonly Entry[]): Entry {
	const [only, ...others] = entries;
	return only && others.length === 0 ? only : mustBe(`one alone: it is ${signaturesOf(entries)}`);
}

export const hash = { name: 'Hash', operations: { compute } };
