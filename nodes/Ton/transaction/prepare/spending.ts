import { RequestFailure } from '../../../core/errors/requestFailure';
import type { RunContext } from '../../../core/operation/operation';
import { formatTonAddresses, type TonAccount } from '../../../core/ton/address';
import { formatCoins, throwFewJettons, type PlannedMessage } from '../../../core/ton/payments';
import { readSender, type Sender } from '../../../core/ton/sender';
import { Turns } from '../../../core/net/pacing/turns';
import type { RestRequest } from '../../../core/protocols/rest';

/** A wallet between two of its transfers. */
interface WalletState {
	readonly seqno: number;
	/** The sum that the transfers before spend, in nanocoins. */
	readonly spent: bigint;
	/** The jettons that the transfers before spend, by the wallet of the jetton. */
	readonly spentJettons: ReadonlyMap<string, bigint>;
}

/** The costs of a transfer, for which a wallet must have enough after the transfers before it. */
export interface Spending {
	/** The cost includes the fee. The word `all` takes what the transfers before leave over. */
	readonly cost: bigint | 'all';
	/** The fee is zero where it is unknown. */
	readonly fee: bigint;
	readonly messages: readonly PlannedMessage[];
}

interface Taken {
	readonly seqno: number;
	/** The cost is in nanocoins. */
	readonly cost: bigint;
}

/** Keeps an item's place in the order of the items. */
interface SeqnoReservation {
	readonly sender: Promise<Sender>;
	use(spending: Spending): Promise<Taken>;
	/** Gives the place up: where it was not used, the seqno goes to the next item. */
	release(): void;
}

interface WalletTurns {
	readonly sender: Promise<Sender>;
	readonly turns: Turns<WalletState>;
}

const createWallets = () => new Map<string, WalletTurns>();
const NOTHING_SPENT = { spent: 0n, spentJettons: new Map<string, bigint>() };

type Context = RunContext<RestRequest>;

/**
 * Reserves a place among the items with this wallet. An item calls this before it waits for anything. One whose seqno the
 * user gave does not move the others.
 */
export function reserveSeqno(
	context: Context,
	from: TonAccount,
	fixed: number | undefined,
): SeqnoReservation {
	const { sender, turns } =
		fixed === undefined ? shareWalletTurns(context, from) : createWalletTurns(context, from, fixed);
	const { take, release } = turns.reserve();
	const use = async (spending: Spending) => {
		const held = await sender;
		return await take((state) => takeFrom(held, state, spending));
	};
	return { sender, use, release };
}

function shareWalletTurns(context: Context, from: TonAccount): WalletTurns {
	const wallets = context.shared(createWallets);
	const { raw } = formatTonAddresses(from);
	const turns = wallets.get(raw) ?? createWalletTurns(context, from);
	wallets.set(raw, turns);
	return turns;
}

function createWalletTurns(context: Context, from: TonAccount, fixed?: number): WalletTurns {
	const sender = readSender(context, from);
	const first = sender.then(({ seqno }) => ({ seqno: fixed ?? seqno, ...NOTHING_SPENT }));
	return { sender, turns: new Turns(first) };
}

function takeFrom(sender: Sender, state: WalletState, { cost: wanted, fee, messages }: Spending) {
	const left = sender.balance - state.spent;
	checkFunds(sender, state.spent, wanted === 'all' ? fee + 1n : wanted);
	const cost = wanted === 'all' ? left : wanted;
	const next = {
		seqno: state.seqno + 1,
		spent: state.spent + cost,
		spentJettons: spendJettons(sender, state.spentJettons, messages),
	};
	return { next, result: { seqno: state.seqno, cost } };
}

function checkFunds({ account, balance }: Sender, spent: bigint, cost: bigint): void {
	if (balance >= spent + cost) return;
	const before = spent > 0n ? 'with what comes before, ' : '';
	throw new RequestFailure(
		`The funds do not suffice: ${before}${formatCoins(spent + cost)} are needed, ${formatCoins(balance)} are there`,
		{
			description: `Needed is what is sent, what goes along with it, and the fee; there is the balance of ${formatTonAddresses(account).nonBounceable}.`,
		},
	);
}

/** Adds the jettons of this transfer to those of the transfers before. */
function spendJettons(
	{ account }: Sender,
	before: ReadonlyMap<string, bigint>,
	messages: readonly PlannedMessage[],
): ReadonlyMap<string, bigint> {
	const spent = new Map(before);
	for (const { jettons } of messages) {
		if (!jettons) continue;
		const { raw } = formatTonAddresses(jettons.wallet);
		const needed = (spent.get(raw) ?? 0n) + jettons.amount;
		if (needed > jettons.balance)
			throwFewJettons(
				formatTonAddresses(account).nonBounceable,
				needed,
				jettons.balance,
				jettons.jetton,
			);
		spent.set(raw, needed);
	}
	return spent;
}
