import { invalidResponse } from '../../answers/answer';
import { RequestFailure } from '../../errors/requestFailure';
import { resultOf, type Outcome } from '../../operation/step';
import type { RpcRequest } from '../../protocols/rpcRequest';
import { abiWith } from '../abi/abi';
import { attempt } from '../abi/attempt';
import { decodeResult, encodeCall, functionOf } from '../abi/call';
import { Undecodable } from '../abi/types/chainData';
import type { AbiFunction } from '../abi/declared/entry';

const LONGEST = 200;
/** As much as a whole block may use: a token that never ends its answer fails soon. */
const GAS = '0x1c9c380';

const only = (signature: string) => functionOf(abiWith('function')(signature), '');

export const ERC20 = {
	name: only('name() returns (string)'),
	symbol: only('symbol() returns (string)'),
	decimals: only('decimals() returns (uint8)'),
	totalSupply: only('totalSupply() returns (uint256)'),
	balanceOf: only('balanceOf(address owner) returns (uint256)'),
} as const;

/** Some of the oldest tokens have their texts in 32 bytes. */
const OLD = {
	name: only('name() returns (bytes32)'),
	symbol: only('symbol() returns (bytes32)'),
} as const;

/** Where a token is asked, and of which block. */
export interface TokenPlace {
	readonly path: RpcRequest['path'];
	readonly token: string;
	readonly block?: string;
}

export function tokenCall(
	{ path, token, block = 'latest' }: TokenPlace,
	called: AbiFunction,
	...args: readonly unknown[]
): RpcRequest {
	return {
		path,
		method: 'eth_call',
		params: [{ to: token, data: encodeCall(called, args), gas: GAS }, block],
	};
}

/** A text that a token tells; null where it does not. */
export function textIn(outcome: Outcome | undefined, name: keyof typeof OLD): string | null {
	const hex = returned(outcome);
	const decoded = valueIn(hex, ERC20[name]);
	const text = typeof decoded === 'string' ? decoded : oldText(hex, OLD[name]);
	return text && text.length > LONGEST ? beginningOf(text) : text;
}

/** A copy: a part of a text keeps the whole of it in memory. */
function beginningOf(text: string): string {
	return Buffer.from(`${text.slice(0, LONGEST)}…`).toString();
}

export function decimalsIn(outcome: Outcome | undefined): number | null {
	const decimals = valueIn(returned(outcome), ERC20.decimals);
	return typeof decimals === 'number' ? decimals : null;
}

/** An amount in the smallest unit. */
export function amountIn(outcome: Outcome | undefined, called: AbiFunction): bigint | null {
	const amount = valueIn(returned(outcome), called);
	return typeof amount === 'string' ? BigInt(amount) : null;
}

/** What a call returned; nothing where the contract has no such function or fails. */
function returned(outcome: Outcome | undefined): string {
	if (outcome && 'failure' in outcome && isOfContract(outcome.failure)) return '0x';
	const result = resultOf(outcome);
	return typeof result === 'string' ? result : invalidResponse('return data as 0x-hex', result);
}

const EXECUTION =
	/revert|opcode|out of gas|gas required|stack|jump|execution|\bevm\b|\bvm\b|bad instruction|invalid instruction/i;

/** Whether the code of the contract failed, rather than the node. */
export function isOfContract({ message, retry, httpCode }: RequestFailure): boolean {
	return !retry && httpCode === undefined && EXECUTION.test(message);
}

function valueIn(hex: string, called: AbiFunction): unknown {
	const value = attempt(Undecodable, () => decodeResult(called, hex).result);
	return value instanceof Undecodable ? null : value;
}

const WORD_DIGITS = 66;

function oldText(hex: string, called: AbiFunction): string | null {
	const word = hex.length === WORD_DIGITS ? valueIn(hex, called) : null;
	if (typeof word !== 'string') return null;
	const bytes = Buffer.from(word.slice(2), 'hex');
	const end = bytes.indexOf(0);
	return bytes.subarray(0, end < 0 ? bytes.length : end).toString();
}

export function noToken(token: string): never {
	throw new RequestFailure(`There is no token at ${token}`, {
		description:
			'The contract does not answer as an ERC-20 token does, or there is no contract at this address on this chain.',
	});
}
