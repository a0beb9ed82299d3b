import { encodeShortString, joinU256, splitU256 } from '../machine/felts.mts';
import { getSelector } from '../machine/hashes.mts';
import { createRefusalError } from '../machine/execution.mts';
import { type Context, createCairo0Class } from '../machine/contract.mts';
import type { AbiEntry, AbiParameter } from '../machine/types.mts';
import { getBalanceKey } from './token.mts';

type Types = Readonly<Record<string, string>>;

const listMembers = (types: Types): AbiParameter[] =>
	Object.entries(types).map(([name, type]) => ({ name, type }));

const describeOld = (name: string, inputs: Types, outputs: Types, isView = true): AbiEntry => ({
	type: 'function',
	name,
	inputs: listMembers(inputs),
	outputs: listMembers(outputs),
	...(isView && { stateMutability: 'view' }),
});

const describeOldEvent = (name: string, data: Types): AbiEntry => ({
	type: 'event',
	name,
	keys: [],
	data: listMembers(data),
});

/** Describes a struct in which each member takes one felt. */
const describeOldStruct = (name: string, ...members: string[]): AbiEntry => ({
	type: 'struct',
	name,
	size: members.length,
	members: members.map((member, offset) => ({ name: member, offset, type: 'felt' })),
});

/** An early kind of token: it has functions in camel case only, and its events have all members in the data. */
export const oldTokenClass = createCairo0Class(
	'old token',
	[
		describeOldStruct('Uint256', 'low', 'high'),
		describeOldEvent('Transfer', { from_: 'felt', to: 'felt', value: 'Uint256' }),
		describeOldEvent('Approval', { owner: 'felt', spender: 'felt', value: 'Uint256' }),
		describeOld('name', {}, { name: 'felt' }),
		describeOld('symbol', {}, { symbol: 'felt' }),
		describeOld('decimals', {}, { decimals: 'felt' }),
		describeOld('totalSupply', {}, { totalSupply: 'Uint256' }),
		describeOld('balanceOf', { account: 'felt' }, { balance: 'Uint256' }),
		describeOld('allowance', { owner: 'felt', spender: 'felt' }, { remaining: 'Uint256' }),
		describeOld('transfer', { recipient: 'felt', amount: 'Uint256' }, { success: 'felt' }, false),
		describeOld('approve', { spender: 'felt', amount: 'Uint256' }, { success: 'felt' }, false),
		describeOld(
			'transferFrom',
			{ sender: 'felt', recipient: 'felt', amount: 'Uint256' },
			{ success: 'felt' },
			false,
		),
	],
	{
		name: () => [encodeShortString('Old Token')],
		symbol: () => [encodeShortString('OLD')],
		decimals: () => [18n],
		totalSupply: (context) => splitU256(context.read('supply')),
		balanceOf: (context, [account = 0n] = []) => splitU256(context.read(getBalanceKey(account))),
		allowance: (context, [owner = 0n] = [], [spender = 0n] = []) =>
			splitU256(context.read(`allowance/${owner}/${spender}`)),
		transfer: (context, [to = 0n] = [], amount = []) =>
			moveOld(context, context.caller, to, joinU256(amount)),
		approve: (context, [spender = 0n] = [], amount = []) => {
			context.write(`allowance/${context.caller}/${spender}`, joinU256(amount));
			context.emit([getSelector('Approval')], [context.caller, spender, ...amount]);
			return [1n];
		},
		transferFrom: (context, [from = 0n] = [], [to = 0n] = [], amount = []) => {
			const key = `allowance/${from}/${context.caller}`;
			const left = context.read(key) - joinU256(amount);
			if (left < 0n) throw createRefusalError('ERC20: insufficient allowance');
			context.write(key, left);
			return moveOld(context, from, to, joinU256(amount));
		},
	},
);

function moveOld(context: Context, from: bigint, to: bigint, amount: bigint): bigint[] {
	const balance = context.read(getBalanceKey(from));
	if (to === 0n) throw createRefusalError('ERC20: cannot transfer to the zero address');
	if (balance < amount) throw createRefusalError('ERC20: transfer amount exceeds balance');
	context.write(getBalanceKey(from), balance - amount);
	context.write(getBalanceKey(to), context.read(getBalanceKey(to)) + amount);
	context.emit([getSelector('Transfer')], [from, to, ...splitU256(amount)]);
	return [1n];
}

export const IMPLEMENTATION = 'implementation';

const describeProxy = (getter: string) => [
	describeOld(getter, {}, { implementation: 'felt' }),
	describeOld('upgrade', { new_implementation: 'felt' }, {}, false),
	describeOldEvent('Upgraded', { implementation: 'felt' }),
	describeOld(
		'__default__',
		{ selector: 'felt', calldata_size: 'felt', calldata: 'felt*' },
		{ retdata_size: 'felt', retdata: 'felt*' },
		false,
	),
];

function upgrade(context: Context, [implementation = 0n]: bigint[] = []): bigint[] {
	context.write(IMPLEMENTATION, implementation);
	context.emit([getSelector('Upgraded')], [implementation]);
	return [];
}

const readImplementation = (context: Context) => [context.read(IMPLEMENTATION)];

/** A proxy that names a class. The class carries out the functions that the proxy does not have. */
export const proxyClass = createCairo0Class(
	'proxy',
	describeProxy('implementation'),
	{ implementation: readImplementation, upgrade },
	(context, selector, calldata) =>
		context.callLibrary(context.read(IMPLEMENTATION), selector, calldata),
);

/** A proxy of the oldest kind. It names a contract, and runs the code of that contract. */
export const oldestProxyClass = createCairo0Class(
	'oldest proxy',
	describeProxy('get_implementation'),
	{ get_implementation: readImplementation, upgrade },
	(context, selector, calldata) => {
		const classHash = context.getClassHash(context.read(IMPLEMENTATION));
		return context.callLibrary(classHash, selector, calldata);
	},
);

/** A contract of Cairo 0 with lists, structs and tuples. */
export const oldLedgerClass = createCairo0Class(
	'old ledger',
	[
		describeOldStruct('Uint256', 'low', 'high'),
		describeOldStruct('Entry', 'id', 'amount'),
		describeOldEvent('Recorded', { account: 'felt', entries_len: 'felt', entries: 'Entry*' }),
		describeOld('sum', { values_len: 'felt', values: 'felt*' }, { total: 'felt' }),
		describeOld(
			'echo_entries',
			{ entries_len: 'felt', entries: 'Entry*' },
			{ entries_len: 'felt', entries: 'Entry*' },
		),
		describeOld(
			'echo_pair',
			{ pair: '(x : felt, y : Uint256)' },
			{ pair: '(x : felt, y : Uint256)' },
		),
		describeOld('get_total', {}, { total: 'Uint256' }),
		describeOld('record', { entries_len: 'felt', entries: 'Entry*' }, {}, false),
		describeOld('fail', { message: 'felt' }, {}),
	],
	{
		sum: (_context, _count, values = []) => [values.reduce((total, value) => total + value, 0n)],
		echo_entries: (_context, count = [], entries = []) => [...count, ...entries],
		echo_pair: (_context, pair = []) => pair,
		get_total: (context) => splitU256(context.read('total')),
		record: (context, count = [], entries = []) => {
			const amounts = entries.filter((_felt, index) => index % 2 === 1);
			const added = amounts.reduce((total, amount) => total + amount, 0n);
			context.write('total', context.read('total') + added);
			context.emit([getSelector('Recorded')], [context.caller, ...count, ...entries]);
			return [];
		},
		fail: () => {
			throw createRefusalError('Ledger: failed as asked');
		},
	},
);
