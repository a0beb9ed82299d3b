import { InvalidInput } from '../core/errors/invalidInput';
import { anyAbiParser, abiParser, type Abi } from '../core/evm/abi/abi';
import { decodeFunctionResult, decodeBySelector, formatSignatures } from '../core/evm/abi/call';
import { buildNamedValues } from '../core/values/namedValues';
import { DecodingError } from '../core/evm/abi/data';
import type { AbiError, AbiEvent, AbiFunction } from '../core/evm/abi/entry';
import { decodeEventLog } from '../core/evm/abi/event';
import {
	parseFunctionChoice,
	encodeGivenCall,
	functionFields,
	functionNames,
	functionOrAbi,
} from '../fields/functionFields';
import type { Field } from '../core/operation/field';
import { pureOperation } from '../core/protocols/pure';
import { showWhile } from '../core/operation/sharedFields';
import { parseHexBytes, parseHash } from '../core/values/hex';
import { listParser } from '../core/values/json';
import { catching, isBlank, parseField, InvalidValue } from '../core/values/parse';
import { raise } from '../core/errors/raise';

const encode = pureOperation({
	name: 'Encode',
	action: 'Encode function call',
	description: 'Encode a function and its arguments as the data of a call or a transaction',
	fields: functionFields,
	result: (p) => ({ data: encodeGivenCall(parseFunctionChoice(p.function, p.functionName), p) }),
});

const kind = {
	displayName: 'Kind',
	name: 'kind',
	type: 'options',
	default: 'call',
	description: 'What to decode',
	options: [
		{
			name: 'Call',
			value: 'call',
			description: 'Decode which function is called, and with which arguments',
		},
		{
			name: 'Error',
			value: 'error',
			description: 'Decode the error that says why a call failed (reverted)',
		},
		{ name: 'Log', value: 'log', description: 'Decode the event that a contract wrote (a log)' },
		{ name: 'Result', value: 'result', description: 'Decode the result that a function returned' },
	],
} as const satisfies Field;

/** The number one million, in the form in which contracts encode it. */
const UINT_EXAMPLE = 'e.g. 0x00000000000000000000000000000000000000000000000000000000000f4240';

const errorOrAbi = {
	displayName: 'Error',
	name: 'function',
	type: 'string',
	typeOptions: { rows: 2 },
	default: '',
	placeholder: 'e.g. InsufficientBalance(uint256 available, uint256 required)',
	description:
		'The errors as Solidity declares them, or the JSON ABI of the contract. Error and Panic, which any contract may use, are built in.',
	show: { kind: ['error'] },
	parse: anyAbiParser('error'),
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
	parse: abiParser('event'),
} as const satisfies Field;

const data = {
	displayName: 'Data',
	name: 'data',
	type: 'string',
	typeOptions: { rows: 3 },
	required: true,
	default: '',
	placeholder: 'e.g. 0x70a082310000000000000000000000005aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
	description: 'The data to decode, as 0x-hex',
	show: { kind: ['call'] },
	parse: parseHexBytes,
} as const satisfies Field;

const dataOfError = {
	...data,
	placeholder: 'e.g. 0x4e487b710000000000000000000000000000000000000000000000000000000000000011',
	show: { kind: ['error'] },
} as const satisfies Field;

const dataOfResult = {
	...data,
	placeholder: UINT_EXAMPLE,
	show: { kind: ['result'] },
} as const satisfies Field;

const dataOfLog = {
	displayName: 'Data',
	name: 'data',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	placeholder: UINT_EXAMPLE,
	description: 'The data of the log as 0x-hex',
	hint: 'Data is needed unless all arguments of the event are indexed: the topics of the log hold indexed arguments',
	show: { kind: ['log'] },
	parse: (given: unknown) => (isBlank(given) ? '0x' : parseHexBytes(given)),
} as const satisfies Field;

const topics = {
	displayName: 'Topics',
	name: 'topics',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	placeholder:
		'e.g. 0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef, 0x0000000000000000000000005aaeb6053f3e94c9b9a09f33669435e7ef1beaed, 0x000000000000000000000000fb6916095ca1df60bb79ce92ce3ea74c37c5d359',
	description: 'The topics of the log in their order: comma-separated, or an array',
	hint: 'Needed, except for an event that is declared as anonymous and has no indexed arguments',
	show: { kind: ['log'] },
	parse: listParser(parseHash),
} as const satisfies Field;

const decode = pureOperation({
	name: 'Decode',
	action: 'Decode data of contract',
	description: 'Decode a call, what a function returned, an error, or a log of an event',
	fields: [
		kind,
		...showWhile({ kind: ['call', 'result'] }, [functionOrAbi]),
		...showWhile({ kind: ['result'] }, functionNames),
		errorOrAbi,
		eventOrAbi,
		data,
		dataOfError,
		dataOfLog,
		dataOfResult,
		topics,
	],
	result: (p) => {
		const given = p.data ?? '0x';
		const abi = p.function ?? NO_ABI;
		switch (p.kind) {
			case 'call':
				return decodeSelectedItem(abi.functions, given);
			case 'error':
				return decodeSelectedItem([...abi.errors, ...BUILT_IN_ERRORS], given);
			case 'log':
				return decodeLog(abi.events, p.topics ?? [], given);
			case 'result':
				return decodeOrThrow(() =>
					decodeFunctionResult(parseFunctionChoice(abi, p.functionName), given),
				);
		}
	},
});

const NO_ABI: Abi = anyAbiParser('error')('');

/** Every contract may revert with these two errors, which Solidity defines. */
const BUILT_IN_ERRORS = anyAbiParser('error')('Error(string message); Panic(uint256 code)').errors;

function decodeSelectedItem(entries: ReadonlyArray<AbiFunction | AbiError>, given: string) {
	const found = parseField('Data', given, (hex) => {
		const one = catching(DecodingError, () => decodeBySelector(entries, hex));
		if (one instanceof DecodingError) throw new InvalidValue(one.message);
		return (
			one ??
			raise(
				new InvalidValue(
					`data that begins with the selector (the first 4 bytes) of one of these: ${formatSignatures(entries)}`,
				),
			)
		);
	});
	return { name: found.entry.name, args: buildNamedValues(found.entry.inputs, found.values) };
}

function decodeLog(events: readonly AbiEvent[], topics: readonly string[], given: string) {
	const { event, args } = decodeEventLog(events, { topics, data: given });
	if (event !== null && args) return { name: event, args };
	return parseField('Topics', topics, () =>
		event === null
			? raise(
					new InvalidValue(
						`topics of which the first is the hash of one of these events: ${formatSignatures(events)}`,
					),
				)
			: raise(
					new InvalidValue(
						`the topics of a log of ${event}: the topics or the data do not match the declaration of the event`,
					),
				),
	);
}

function decodeOrThrow<T>(decoded: () => T): T {
	const value = catching(DecodingError, decoded);
	if (value instanceof DecodingError) throw new InvalidInput(value.message);
	return value;
}

export const dataOfContract = { name: 'Data', operations: { encode, decode } };
