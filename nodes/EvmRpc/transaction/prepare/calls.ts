import { checksumAddress } from '../../../core/evm/address';
import { InvalidInput } from '../../../core/errors/invalidInput';
import { abiParser } from '../../../core/evm/abi/abi';
import { countBytes } from '../../../core/evm/abi/data';
import {
	argumentInputs,
	encodeGivenCall,
	encodeGivenConstructor,
	functionNames,
	listedFunctionField,
	parseGivenAbi,
	parseGivenFunction,
} from '../../../fields/functionFields';
import { formatDataSent } from '../../../core/evm/prepare/coins';
import { checkReceiver } from '../../../core/evm/prepare/intent';
import { formatCoinsAlong } from '../../../core/evm/prepare/summary';
import { formatCall } from '../../../core/evm/abi/callText';
import type { Field } from '../../../core/operation/field';
import { parseEther } from '../../../core/values/units';
import { parseBytecode, parseHexBytes } from '../../../core/values/hex';
import { optionalParser } from '../../../core/values/numbers';
import { InvalidValue } from '../../../core/values/parse';
import { addressField, transactionKind } from './transactionKind';
import { raise } from '../../../core/errors/raise';

const contract = {
	...addressField,
	displayName: 'Contract',
	name: 'to',
	description: 'The address of the contract',
} as const satisfies Field;

const changingFunction = listedFunctionField('e.g. mint(address to, uint256 amount)');

const paidAmount = {
	displayName: 'Amount',
	name: 'amount',
	type: 'string',
	default: '0',
	placeholder: 'e.g. 0.1',
	description: 'How many coins to send with the transaction',
	hint: 'In coins, or with the unit wei, gwei or ether',
	parse: (given: unknown) => optionalParser(parseEther)(given) ?? 0n,
} as const satisfies Field;

export const contractFunction = transactionKind({
	name: 'Contract Function',
	description: 'Call a function that changes something in a contract',
	fields: [contract, changingFunction, ...functionNames, ...argumentInputs, paidAmount],
	intent: (p, context) => {
		checkReceiver('Contract', p.to, context);
		const abi = parseGivenAbi(p.function, p.functionName);
		const called = parseGivenFunction(p.function, p.functionName);
		if (p.amount > 0n && called.isPayable === false) throw notPayableError(called.name);
		const data = encodeGivenCall(called, p);
		const spelt = formatCall(called, data.slice(called.selector.length));
		const sentence = `Call ${spelt} of the contract ${checksumAddress(p.to)}${formatCoinsAlong(p.amount)}`;
		return { sentence, to: p.to, value: p.amount, data, abi, isCall: true };
	},
});

function notPayableError(name: string): InvalidInput {
	return new InvalidInput(
		`'Amount' must be 0: the function ${name} takes no coins`,
		'A function that is not declared payable refuses coins.',
	);
}

const creationCode = {
	displayName: 'Bytecode',
	name: 'bytecode',
	type: 'string',
	typeOptions: { rows: 2 },
	required: true,
	default: '',
	placeholder: 'e.g. 0x6080604052…',
	description: 'The bytecode as hex from the compiler, without arguments',
	parse: (given: unknown) => {
		const code = parseBytecode(given);
		return code === '0x' ? raise(new InvalidValue('the bytecode of a contract as hex')) : code;
	},
} as const satisfies Field;

const constructorOrAbi = {
	displayName: 'Constructor',
	name: 'function',
	type: 'string',
	typeOptions: { rows: 2 },
	default: '',
	placeholder: 'e.g. constructor(string name)',
	description:
		'The constructor as Solidity declares it, or the JSON ABI. Empty if it takes no arguments.',
	parse: optionalParser(abiParser('constructor')),
} as const satisfies Field;

export const deployment = transactionKind({
	name: 'Deployment',
	description: 'Put a new contract on the chain',
	fields: [creationCode, constructorOrAbi, ...argumentInputs, paidAmount],
	intent: (p) => {
		const [called] = p.function?.constructors ?? [];
		if (p.amount > 0n && called?.isPayable === false) throw notPayableError('the constructor');
		const encoded = encodeGivenConstructor(p.function, p);
		const data = p.bytecode + encoded;
		const by = called ? ` by ${formatCall(called, encoded)}` : '';
		const sentence = `Deploy a contract of ${countBytes(data.slice(2))} bytes${by}${formatCoinsAlong(p.amount)}`;
		return { sentence, to: undefined, value: p.amount, data, abi: p.function };
	},
});

const callData = {
	displayName: 'Data',
	name: 'data',
	type: 'string',
	default: '',
	placeholder: 'e.g. 0xa9059cbb…',
	description: 'The encoded call as 0x-hex',
	parse: optionalParser(parseHexBytes),
} as const satisfies Field;

export const data = transactionKind({
	name: 'Data',
	description: 'Call a contract with data that is encoded already',
	fields: [contract, callData, paidAmount],
	intent: (p, context) => {
		checkReceiver('Contract', p.to, context);
		const encoded = p.data ?? '0x';
		const sentence = formatDataSent(p.to, p.amount, encoded);
		return { sentence, to: p.to, value: p.amount, data: encoded };
	},
});
