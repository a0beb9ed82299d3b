import type { RpcReader } from '../../chain/reader';
import { numberToHex } from '../../values/numbers';
import { quoteSymbol, quoteText } from '../../values/quoted';
import type { ApprovalAfterwards } from '../simulate/approvals';
import type { Change } from '../simulate/changes';
import { simulateTransaction, type Simulation } from '../simulate/simulate';
import { listUnshownEvents } from '../simulate/unshown';
import type { UnsignedTransaction } from '../transactions/unsigned';

/** Simulates a transaction that has no nonce yet. */
export async function forecast(
	reader: RpcReader,
	{ from, to, value, data, gas, price, accessList }: Omit<UnsignedTransaction, 'chainId' | 'nonce'>,
): Promise<Simulation> {
	const prices = Object.entries(price).map(([name, wei]) => [name, numberToHex(wei)]);
	const transaction = {
		from: from.toLowerCase(),
		to: to?.toLowerCase(),
		value,
		data,
		gas,
		nonce: undefined,
		chainId: undefined,
		prices: Object.fromEntries(prices) as Record<string, string>,
		accessList,
	};
	return await simulateTransaction(reader, transaction, 'latest');
}

/** Adds the changes of a simulation to the output and the summary of a prepared transaction. */
export async function withForecast<Prepared extends { readonly summary: string }>(
	prepared: Prepared,
	simulation: Simulation | undefined,
) {
	if (!simulation) return prepared;
	const summary = `${prepared.summary} ${await formatForecast(simulation)}`;
	return { ...prepared, changes: simulation.changes, summary };
}

const MAX_REASON_CHARS = 200;

async function formatForecast(simulation: Simulation): Promise<string> {
	const { success, revertReason, changes, approvals } = simulation;
	if (!success) {
		const reason = quoteText(revertReason ?? '', MAX_REASON_CHARS);
		return `The chain node says that it would fail: ${reason}.`;
	}
	const others = await listUnshownEvents(simulation);
	const changed =
		changes.length > 0
			? `The chain node says what would change hands: ${formatList(changes, formatChange)}`
			: others.length === 0
				? 'The chain node says that nothing would change hands'
				: 'The chain node names no coins, tokens or NFTs that would change hands';
	const left =
		approvals.length === 0
			? ''
			: `; and these approvals would be left: ${formatList(approvals, formatApproval)}`;
	return `${changed}${left}${formatOthers(others)}.`;
}

function formatOthers(others: ReadonlyArray<string | null>): string {
	if (others.length === 0) return '';
	const counts = new Map<string | null, number>();
	for (const name of others) counts.set(name, (counts.get(name) ?? 0) + 1);
	const named = [...counts].map(([name, count]) => `${name ?? 'not decoded'} (${count})`);
	const count = others.length === 1 ? '1 other event' : `${others.length} other events`;
	return `; ${count} may mean more: ${named.join(', ')}`;
}

const MAX_LISTED = 20;

function formatList<T>(list: readonly T[], format: (one: T) => string): string {
	const more = list.length - MAX_LISTED;
	const shown = list.slice(0, MAX_LISTED).map(format).join(', ');
	return more > 0 ? `${shown} and ${more} more` : shown;
}

function formatChange({ account, kind, token, symbol, id, value, amount }: Change): string {
	const isLess = value.startsWith('-');
	const much = formatAmount(amount?.replace('-', '') ?? null, value.replace('-', ''));
	const what = kind === 'coin' ? 'coins' : formatThing(kind, token ?? '', symbol, id);
	return `${account} ${isLess ? 'loses' : 'gains'} ${much} ${what}`;
}

function formatThing(
	kind: Change['kind'],
	token: string,
	symbol: string | null,
	id: string | null,
): string {
	if (kind !== 'erc20') return `of the NFT ${id} of the contract ${token}`;
	const name = quoteSymbol(symbol);
	return `of the token ${token}${name === undefined ? '' : ` (${name})`}`;
}

/** Formats an amount for people. Without the token's decimals, the amount is in the smallest unit. */
function formatAmount(amount: string | null, value: string): string {
	return amount ?? `${value} of the smallest unit`;
}

function formatApproval(approval: ApprovalAfterwards): string {
	const { token, owner, spender, value, amount, isUnlimited, id, contract, expiration } = approval;
	const much = isUnlimited
		? 'an unlimited amount'
		: value === null
			? 'an unknown amount'
			: formatAmount(amount, value);
	const thing =
		id === undefined ? `of the token ${token}` : `of the NFT ${id} of the contract ${token}`;
	const through = contract === undefined ? '' : ` through the contract ${contract}`;
	const until = expiration ? ` until ${expiration}` : '';
	return `${spender} ${much} ${thing} of ${owner}${through}${until}`;
}
