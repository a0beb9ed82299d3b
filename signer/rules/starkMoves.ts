import {
	ADDRESS_BOUND,
	catching,
	computeSelector,
	decodeAmount,
	formatFelt,
} from '../../nodes/core';
import { throwRefused } from './refusal';
import type { StarkAddress } from './starkAddresses';
import type { StarkCall } from './starkCalls';
import type { PartyRole } from './calls';

/** The tokens that a call of a token's function moves, or lets somebody move. */
export interface StarkMove {
	/** Who gets the tokens, or may take them. */
	readonly party: StarkAddress;
	readonly role: PartyRole;
	/** Whose tokens they are; undefined where they can only be those of the signer. */
	readonly owner?: StarkAddress;
	/** The amount in the smallest unit; `all` where a standing permission has no limit, and for NFTs. */
	readonly amount: bigint | 'all';
	/** Whether ERC-20 has this function, so that a limit is enough to allow it. */
	readonly isOfToken: boolean;
	/** The contracts on which the call revokes an approval and gives nothing to anybody. */
	readonly takesBackOn: 'anyContract' | 'tokens' | 'none';
	readonly functionName: string;
}

/** Reads the calldata of a function; it throws Unclear where that holds other values. */
type ReadMove = (calldata: readonly bigint[]) => Omit<
	StarkMove,
	'functionName' | 'party' | 'owner'
> & {
	readonly party: bigint;
	readonly owner?: bigint;
};

/** It is caught where the name of the function is known. */
class Unclear extends Error {}

const throwUnclear = (): never => {
	throw new Unclear();
};

/** A contract cannot read what is larger than an address. */
function requireAddress(felt: bigint | undefined): bigint {
	return felt !== undefined && felt < ADDRESS_BOUND ? felt : throwUnclear();
}

const transfer: ReadMove = ([receiver, ...amount]) => ({
	party: requireAddress(receiver),
	role: 'receiver',
	amount: decodeAmount(amount) ?? throwUnclear(),
	isOfToken: true,
	takesBackOn: 'none',
});

const transferFrom: ReadMove = ([owner, ...calldata]) => ({
	...transfer(calldata),
	owner: requireAddress(owner),
});

const increaseAllowance: ReadMove = (calldata) => ({ ...transfer(calldata), role: 'spender' });

/** Without an amount it takes an approval back; for NFTs, the ID stands in place of the amount. */
const approve: ReadMove = (calldata) => {
	const move = increaseAllowance(calldata);
	if (move.party === 0n) return { ...move, takesBackOn: 'anyContract' };
	return { ...move, takesBackOn: move.amount === 0n ? 'tokens' : 'none' };
};

const decreaseAllowance: ReadMove = (calldata) => ({
	...increaseAllowance(calldata),
	amount: 0n,
	takesBackOn: 'anyContract',
});

const setApprovalForAll: ReadMove = ([operator, approved, ...others]) => {
	if (approved === undefined || approved > 1n || others.length > 0) throwUnclear();
	return {
		party: requireAddress(operator),
		role: 'spender',
		amount: approved === 1n ? 'all' : 0n,
		isOfToken: false,
		takesBackOn: approved === 1n ? 'none' : 'anyContract',
	};
};

/** ERC-721 and ERC-1155 have functions of the same name; what follows the receiver differs. */
const safeTransferFrom: ReadMove = ([owner, receiver]) => ({
	party: requireAddress(receiver),
	owner: requireAddress(owner),
	role: 'receiver',
	amount: 'all',
	isOfToken: false,
	takesBackOn: 'none',
});

/** The functions whose receivers the rules know, in both ways of writing names. */
const READERS_BY_NAME: Readonly<Record<string, ReadMove>> = {
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

/** Decodes what a call moves; undefined for an unknown function. A known function with other felts is refused. */
export function decodeStarkMove({ selector, calldata }: StarkCall): StarkMove | undefined {
	const named = NAMED_FUNCTIONS.get(selector);
	if (!named) return undefined;
	const { party, owner, ...move } = requireMove(named, calldata);
	return {
		...move,
		party: formatFelt(party),
		...(owner !== undefined && { owner: formatFelt(owner) }),
		functionName: named.name,
	};
}

interface NamedFunction {
	readonly name: string;
	readonly read: ReadMove;
}

/** A contract may read to its end what these rules can't. */
function requireMove(
	{ name, read }: NamedFunction,
	calldata: readonly bigint[],
): ReturnType<ReadMove> {
	const move = catching(Unclear, () => read(calldata));
	if (!(move instanceof Unclear)) return move;
	return throwRefused(
		`The rules can't be checked: the felts of a call of ${name} are not those that the standard says`,
		'Prepare it by Chain STARK: an address and, where there is an amount, two felts of 128 bits.',
	);
}
