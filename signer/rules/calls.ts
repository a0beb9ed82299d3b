import {
	decodeSelected,
	DecodingError,
	encodeCall,
	functionIn,
	InvalidInput,
} from '../../nodes/core';
import type { AbiFunction } from '../../nodes/core';

/** What a call of a token's function gives to whom. */
interface Move {
	/** 40 hex digits in lower case. */
	readonly receiver: string;
	/** In the smallest unit; `all` where a standing permission has no limit. */
	readonly amount: bigint | 'all';
	/** ERC-20 has this function: a limit is enough to allow it. */
	readonly isOfToken: boolean;
	/** `transfer(address,uint256)` */
	readonly signature: string;
}

interface Named {
	readonly called: AbiFunction;
	readonly isOfToken: boolean;
	/** The place of the receiver, spender or operator among the arguments. */
	readonly receiver: number;
	readonly amount: (values: readonly unknown[]) => Move['amount'];
}

const token = (signature: string, receiver: number, amount: number): Named => ({
	called: functionIn(signature),
	isOfToken: true,
	receiver,
	amount: (values) => integer(values[amount]),
});

const nft = (signature: string, receiver: number, amount: Named['amount']): Named => ({
	called: functionIn(signature),
	isOfToken: false,
	receiver,
	amount,
});

/**
 * The functions of which the rules know who gets something, by their selectors. ERC-721 shares `transferFrom` and
 * `approve` with ERC-20: there the ID stands where the amount does.
 */
export const NAMED: Readonly<Record<string, Named>> = {
	'0xa9059cbb': token('transfer(address to, uint256 amount)', 0, 1),
	'0x23b872dd': token('transferFrom(address from, address to, uint256 amount)', 1, 2),
	'0x095ea7b3': token('approve(address spender, uint256 amount)', 0, 1),
	'0x39509351': token('increaseAllowance(address spender, uint256 added)', 0, 1),
	'0x42842e0e': nft('safeTransferFrom(address from, address to, uint256 id)', 1, () => 1n),
	'0xb88d4fde': nft(
		'safeTransferFrom(address from, address to, uint256 id, bytes data)',
		1,
		() => 1n,
	),
	'0xa22cb465': nft('setApprovalForAll(address operator, bool approved)', 0, ([, approved]) =>
		approved === true ? 'all' : 0n,
	),
	'0xf242432a': nft(
		'safeTransferFrom(address from, address to, uint256 id, uint256 quantity, bytes data)',
		1,
		(values) => integer(values[3]),
	),
	'0x2eb2c2d6': nft(
		'safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] quantities, bytes data)',
		1,
		(values) => sum(values[3]),
	),
};

const SELECTOR = 10;

/**
 * What the data of a call (0x-hex in lower case) moves; undefined for a function of which nothing is known. Refused
 * is what begins as a known one and is written in any but the one way: contracts read dirty addresses, bytes at the
 * end and odd offsets as they like.
 */
export function moveOf(data: string): Move | undefined {
	const named = NAMED[data.slice(0, SELECTOR)];
	if (!named) return undefined;
	const { called, isOfToken, receiver, amount } = named;
	const values = valuesOf(called, data);
	if (!values || encodeCall(called, values) !== data) return unclear(called);
	return {
		receiver: String(values[receiver]).slice(2).toLowerCase(),
		amount: amount(values),
		isOfToken,
		signature: called.signature,
	};
}

function valuesOf(called: AbiFunction, data: string): readonly unknown[] | undefined {
	try {
		return decodeSelected([called], data)?.values;
	} catch (error) {
		return error instanceof DecodingError ? undefined : unclear(called);
	}
}

function unclear({ signature }: AbiFunction): never {
	throw new InvalidInput(
		`The rules Recipients and Token Limits can't be checked: the call of ${signature} is not encoded in the one canonical way`,
		'Encode it again, without bytes at the end and with zeros before addresses. Nothing was signed.',
	);
}

function integer(value: unknown): bigint {
	return BigInt(String(value));
}

function sum(values: unknown): bigint {
	return (values as readonly unknown[]).reduce<bigint>((total, one) => total + integer(one), 0n);
}
