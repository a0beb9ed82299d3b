import { parseFunction, type AbiFunction } from '../../nodes/core';
import { decodeCanonical, getSelector, throwUnclearCall } from './contracts';

/** The tokens that a call of a token's function moves, or lets somebody move. Addresses are 40 hex digits in lower case. */
export interface TokenMove {
	/** Who gets the tokens, or may take them. */
	readonly party: string;
	readonly role: PartyRole;
	/** Whose tokens they are; undefined where they can only be those of the signer. */
	readonly owner?: string;
	/** The amount in the smallest unit; `all` where a standing permission has no limit. */
	readonly amount: bigint | 'all';
	/** Whether ERC-20 has this function, so that a limit is enough to allow it. */
	readonly isOfToken: boolean;
	readonly takesBackOn: TakesBackOn;
	/** `transfer(address,uint256)` */
	readonly signature: string;
}

/** A receiver gets tokens at once, a spender may take them later. */
export type PartyRole = 'receiver' | 'spender';

/** The contracts on which a call revokes an approval and gives nothing to anybody. */
type TakesBackOn = 'anyContract' | 'tokens' | 'none';

type Values = readonly unknown[];

interface NamedFunction {
	readonly called: AbiFunction;
	readonly isOfToken: boolean;
	/** The index of the receiver, spender or operator among the arguments. */
	readonly party: number;
	readonly role: PartyRole;
	/** The index of the owner of the tokens. */
	readonly owner?: number;
	readonly amount: (values: Values) => TokenMove['amount'];
	readonly takesBackOn?: (values: Values) => TakesBackOn;
}

const tokenFunction = (signature: string, party: number, amount: number): NamedFunction => ({
	called: parseFunction(signature),
	isOfToken: true,
	party,
	role: 'receiver',
	amount: (values) => toInteger(values[amount]),
});

const approvingFunction = (signature: string): NamedFunction => ({
	...tokenFunction(signature, 0, 1),
	role: 'spender',
});

const nftFunction = (
	signature: string,
	party: number,
	amount: NamedFunction['amount'],
): NamedFunction => ({
	called: parseFunction(signature),
	isOfToken: false,
	party,
	role: 'receiver',
	amount,
});

const NOBODY = `0x${'0'.repeat(40)}`;

/**
 * The functions whose receivers the rules know, by their selectors. ERC-721 shares `transferFrom` and `approve` with
 * ERC-20: there the ID stands in place of the amount.
 */
export const NAMED_FUNCTIONS: Readonly<Record<string, NamedFunction>> = {
	'0xa9059cbb': tokenFunction('transfer(address to, uint256 amount)', 0, 1),
	'0x23b872dd': {
		...tokenFunction('transferFrom(address from, address to, uint256 amount)', 1, 2),
		owner: 0,
	},
	'0x095ea7b3': {
		...approvingFunction('approve(address spender, uint256 amount)'),
		// On a contract of ERC-721, `approve(spender, 0)` gives the NFT with the ID 0 away.
		takesBackOn: ([spender, amount]) => {
			if (spender === NOBODY) return 'anyContract';
			return toInteger(amount) === 0n ? 'tokens' : 'none';
		},
	},
	'0x39509351': approvingFunction('increaseAllowance(address spender, uint256 added)'),
	'0xa457c2d7': {
		...approvingFunction('decreaseAllowance(address spender, uint256 less)'),
		amount: () => 0n,
		takesBackOn: () => 'anyContract',
	},
	'0x42842e0e': nftFunction('safeTransferFrom(address from, address to, uint256 id)', 1, () => 1n),
	'0xb88d4fde': nftFunction(
		'safeTransferFrom(address from, address to, uint256 id, bytes data)',
		1,
		() => 1n,
	),
	'0xa22cb465': {
		...nftFunction('setApprovalForAll(address operator, bool approved)', 0, ([, approved]) =>
			approved === true ? 'all' : 0n,
		),
		role: 'spender',
		takesBackOn: ([, approved]) => (approved === true ? 'none' : 'anyContract'),
	},
	'0xf242432a': nftFunction(
		'safeTransferFrom(address from, address to, uint256 id, uint256 quantity, bytes data)',
		1,
		(values) => toInteger(values[3]),
	),
	'0x2eb2c2d6': nftFunction(
		'safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] quantities, bytes data)',
		1,
		(values) => sumIntegers(values[3]),
	),
};

/**
 * Decodes what a call (0x-hex in lower case) moves; undefined for an unknown function. A known function in anything but
 * its canonical encoding is refused.
 */
export function decodeMove(data: string): TokenMove | undefined {
	const named = NAMED_FUNCTIONS[getSelector(data)];
	if (!named) return undefined;
	const { called, isOfToken, party, role, owner, amount, takesBackOn } = named;
	const values = decodeCanonical(called, data);
	if (!values) return throwUnclearCall(called);
	return {
		party: getDigits(values[party]),
		role,
		...(owner !== undefined && { owner: getDigits(values[owner]) }),
		amount: amount(values),
		isOfToken,
		takesBackOn: takesBackOn?.(values) ?? 'none',
		signature: called.signature,
	};
}

function getDigits(address: unknown): string {
	return String(address).slice(2).toLowerCase();
}

function toInteger(value: unknown): bigint {
	return BigInt(String(value));
}

function sumIntegers(values: unknown): bigint {
	return (values as Values).reduce<bigint>((total, one) => total + toInteger(one), 0n);
}
