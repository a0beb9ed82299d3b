import {
	ADDRESS_BOUND,
	catching,
	computeSelector,
	decodeAmount,
	encodeFelt,
	formatFelt,
} from '../../nodes/core';
import { decodeTokenCall, type CallEffects, type TokenCall } from './effects';
import { refuse } from './refusal';
import type { StarkAddress } from './starkAddresses';

/** A call that an account makes in a transaction. */
export interface StarkCall {
	readonly to: StarkAddress;
	readonly selector: bigint;
	readonly calldata: readonly bigint[];
}

/** Reads the calldata of a function. Throws Unclear if the calldata does not fit the function. */
type ReadCall = (calldata: readonly bigint[]) => Pick<
	TokenCall,
	'amount' | 'isErc20' | 'revokesOn' | 'role'
> & {
	readonly party: bigint;
	readonly owner?: bigint;
};

/** Thrown if calldata does not fit a function. It is caught where the function's name is known for the error text. */
class Unclear extends Error {}

const throwUnclear = (): never => {
	throw new Unclear();
};

/** Returns the value if it can be an address. A contract would reject a larger value. */
function requireAddress(felt: bigint | undefined): bigint {
	return felt !== undefined && felt < ADDRESS_BOUND ? felt : throwUnclear();
}

const transfer: ReadCall = ([receiver, ...amount]) => ({
	party: requireAddress(receiver),
	role: 'receiver',
	amount: decodeAmount(amount) ?? throwUnclear(),
	isErc20: true,
	revokesOn: 'none',
});

const transferFrom: ReadCall = ([owner, ...calldata]) => ({
	...transfer(calldata),
	owner: requireAddress(owner),
});

const increaseAllowance: ReadCall = (calldata) => ({ ...transfer(calldata), role: 'spender' });

/** Reads an approval. A value of 0 revokes on tokens only: on NFTs, the value is an ID, so 0 approves the NFT 0. */
const approve: ReadCall = (calldata) => {
	const read = increaseAllowance(calldata);
	if (read.party === 0n) return { ...read, revokesOn: 'anyContract' };
	return { ...read, revokesOn: read.amount === 0n ? 'tokens' : 'none' };
};

const decreaseAllowance: ReadCall = (calldata) => ({
	...increaseAllowance(calldata),
	amount: 0n,
	revokesOn: 'anyContract',
});

const setApprovalForAll: ReadCall = ([operator, approved, ...others]) => {
	if (approved === undefined || approved > 1n || others.length > 0) throwUnclear();
	return {
		party: requireAddress(operator),
		role: 'spender',
		amount: approved === 1n ? 'all' : 0n,
		isErc20: false,
		revokesOn: approved === 1n ? 'none' : 'anyContract',
	};
};

/** Reads transfers of ERC-721 and ERC-1155. Both standards have a function of this name, with different values after the receiver. */
const safeTransferFrom: ReadCall = ([owner, receiver]) => ({
	party: requireAddress(receiver),
	owner: requireAddress(owner),
	role: 'receiver',
	amount: 'all',
	isErc20: false,
	revokesOn: 'none',
});

/** The functions whose receivers the rules can read, each by both spellings of its name. */
const READERS_BY_NAME: Readonly<Record<string, ReadCall>> = {
	transfer,
	transfer_from: transferFrom,
	transferFrom,
	approve,
	increase_allowance: increaseAllowance,
	increaseAllowance,
	decrease_allowance: decreaseAllowance,
	decreaseAllowance,
	set_approval_for_all: setApprovalForAll,
	setApprovalForAll,
	safe_transfer_from: safeTransferFrom,
	safeTransferFrom,
	safe_batch_transfer_from: safeTransferFrom,
	safeBatchTransferFrom: safeTransferFrom,
};

const NAMED_FUNCTIONS = new Map(
	Object.entries(READERS_BY_NAME).map(([name, read]) => [computeSelector(name), { name, read }]),
);

/** Decodes the effects of a call. A call of a known function is refused if its values do not follow the standard. */
export function decodeStarkCall(own: StarkAddress, call: StarkCall): CallEffects {
	const { to, selector, calldata } = call;
	const encoded = encodeFelt(selector);
	const place = { own, to, selector: encoded, data: '', coinsFor: 'nothing' } as const;
	const named = NAMED_FUNCTIONS.get(selector);
	const token = named && toTokenCall(to, named.name, requireCall(named, calldata));
	return decodeTokenCall(place, `the function with the selector ${encoded}`, token);
}

function toTokenCall(to: StarkAddress, name: string, read: ReturnType<ReadCall>): TokenCall {
	const { owner, party } = read;
	return {
		...read,
		name,
		party: formatFelt(party),
		owner: owner === undefined ? undefined : formatFelt(owner),
		about: (wanted = 'all of it, or an NFT') => `the calls of ${to} are about ${wanted}`,
	};
}

interface NamedFunction {
	readonly name: string;
	readonly read: ReadCall;
}

/** Reads a call of a known function. Refuses calldata that does not follow the standard, because a contract might read it differently. */
function requireCall(
	{ name, read }: NamedFunction,
	calldata: readonly bigint[],
): ReturnType<ReadCall> {
	const call = catching(Unclear, () => read(calldata));
	if (!(call instanceof Unclear)) return call;
	return refuse(
		`The rules can't be checked: the felts of a call of ${name} are not those that the standard says`,
		'Prepare it by Chain STARK: an address and, where there is an amount, two felts of 128 bits.',
	);
}
