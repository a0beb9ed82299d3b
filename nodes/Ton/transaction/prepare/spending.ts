import { RequestFailure } from '../../../core/errors/requestFailure';
import type { RunContext } from '../../../core/operation/operation';
import { formatTonAddresses, type TonAccount } from '../../../core/ton/address';
import { formatCoins, throwFewJettons, type PlannedMessage } from '../../../core/ton/payments';
import { readSender, type Sender } from '../../../core/ton/sender';
import { Turns } from '../../../core/transport/pacing/turns';
import type { RestRequest } from '../../../core/transport/rest/rest';

/** A wallet between two of its transfers. */
interface WalletState {
	readonly seqno: number;
	/** What the transfers before spend, in nanocoins. */
	readonly spent: bigint;
	/** The jettons that the transfers before spend, by the wallet of the jetton. */
	readonly spentJettons: ReadonlyMap<string, bigint>;
}

/** What a transfer takes, once it is known what those before it take. */
export interface Spending {
	/** The cost includes the fee. The word `all` takes what the transfers before leave over. */
	readonly cost: bigint | 'all';
	/** As far as it is known. */
	readonly fee: bigint;
	readonly messages: readonly PlannedMessage[];
}

interface Taken {
	readonly seqno: number;
	/** In nanocoins. */
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

/** A place among the items with this wallet. To be called before the item waits for anything. */
export function reserveSeqno(context: Context, from: TonAccount): SeqnoReservation {
	const wallets = context.shared(createWallets);
	const { raw } = formatTonAddresses(from);
	const { sender, turns } = wallets.get(raw) ?? createWalletTurns(context, from);
	wallets.set(raw, { sender, turns });
	const { take, release } = turns.reserve();
	const use = async (spending: Spending) => {
		const held = await sender;
		return await take((state) => takeFrom(held, state, spending));
	};
	return { sender, use, release };
}

function createWalletTurns(context: Context, from: TonAccount): WalletTurns {
	const sender = readSender(context, from);
	const turns = new Turns(sender.then(({ seqno }) => ({ seqno, ...NOTHING_SPENT })));
	return { sender, turns };
}

/** The user gave the seqno of this item, which does not move the others. */
export function useFixedSeqno(context: Context, from: TonAccount, seqno: number): SeqnoReservation {
	const sender = readSender(context, from);
	const use = async (spending: Spending) =>
		takeFrom(await sender, { seqno, ...NOTHING_SPENT }, spending).result;
	return { sender, use, release: () => {} };
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

/** What this transfer and those before it take together. */
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
