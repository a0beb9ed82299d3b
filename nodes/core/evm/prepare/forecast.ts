import type { RpcReader } from '../../chain/reader';
import { numberToHex } from '../../values/numbers';
import { quoteSymbol, quoteText } from '../../values/quoted';
import type { ApprovalAfterwards, Change } from '../simulate/changes';
import { simulateTransaction, type Simulation } from '../simulate/simulate';
import type { UnsignedTransaction } from '../transactions/unsigned';

/** Simulates a transaction before it takes its nonce. */
export async function forecast(
	chain: RpcReader,
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
	return await simulateTransaction(chain, transaction, 'latest');
}

/** Adds to the prepared transaction the changes that the node foresees. */
export function withForecast<Prepared extends { readonly summary: string }>(
	prepared: Prepared,
	simulation: Simulation | undefined,
) {
	if (!simulation) return prepared;
	const summary = `${prepared.summary} ${formatForecast(simulation)}`;
	return { ...prepared, changes: simulation.changes, summary };
}

const MAX_REASON_CHARS = 200;

function formatForecast({ success, revertReason, changes, approvals }: Simulation): string {
	if (!success) {
		const reason = quoteText(revertReason ?? '', MAX_REASON_CHARS);
		return `The node says that it would fail: ${reason}.`;
	}
	const changed =
		changes.length === 0
			? 'The node says that nothing would change hands'
			: `The node says what would change hands: ${formatList(changes, formatChange)}`;
	if (approvals.length === 0) return `${changed}.`;
	return `${changed}; and these approvals would be left: ${formatList(approvals, formatApproval)}.`;
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

/** Without decimals, an amount is that of the smallest unit. */
function formatAmount(amount: string | null, value: string): string {
	return amount ?? `${value} of the smallest unit`;
}

function formatApproval(approval: ApprovalAfterwards): string {
	const { token, owner, spender, value, amount, isUnlimited, id } = approval;
	const much = isUnlimited ? 'an unlimited amount' : formatAmount(amount, value ?? '');
	const thing =
		id === undefined ? `of the token ${token}` : `of the NFT ${id} of the contract ${token}`;
	return `${spender} ${much} ${thing} of ${owner}`;
}
