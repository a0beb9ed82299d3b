import type { AbiEntry } from '../machine/types.mts';
import {
	encodeByteArray,
	encodeShortString,
	joinU256,
	splitU256,
	toHex,
} from '../machine/felts.mts';
import { getSelector } from '../machine/hashes.mts';
import { createPanicError } from '../machine/execution.mts';
import * as abi from '../machine/contract.mts';

interface TokenOptions {
	/** A name that is unique to the token. The hash of its class is computed from it. */
	key: string;
	name: string;
	symbol: string;
	decimals: number;
	/**
	 * Whether the token is of a newer kind. Its name and symbol are ByteArrays, which can be long, and its ABI has
	 * functions in snake case only.
	 */
	isNew: boolean;
}

export const getBalanceKey = (account: bigint) => `balance/${toHex(account)}`;
const getAllowanceKey = (owner: bigint, spender: bigint) =>
	`allowance/${toHex(owner)}/${toHex(spender)}`;

const MAX_U256 = 2n ** 256n - 1n;

/** Moves tokens. The transfer event has both accounts among its keys. */
function move(context: abi.Context, from: bigint, to: bigint, amount: bigint, refusal: string) {
	const balance = context.read(getBalanceKey(from));
	if (to === 0n) throw createPanicError('ERC20: transfer to 0');
	if (balance < amount) throw createPanicError(refusal);
	context.write(getBalanceKey(from), balance - amount);
	context.write(getBalanceKey(to), context.read(getBalanceKey(to)) + amount);
	context.emit([getSelector('Transfer'), from, to], splitU256(amount));
}

function allow(context: abi.Context, owner: bigint, spender: bigint, amount: bigint) {
	if (spender === 0n) throw createPanicError('ERC20: approve to 0');
	context.write(getAllowanceKey(owner, spender), amount);
	context.emit([getSelector('Approval'), owner, spender], splitU256(amount));
}

const TRUE = [1n];

/** A token of Cairo 1. */
export function createTokenClass({ key, name, symbol, decimals, isNew }: TokenOptions) {
	const toText = isNew ? encodeByteArray : (text: string) => [encodeShortString(text)];
	const refusal = isNew ? 'ERC20: insufficient balance' : 'u256_sub Overflow';
	const allowanceRefusal = isNew ? 'ERC20: insufficient allowance' : 'u256_sub Overflow';

	const balanceOf: abi.ContractFunction = (context, [account = 0n] = []) =>
		splitU256(context.read(getBalanceKey(account)));
	const totalSupply: abi.ContractFunction = (context) => splitU256(context.read('supply'));
	const transferFrom: abi.ContractFunction = (
		context,
		[from = 0n] = [],
		[to = 0n] = [],
		felts = [],
	) => {
		const amount = joinU256(felts);
		const allowed = context.read(getAllowanceKey(from, context.caller));
		if (allowed < amount) throw createPanicError(allowanceRefusal);
		if (allowed !== MAX_U256) allow(context, from, context.caller, allowed - amount);
		move(context, from, to, amount, refusal);
		return TRUE;
	};
	const changeAllowance =
		(sign: bigint): abi.ContractFunction =>
		(context, [spender = 0n] = [], felts = []) => {
			const allowed = context.read(getAllowanceKey(context.caller, spender));
			const changed = allowed + sign * joinU256(felts);
			if (changed < 0n) throw createPanicError('u256_sub Overflow');
			if (changed > MAX_U256) throw createPanicError('u256_add Overflow');
			allow(context, context.caller, spender, changed);
			return TRUE;
		};

	return abi.createSierraClass(key, describeToken(isNew), {
		name: () => toText(name),
		symbol: () => toText(symbol),
		decimals: () => [BigInt(decimals)],
		balance_of: balanceOf,
		balanceOf,
		total_supply: totalSupply,
		totalSupply,
		allowance: (context, [owner = 0n] = [], [spender = 0n] = []) =>
			splitU256(context.read(getAllowanceKey(owner, spender))),
		transfer: (context, [to = 0n] = [], felts = []) => {
			move(context, context.caller, to, joinU256(felts), refusal);
			return TRUE;
		},
		approve: (context, [spender = 0n] = [], felts = []) => {
			allow(context, context.caller, spender, joinU256(felts));
			return TRUE;
		},
		transfer_from: transferFrom,
		transferFrom,
		increase_allowance: changeAllowance(1n),
		increaseAllowance: changeAllowance(1n),
		decrease_allowance: changeAllowance(-1n),
		decreaseAllowance: changeAllowance(-1n),
	});
}

function describeToken(isNew: boolean): AbiEntry[] {
	const text = isNew ? abi.BYTE_ARRAY : abi.FELT;
	const { ADDRESS, BOOL, U256, U8 } = abi;
	const { describeEvent, describeFunction, describeInterface } = abi;
	const write = (name: string, inputs: Record<string, string>) =>
		describeFunction(name, inputs, BOOL, 'external');
	const camel = [
		describeFunction('totalSupply', {}, U256),
		describeFunction('balanceOf', { account: ADDRESS }, U256),
		write('transferFrom', { sender: ADDRESS, recipient: ADDRESS, amount: U256 }),
		write('increaseAllowance', { spender: ADDRESS, addedValue: U256 }),
		write('decreaseAllowance', { spender: ADDRESS, subtractedValue: U256 }),
	];
	const component = 'openzeppelin::token::erc20::erc20::ERC20Component';
	return [
		...(isNew ? [abi.describeByteArray()] : []),
		abi.describeU256(),
		abi.describeBool(),
		...describeInterface('openzeppelin::token::erc20::interface::IERC20', [
			describeFunction('total_supply', {}, U256),
			describeFunction('balance_of', { account: ADDRESS }, U256),
			describeFunction('allowance', { owner: ADDRESS, spender: ADDRESS }, U256),
			write('transfer', { recipient: ADDRESS, amount: U256 }),
			write('transfer_from', { sender: ADDRESS, recipient: ADDRESS, amount: U256 }),
			write('approve', { spender: ADDRESS, amount: U256 }),
			write('increase_allowance', { spender: ADDRESS, added_value: U256 }),
			write('decrease_allowance', { spender: ADDRESS, subtracted_value: U256 }),
		]),
		...describeInterface('openzeppelin::token::erc20::interface::IERC20Metadata', [
			describeFunction('name', {}, text),
			describeFunction('symbol', {}, text),
			describeFunction('decimals', {}, U8),
		]),
		...(isNew
			? []
			: describeInterface('openzeppelin::token::erc20::interface::IERC20Camel', camel)),
		describeEvent(`${component}::Transfer`, { from: ADDRESS, to: ADDRESS, value: U256 }, [
			'from',
			'to',
		]),
		describeEvent(`${component}::Approval`, { owner: ADDRESS, spender: ADDRESS, value: U256 }, [
			'owner',
			'spender',
		]),
		abi.describeEvents(`${component}::Event`, {
			Transfer: `${component}::Transfer`,
			Approval: `${component}::Approval`,
		}),
		abi.describeEvents('sandbox::token::Token::Event', { ERC20Event: `${component}::Event` }, [
			'ERC20Event',
		]),
	];
}
