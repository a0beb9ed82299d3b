import { parseFunction, type AbiFunction } from '../../nodes/core';
import { formatAddress, toAddressOnSameChain, type Address } from './addresses';
import { decodeCanonical, getSelector, refuseUnclearCall } from './contracts';
import {
	decodeTokenCall,
	type CallEffects,
	type PartyRole,
	type RevokesOn,
	type TokenCall,
} from './effects';

type Values = readonly unknown[];

interface NamedFunction {
	readonly called: AbiFunction;
	/** Whether the function belongs to ERC-20 tokens, so that a limit of the amount is enough to allow it. */
	readonly isErc20: boolean;
	/** The index of the receiver, spender or operator among the arguments. */
	readonly party: number;
	readonly role: PartyRole;
	/** The index of the owner of the tokens among the arguments. */
	readonly owner?: number;
	readonly amount: (values: Values) => bigint | 'all';
	readonly revokesOn?: (values: Values) => RevokesOn;
}

const tokenFunction = (signature: string, party: number, amount: number): NamedFunction => ({
	called: parseFunction(signature),
	isErc20: true,
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
	isErc20: false,
	party,
	role: 'receiver',
	amount,
});

const NOBODY = `0x${'0'.repeat(40)}`;

/**
 * The functions whose receivers the rules can read, by their selectors. NFTs (ERC-721) have the same `transferFrom` and `approve`, with an
 * ID in place of the amount.
 */
export const NAMED_FUNCTIONS: Readonly<Record<string, NamedFunction>> = {
	'0xa9059cbb': tokenFunction('transfer(address to, uint256 amount)', 0, 1),
	'0x23b872dd': {
		...tokenFunction('transferFrom(address from, address to, uint256 amount)', 1, 2),
		owner: 0,
	},
	'0x095ea7b3': {
		...approvingFunction('approve(address spender, uint256 amount)'),
		// `approve(spender, 0)` does not always revoke: on an NFT contract (ERC-721), it gives the spender the NFT with the ID 0.
		revokesOn: ([spender, amount]) => {
			if (spender === NOBODY) return 'anyContract';
			return toInteger(amount) === 0n ? 'tokens' : 'none';
		},
	},
	'0x39509351': approvingFunction('increaseAllowance(address spender, uint256 added)'),
	'0xa457c2d7': {
		...approvingFunction('decreaseAllowance(address spender, uint256 less)'),
		amount: () => 0n,
		revokesOn: () => 'anyContract',
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
		revokesOn: ([, approved]) => (approved === true ? 'none' : 'anyContract'),
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

/** A call of a contract on an EVM chain or on TRON. */
interface ContractCall {
	/** The signer. */
	readonly from: Address;
	readonly to: Address;
	/** The data as 0x-hex in lower case. */
	readonly data: string;
	/** Coins that are sent along, in the smallest unit. */
	readonly value: bigint;
}

/** Decodes the effects of a call. A call of a known function is refused if its encoding is not canonical. */
export function decodeContractCall(call: ContractCall): CallEffects {
	const { from, to, data, value } = call;
	const selector = getSelector(data);
	const coinsFor = value > 0n ? 'contract' : 'nothing';
	const place = { own: from, to, selector, data, coinsFor } as const;
	const token = readTokenCall(call, selector);
	return decodeTokenCall(place, `the function ${selector}`, token);
}

function readTokenCall({ to, data }: ContractCall, selector: string): TokenCall | undefined {
	const named = NAMED_FUNCTIONS[selector];
	if (!named) return undefined;
	const { called, isErc20, party, role, owner, amount, revokesOn } = named;
	const values = decodeCanonical(called, data);
	if (!values) return refuseUnclearCall(called);
	const toAddress = (value: unknown) => toAddressOnSameChain(to, getDigits(value));
	const { signature } = called;
	return {
		name: signature,
		party: toAddress(values[party]),
		role,
		owner: owner === undefined ? undefined : toAddress(values[owner]),
		amount: amount(values),
		isErc20,
		revokesOn: revokesOn?.(values) ?? 'none',
		about: (wanted = 'all of it') => `${signature} of ${formatAddress(to)} is about ${wanted}`,
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
