import type { JsonObject } from '../../values/json';
import { abiParser } from '../abi/abi';
import { decodeEventLog } from '../abi/event';
import { checksumAddress, ZERO_ADDRESS } from '../address';
import { decodeNftTransfers } from '../nftTransfers';
import { decodeTransfer } from '../transfers';
import { mapWithPauses, Pauses } from '../../net/pacing/slices';
import type { CoinMove, SimulatedLog } from './outcome';
import type { Approval, Move } from './assets';
import { decodePermit2Approval, PERMIT2_EVENTS } from './permit2';

export interface Effects {
	readonly moves: readonly Move[];
	readonly approvals: readonly Approval[];
	/** The contracts that have logs of their own, each once. */
	readonly emitters: readonly string[];
}

/** Events that a standard, or the wrapped coins of all chains, have. Those of one name differ in what is indexed. */
const { events: STANDARD_EVENTS } = abiParser('event')([
	'Transfer(address indexed from, address indexed to, uint256 value)',
	'Transfer(address indexed from, address indexed to, uint256 indexed tokenId)',
	'Approval(address indexed owner, address indexed spender, uint256 value)',
	'Approval(address indexed owner, address indexed approved, uint256 indexed tokenId)',
	'ApprovalForAll(address indexed owner, address indexed operator, bool approved)',
	'TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value)',
	'TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values)',
	'URI(string value, uint256 indexed id)',
	'Deposit(address indexed dst, uint256 wad)',
	'Withdrawal(address indexed src, uint256 wad)',
	'Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares)',
	'Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)',
	'OwnershipTransferred(address indexed previousOwner, address indexed newOwner)',
	'Upgraded(address indexed implementation)',
	'AdminChanged(address previousAdmin, address newAdmin)',
	'BeaconUpgraded(address indexed beacon)',
	'AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)',
	...PERMIT2_EVENTS,
]);

/** Formats logs for the user, decoded as far as the standards go. */
export async function formatEvents(logs: readonly SimulatedLog[]): Promise<JsonObject[]> {
	return await mapWithPauses(logs, (log) => {
		const { address, topics, data } = log;
		const { event, args } = decodeEventLog(STANDARD_EVENTS, log);
		return { contract: checksumAddress(address), event, args, topics, data };
	});
}

/** What the events of contracts say about themselves. */
export async function readEffects(
	logs: readonly SimulatedLog[],
	coins: readonly CoinMove[],
): Promise<Effects> {
	const pauses = new Pauses();
	const moves: Move[] = coins.map((move) => ({ kind: 'coin', token: null, id: null, ...move }));
	const approvals = new Map<string, Approval>();
	const wraps: Move[] = [];
	for (const log of logs) {
		for (const move of decodeMoves(log)) moves.push(move);
		const wrap = decodeWrap(log);
		if (wrap) wraps.push(wrap);
		const approval = decodeApproval(log) ?? decodePermit2Approval(log);
		if (approval) setApproval(approvals, approval);
		await pauses.takeIfDue();
	}
	return {
		moves: [...moves, ...findSilentWraps(moves, wraps)],
		approvals: [...approvals.values()],
		emitters: [...new Set(logs.map(({ address }) => address))],
	};
}

/** The last event counts; one without an amount leaves an earlier one as it is. */
function setApproval(approvals: Map<string, Approval>, approval: Approval): void {
	const key = getApprovalKey(approval);
	if (approval.value !== null || !approvals.has(key)) approvals.set(key, approval);
}

function decodeMoves(log: SimulatedLog): Move[] {
	const token = log.address;
	const transfer = decodeTransfer({ ...log });
	if (transfer) {
		const { from, to, value } = transfer;
		return [{ kind: 'erc20', token, id: null, ...toParties(from, to), value: BigInt(value) }];
	}
	return decodeNftTransfers({ ...log }).flatMap(({ standard, tokenId, quantity, from, to }) => {
		// A batch that is too large to be read says nothing of its tokens.
		if (typeof tokenId !== 'string' || typeof quantity !== 'string') return [];
		const kind = standard === 'ERC-721' ? 'erc721' : 'erc1155';
		const parties = toParties(String(from), String(to));
		return [{ kind, token, id: tokenId, ...parties, value: BigInt(quantity) } as const];
	});
}

function toParties(from: string, to: string): Pick<Move, 'from' | 'to'> {
	return { from: from.toLowerCase(), to: to.toLowerCase() };
}

const { events: WRAP_EVENTS } = abiParser('event')([
	'Deposit(address indexed account, uint256 value)',
	'Withdrawal(address indexed account, uint256 value)',
]);

/** A wrapped coin that comes into being, or ends. */
function decodeWrap(log: SimulatedLog): Move | undefined {
	const { event, args } = decodeEventLog(WRAP_EVENTS, log);
	if (!args) return undefined;
	const account = String(args.account).toLowerCase();
	const [from, to] = event === 'Deposit' ? [ZERO_ADDRESS, account] : [account, ZERO_ADDRESS];
	const value = BigInt(String(args.value));
	return { kind: 'erc20', token: log.address, id: null, from, to, value };
}

/**
 * The wraps that count: as many coins went into the contract, or came out of it, and it logs no transfer for the same. So each
 * counts once, whichever events the contract has.
 */
function findSilentWraps(moves: readonly Move[], wraps: readonly Move[]): Move[] {
	const counts = new Map<string, number>();
	const add = (key: string, count: number) => counts.set(key, (counts.get(key) ?? 0) + count);
	for (const move of moves) {
		if (move.kind === 'erc20') add(`token ${getMoveKey(move)}`, 1);
		if (move.kind === 'coin') {
			add(`in ${move.to} ${move.value}`, 1);
			add(`out ${move.from} ${move.value}`, 1);
		}
	}
	const take = (key: string) => {
		const left = counts.get(key) ?? 0;
		if (left > 0) counts.set(key, left - 1);
		return left > 0;
	};
	return wraps.filter((wrap) => {
		if (take(`token ${getMoveKey(wrap)}`)) return false;
		return take(`${wrap.from === ZERO_ADDRESS ? 'in' : 'out'} ${wrap.token} ${wrap.value}`);
	});
}

function getMoveKey({ token, from, to, value }: Move): string {
	return `${token} ${from} ${to} ${value}`;
}

const { events: APPROVAL_EVENTS } = abiParser('event')([
	'Approval(address indexed owner, address indexed spender, uint256 value)',
	'Approval(address indexed owner, address indexed spender, uint256 indexed tokenId)',
	'ApprovalForAll(address indexed owner, address indexed spender, bool approved)',
]);

function decodeApproval(log: SimulatedLog): Approval | undefined {
	const { event, args } = decodeEventLog(APPROVAL_EVENTS, log);
	if (!args) return undefined;
	const { owner, spender, value, tokenId, approved } = args;
	const whose = {
		token: log.address,
		owner: String(owner).toLowerCase(),
		spender: String(spender).toLowerCase(),
	};
	if (event === 'ApprovalForAll')
		return { kind: 'all', ...whose, value: approved === true ? 1n : 0n, id: null };
	if (tokenId === undefined)
		return { kind: 'erc20', ...whose, value: BigInt(String(value)), id: null };
	const isGiven = whose.spender !== ZERO_ADDRESS;
	return { kind: 'erc721', ...whose, value: isGiven ? 1n : 0n, id: String(tokenId) };
}

/** A single ERC-721 has one approval, whoever has it. */
export function getApprovalKey({ kind, token, owner, spender, id, contract }: Approval): string {
	if (kind === 'permit2') return `${kind} ${contract} ${token} ${owner} ${spender}`;
	return kind === 'erc721' ? `${kind} ${token} ${id}` : `${kind} ${token} ${owner} ${spender}`;
}
