import { abiParser } from '../abi/abi';
import { decodeEventLog } from '../abi/event';
import { checksumAddress, ZERO_ADDRESS } from '../address';
import { decodeNftTransfers } from '../nftTransfers';
import { decodeTransfer } from '../transfers';
import { mapWithPauses, Pauses } from '../../net/pacing/slices';
import type { CoinMove, SimulatedLog } from './outcome';
import type { Approval, AssetMove } from './assets';
import { decodePermit2Approval, PERMIT2_EVENTS } from './permit2';

export interface SimulatedEffects {
	readonly moves: readonly AssetMove[];
	readonly approvals: readonly Approval[];
	/** The contracts that have written logs, each once. */
	readonly emitters: readonly string[];
}

/** The events of token standards, and of wrapped coins. Events with the same name differ in their indexed arguments. */
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

/** A log of a simulation, in the form in which the user gets it. */
export interface SimulatedEvent {
	readonly contract: string;
	/** The name of the event; null where no standard has it. */
	readonly event: string | null;
	/** The decoded arguments; null if the log cannot be decoded. */
	readonly args: Readonly<Record<string, unknown>> | null;
	readonly topics: readonly string[];
	readonly data: string;
}

/** Formats logs for the user, decoded if their event belongs to a standard. */
export async function formatEvents(logs: readonly SimulatedLog[]): Promise<SimulatedEvent[]> {
	return await mapWithPauses(logs, (log) => {
		const { address, topics, data } = log;
		const { event, args } = decodeEventLog(STANDARD_EVENTS, log);
		return { contract: checksumAddress(address), event, args, topics, data };
	});
}

/** Reads the transfers and approvals that the events of a transaction report. */
export async function readEffects(
	logs: readonly SimulatedLog[],
	coins: readonly CoinMove[],
): Promise<SimulatedEffects> {
	const pauses = new Pauses();
	const moves: AssetMove[] = coins.map((move) => ({
		kind: 'coin',
		token: null,
		id: null,
		...move,
	}));
	const approvals = new Map<string, Approval>();
	const wraps: AssetMove[] = [];
	for (const log of logs) {
		const said = readLog(log);
		for (const move of said.moves) moves.push(move);
		if (said.wrap) wraps.push(said.wrap);
		if (said.approval) setApproval(approvals, said.approval);
		await pauses.takeIfDue();
	}
	return {
		moves: [...moves, ...findSilentWraps(moves, wraps)],
		approvals: [...approvals.values()],
		emitters: [...new Set(logs.map(({ address }) => address))],
	};
}

/** What a log says, without regard to other logs. */
interface LogEffects {
	readonly moves: readonly AssetMove[];
	/** A wrapped coin that is created or destroyed, which may also have a transfer event. */
	readonly wrap: AssetMove | undefined;
	readonly approval: Approval | undefined;
}

export function readLog(log: SimulatedLog): LogEffects {
	return {
		moves: decodeMoves(log),
		wrap: decodeWrap(log),
		approval: decodeApproval(log) ?? decodePermit2Approval(log),
	};
}

/** Keeps the last approval of each spender. An event without an amount does not replace an earlier amount. */
function setApproval(approvals: Map<string, Approval>, approval: Approval): void {
	const key = getApprovalKey(approval);
	if (approval.value !== null || !approvals.has(key)) approvals.set(key, approval);
}

function decodeMoves(log: SimulatedLog): AssetMove[] {
	const token = log.address;
	const transfer = decodeTransfer({ ...log });
	if (transfer) {
		const { from, to, value } = transfer;
		return [{ kind: 'erc20', token, id: null, ...toParties(from, to), value: BigInt(value) }];
	}
	return decodeNftTransfers({ ...log }).flatMap(({ standard, tokenId, quantity, from, to }) => {
		// A batch that is too large to be decoded has no IDs, so it is left out.
		if (typeof tokenId !== 'string' || typeof quantity !== 'string') return [];
		const kind = standard === 'ERC-721' ? 'erc721' : 'erc1155';
		const parties = toParties(String(from), String(to));
		return [{ kind, token, id: tokenId, ...parties, value: BigInt(quantity) } as const];
	});
}

function toParties(from: string, to: string): Pick<AssetMove, 'from' | 'to'> {
	return { from: from.toLowerCase(), to: to.toLowerCase() };
}

const { events: WRAP_EVENTS } = abiParser('event')([
	'Deposit(address indexed account, uint256 value)',
	'Withdrawal(address indexed account, uint256 value)',
]);

function decodeWrap(log: SimulatedLog): AssetMove | undefined {
	const { event, args } = decodeEventLog(WRAP_EVENTS, log);
	if (!args) return undefined;
	const { account, value } = args;
	return buildWrap(log.address, { isDeposit: event === 'Deposit', account, value });
}

/** Builds the transfer of wrapped coins that a deposit creates, or a withdrawal destroys. */
export function buildWrap(
	token: string,
	{ isDeposit, account, value }: { isDeposit: boolean; account: unknown; value: unknown },
): AssetMove {
	const owner = String(account).toLowerCase();
	const [from, to] = isDeposit ? [ZERO_ADDRESS, owner] : [owner, ZERO_ADDRESS];
	return { kind: 'erc20', token, id: null, from, to, value: BigInt(String(value)) };
}

/**
 * Finds the wrapped coins that have no transfer log. They count only if as many coins went into their contract, or came
 * out of it.
 */
function findSilentWraps(moves: readonly AssetMove[], wraps: readonly AssetMove[]): AssetMove[] {
	const coins = new Tally();
	for (const { kind, from, to, value } of moves) {
		if (kind !== 'coin') continue;
		coins.add(`in ${to} ${value}`);
		coins.add(`out ${from} ${value}`);
	}
	return dropLoggedWraps(moves, wraps).filter(({ from, token, value }) =>
		coins.take(`${from === ZERO_ADDRESS ? 'in' : 'out'} ${token} ${value}`),
	);
}

/** Leaves out deposits and withdrawals of wrapped coins that also have a transfer log, so that none is counted twice. */
export function dropLoggedWraps(
	moves: readonly AssetMove[],
	wraps: readonly AssetMove[],
): AssetMove[] {
	const transfers = new Tally();
	for (const move of moves) if (move.kind === 'erc20') transfers.add(getMoveKey(move));
	return wraps.filter((wrap) => !transfers.take(getMoveKey(wrap)));
}

/** Counts entries by their keys. */
class Tally {
	private readonly counts = new Map<string, number>();

	add(key: string): void {
		this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
	}

	/** Removes an entry with the key, and returns whether there was one. */
	take(key: string): boolean {
		const left = this.counts.get(key) ?? 0;
		if (left > 0) this.counts.set(key, left - 1);
		return left > 0;
	}
}

function getMoveKey({ token, from, to, value }: AssetMove): string {
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

/** Returns a key that identifies an approval. A single ERC-721 token has only one approval, whoever owns it. */
export function getApprovalKey({ kind, token, owner, spender, id, contract }: Approval): string {
	if (kind === 'permit2') return `${kind} ${contract} ${token} ${owner} ${spender}`;
	return kind === 'erc721' ? `${kind} ${token} ${id}` : `${kind} ${token} ${owner} ${spender}`;
}
