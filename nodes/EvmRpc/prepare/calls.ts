import { InvalidInput } from '../../../credentials/invalidInput';
import { abiWith } from '../../core/abi/abi';
import { byteCount } from '../../core/abi/data';
import {
	argumentsGiven,
	chosenFunction,
	encodedCall,
	encodedConstructor,
	functionName,
	functionOrAbi,
} from '../../core/abi/functionFields';
import { shortBytes, speltCall } from '../../core/abi/spelt';
import type { Field } from '../../core/operation/field';
import { coins } from '../../core/values/coins';
import { bytecode, bytes } from '../../core/values/hex';
import { optional } from '../../core/values/numbers';
import { mustBe } from '../../core/values/read';
import { address, checkReceiver, kind } from './kind';
import { addressText, coinsAlong, coinsText } from './summary';

const contract = {
	...address,
	displayName: 'To',
	name: 'to',
	description: 'The address of the contract',
} as const satisfies Field;

const changingFunction = {
	...functionOrAbi,
	placeholder: 'e.g. mint(address to, uint256 amount)',
	description: 'The function as Solidity declares it, or the JSON ABI of the contract',
} as const satisfies Field;

const amountAlong = {
	displayName: 'Amount',
	name: 'amount',
	type: 'string',
	default: '0',
	placeholder: 'e.g. 0.1',
	description: 'How much to pay along with it, in whole coins or with a unit (wei, gwei, ether)',
	read: (given: unknown) => optional(coins)(given) ?? 0n,
} as const satisfies Field;

export const contractFunction = kind({
	name: 'Contract Function',
	description: 'Call a function of a contract that changes something',
	fields: [contract, changingFunction, functionName, ...argumentsGiven, amountAlong],
	intent: (p, context) => {
		checkReceiver(p.to, context);
		const called = chosenFunction(p.function, p.functionName);
		if (p.amount > 0n && called.isPayable === false) return notPayable(called.name);
		const data = encodedCall(called, p);
		const spelt = speltCall(called, data.slice(called.selector.length));
		const says = `Call ${spelt} of the contract ${addressText(p.to)}${coinsAlong(p.amount)}`;
		return { says, to: p.to, value: p.amount, data, abi: p.function, isCall: true };
	},
});

function notPayable(name: string): never {
	throw new InvalidInput(
		`'Amount' must be 0: ${name} is not payable`,
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
	description:
		"What the compiler made of the contract, as hex, without the constructor's arguments",
	read: (given: unknown) => {
		const code = bytecode(given);
		return code === '0x' ? mustBe('the bytecode of a contract as hex') : code;
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
		'The constructor as Solidity declares it, or the JSON ABI of the contract. Empty where it takes no arguments.',
	read: optional(abiWith('constructor')),
} as const satisfies Field;

export const deployment = kind({
	name: 'Deployment',
	description: 'Put a contract on the chain',
	fields: [creationCode, constructorOrAbi, ...argumentsGiven, amountAlong],
	intent: (p) => {
		const [called] = p.function?.constructors ?? [];
		if (p.amount > 0n && called?.isPayable === false) return notPayable('the constructor');
		const encoded = encodedConstructor(p.function, p);
		const data = p.bytecode + encoded;
		const by = called ? ` by ${speltCall(called, encoded)}` : '';
		const says = `Deploy a contract of ${byteCount(data.slice(2))} bytes${by}${coinsAlong(p.amount)}`;
		return { says, to: undefined, value: p.amount, data, abi: p.function };
	},
});

const callData = {
	displayName: 'Data',
	name: 'data',
	type: 'string',
	default: '',
	placeholder: 'e.g. 0xa9059cbb…',
	description: 'The encoded call as 0x-hex',
	read: optional(bytes),
} as const satisfies Field;

export const data = kind({
	name: 'Data',
	description: 'Data that is encoded already',
	fields: [contract, callData, amountAlong],
	intent: (p, context) => {
		checkReceiver(p.to, context);
		const encoded = p.data ?? '0x';
		const says =
			encoded === '0x'
				? `Send ${coinsText(p.amount)} to ${addressText(p.to)}`
				: `Send the data ${shortBytes(encoded)} to ${addressText(p.to)}${coinsAlong(p.amount)}`;
		return { says, to: p.to, value: p.amount, data: encoded };
	},
});
