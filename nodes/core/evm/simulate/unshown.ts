import { mapWithPauses } from '../../net/pacing/slices';
import { abiParser } from '../abi/abi';
import { decodeEventLog } from '../abi/event';
import { ZERO_ADDRESS } from '../address';
import { MAX_BATCH_TOKENS } from '../nftTransfers';
import type { AssetMove } from './assets';
import { getHoldingKey, sumMoves, type Change } from './changes';
import { buildWrap, dropLoggedWraps, readLog, type SimulatedEvent } from './effects';
import type { Holding } from './reads';

interface Shown {
	readonly events: readonly SimulatedEvent[];
	readonly changes: readonly Change[];
}

/** Lists the names of events that neither changes nor approvals explain. An event without a known name is null. */
export async function listUnshownEvents({ events, changes }: Shown): Promise<Array<string | null>> {
	const said = await mapWithPauses(events, readEvent);
	const moves = said.flatMap((one) => one.moves);
	const wraps = said.flatMap(({ wrap }) => wrap ?? []);
	const told = sumMoves([...moves, ...dropLoggedWraps(moves, wraps)]);
	const shown = new Map(changes.map((change) => [getChangeKey(change), BigInt(change.value)]));
	const shownTokens = new Set(changes.map(({ token }) => token?.toLowerCase()));

	/**
	 * An account that passes on all that it gets has no change. Its transfers count as shown if another account has a
	 * change of the same token.
	 */
	const isPassedOn = ({ token }: Holding, value: bigint) =>
		value === 0n && shownTokens.has(token ?? undefined);
	const isHoldingShown = (holding: Holding, isExact: boolean) => {
		const key = getHoldingKey(holding);
		const [value, change] = [told.get(key)?.value ?? 0n, shown.get(key)];
		if (change === undefined) return isPassedOn(holding, value);
		return !isExact || change === value;
	};
	const isMoveShown = (move: AssetMove, isExact: boolean) =>
		listHoldings(move).every((holding) => isHoldingShown(holding, isExact));

	// The shown change may differ from the amount of a transfer, because the balances say how much arrives. For a
	// deposit or a withdrawal, the change must equal the amount.
	const isShown = ({ moves: own, wrap, approval }: (typeof said)[number]) =>
		approval !== undefined ||
		(wrap !== undefined && isMoveShown(wrap, true)) ||
		(own.length > 0 && own.every((move) => isMoveShown(move, false)));
	return said.filter((one) => !isShown(one)).map(({ name }) => name);
}

function readEvent(event: SimulatedEvent) {
	const { contract, topics, data } = event;
	const log = { address: contract.toLowerCase(), topics, data };
	const { moves, wrap, approval } = readLog(log);
	return {
		name: formatName(event),
		moves,
		wrap: wrap ?? decodeShares(log),
		approval,
	};
}

function formatName({ event, args }: SimulatedEvent): string | null {
	if (event === null || args === null) return null;
	const isLarge = Array.isArray(args.ids) && args.ids.length > MAX_BATCH_TOKENS;
	return isLarge ? `${event} of more than ${MAX_BATCH_TOKENS} NFTs` : event;
}

const { events: VAULT_EVENTS } = abiParser('event')([
	'Deposit(address indexed sender, address indexed owner, uint256 assets, uint256 shares)',
	'Withdraw(address indexed sender, address indexed receiver, address indexed owner, uint256 assets, uint256 shares)',
]);

/**
 * Decodes the shares of a vault that a deposit creates or a withdrawal destroys. What the vault takes or pays has its own
 * events.
 */
function decodeShares(log: Parameters<typeof readLog>[0]): AssetMove | undefined {
	const { event, args } = decodeEventLog(VAULT_EVENTS, log);
	if (!args) return undefined;
	const { owner: account, shares: value } = args;
	return buildWrap(log.address, { isDeposit: event === 'Deposit', account, value });
}

function listHoldings({ kind, token, id, from, to }: AssetMove): Holding[] {
	return [from, to]
		.filter((account) => account !== ZERO_ADDRESS)
		.map((account) => ({ kind, token, id, account }));
}

function getChangeKey({ kind, token, id, account }: Change): string {
	const lowered = { token: token?.toLowerCase() ?? null, account: account.toLowerCase() };
	return getHoldingKey({ kind, id, ...lowered });
}
