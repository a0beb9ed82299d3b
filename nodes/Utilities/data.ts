import { InvalidInput } from '../../credentials/invalidInput';
import { abiOf, abiWith, type Abi } from '../core/abi/abi';
import { decodeResult, decodeSelected, signaturesOf } from '../core/abi/call';
import { byKey } from '../core/abi/composed';
import { DecodingError } from '../core/abi/data';
import type { AbiError, AbiEvent, AbiFunction } from '../core/abi/entry';
import { decodeLog } from '../core/abi/event';
import {
	chosenFunction,
	encodedCall,
	functionFields,
	functionName,
	functionOrAbi,
} from '../core/abi/functionFields';
import type { Field } from '../core/operation/field';
import { pure } from '../core/operation/pure';
import { shownWhile } from '../core/operation/sharedFields';
import { bytes, hash } from '../core/values/hex';
import { listOf } from '../core/values/json';
import { attempt, isBlank, mustBe, readAs } from '../core/values/read';

const encode = pure({
	name: 'Encode',
	action: 'Encode a function call',
	description: 'Encode a function and its arguments as the data of a call or a transaction',
	fields: functionFields,
	result: (p) => ({ data: encodedCall(chosenFunction(p.function, p.functionName), p) }),
});

const kind = {
	displayName: 'Kind',
	name: 'kind',
	type: 'options',
	default: 'call',
	description: 'What the data is',
	options: [
		{ name: 'Call', value: 'call', description: 'The data of a call or a transaction' },
		{ name: 'Error', value: 'error', description: 'What a call reverted with' },
		{ name: 'Log', value: 'log', description: 'The topics and the data of an event' },
		{ name: 'Result', value: 'result', description: 'What a function returned' },
	],
} as const satisfies Field;

const errorOrAbi = {
	displayName: 'Error',
	name: 'function',
	type: 'string',
	typeOptions: { rows: 2 },
	default: '',
	placeholder: 'e.g. InsufficientBalance(uint256 available, uint256 required)',
	description:
		'The errors as Solidity declares them, or the JSON ABI of the contract. Error and Panic, which every contract may revert with, are known.',
	show: { kind: ['error'] },
	read: abiOf('error'),
} as const satisfies Field;

const eventOrAbi = {
	displayName: 'Event',
	name: 'function',
	type: 'string',
	typeOptions: { rows: 2 },
	required: true,
	default: '',
	placeholder: 'e.g. Transfer(address indexed from, address indexed to, uint256 value)',
	description: 'The event as Solidity declares it, or the JSON ABI of the contract',
	show: { kind: ['log'] },
	read: abiWith('event'),
} as const satisfies Field;

const data = {
	displayName: 'Data',
	name: 'data',
	type: 'string',
	typeOptions: { rows: 2 },
	required: true,
	default: '',
	placeholder: 'e.g. 0xa9059cbb…',
	description: 'What to decode, as 0x-hex',
	show: { kind: ['call', 'error', 'result'] },
	read: bytes,
} as const satisfies Field;

const dataOfLog = {
	displayName: 'Data',
	name: 'data',
	type: 'string',
	typeOptions: { rows: 2 },
	default: '',
	placeholder: 'e.g. 0x00000000000000000000000000000000000000000000000000000000000f4240',
	description: 'The data of the log as 0x-hex; empty where all arguments are indexed',
	show: { kind: ['log'] },
	read: (given: unknown) => (isBlank(given) ? '0x' : bytes(given)),
} as const satisfies Field;

const topics = {
	displayName: 'Topics',
	name: 'topics',
	type: 'string',
	typeOptions: { rows: 2 },
	default: '',
	placeholder: 'e.g. 0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
	description: 'The topics of the log in their order: comma-separated, or an array',
	show: { kind: ['log'] },
	read: listOf(hash),
} as const satisfies Field;

const decode = pure({
	name: 'Decode',
	action: 'Decode data of a contract',
	description: 'Decode a call, what a function returned, an error, or a log of an event',
	fields: [
		kind,
		...shownWhile({ kind: ['call', 'result'] }, [functionOrAbi]),
		...shownWhile({ kind: ['result'] }, [functionName]),
		...([errorOrAbi, eventOrAbi, data, dataOfLog, topics] as const),
	],
	result: (p) => {
		const given = p.data ?? '0x';
		const abi = p.function ?? NO_ABI;
		switch (p.kind) {
			case 'call':
				return selected(abi.functions, given);
			case 'error':
				return selected([...abi.errors, ...CHAIN_ERRORS], given);
			case 'log':
				return logOf(abi.events, p.topics ?? [], given);
			case 'result':
				return fitting(() => decodeResult(chosenFunction(abi, p.functionName), given));
		}
	},
});

const NO_ABI: Abi = abiOf('error')('');

/** Every contract may revert with these. */
const CHAIN_ERRORS = abiOf('error')('Error(string message); Panic(uint256 code)').errors;

function selected(entries: ReadonlyArray<AbiFunction | AbiError>, given: string) {
	const found = readAs('Data', given, (hex) => {
		const one = attempt(DecodingError, () => decodeSelected(entries, hex));
		if (one instanceof DecodingError) return mustBe(one.message);
		return one ?? mustBe(`data that begins with the selector of one of ${signaturesOf(entries)}`);
	});
	return { name: found.entry.name, args: byKey(found.entry.inputs, found.values) };
}

function logOf(events: readonly AbiEvent[], topics: readonly string[], given: string) {
	const { event, args } = decodeLog(events, { topics, data: given });
	if (event !== null && args) return { name: event, args };
	return readAs('Topics', topics, () =>
		event === null
			? mustBe(`topics that begin with that of one of ${signaturesOf(events)}`)
			: mustBe(`those of a log of ${event} as it is declared: these, or the data, do not fit it`),
	);
}

function fitting<T>(decoded: () => T): T {
	const value = attempt(DecodingError, decoded);
	if (value instanceof DecodingError) throw new InvalidInput(value.message);
	return value;
}

export const dataOfContract = { name: 'Data', operations: { encode, decode } };
