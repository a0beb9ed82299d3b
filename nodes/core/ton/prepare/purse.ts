import {
	insufficientFundsError,
	reserveFixedPlace,
	reservePlace,
	type Cost,
	type Place,
	type Purse,
} from '../../chain/purse';
import type { RestReader } from '../../chain/reader';
import { formatTonAddresses, type TonAccount } from '../address';
import { formatCoins, fewJettonsError, type PlannedMessage } from '../payments';
import { readSender, type Sender } from '../sender';
import { raise } from '../../errors/raise';
import { sharedKey } from '../../net/pacing/shared';

/** A wallet that pays, with the sequence number (seqno) of its next transfer. */
export type Payer = Sender & { readonly next: bigint };

const PURSES = sharedKey('ton.purses', () => new Map<string, Purse<Payer>>());

/** Reserves the next sequence number (seqno) of a wallet for an item, in the order of the items. */
export function reserveSeqno(
	reader: RestReader,
	from: TonAccount,
	fixed: number | undefined,
): Place<Payer> {
	const read = async () => {
		const sender = await readSender(reader, from);
		return { ...sender, next: BigInt(fixed ?? sender.seqno) };
	};
	return fixed === undefined
		? reservePlace(reader.shared(PURSES), formatTonAddresses(from).raw, read)
		: reserveFixedPlace(read());
}

/** The costs of a transfer. The wallet must still have enough for them after all earlier transfers. */
interface Spending {
	/** The cost of the transfer, with the fee. `all` stands for everything that the earlier transfers leave. */
	readonly cost: bigint | 'all';
	/** The fee in nanocoins, or zero if the fee is unknown. */
	readonly fee: bigint;
	readonly messages: readonly PlannedMessage[];
}

/** Takes the next sequence number (seqno), and sets aside the costs of the transfer in nanocoins and in jettons. */
export async function takeSeqno(place: Place<Payer>, spending: Spending) {
	const sender = await place.account;
	const costs = spending.messages.flatMap(({ jettons }) =>
		jettons ? [getJettonCost(sender, jettons)] : [],
	);
	const { number, amounts } = await place.take([getCoinCost(sender, spending), ...costs]);
	return { seqno: Number(number), cost: amounts[0] ?? 0n };
}

function getCoinCost({ account, balance }: Sender, { cost, fee }: Spending): Cost {
	const takesAll = cost === 'all';
	const amount = takesAll ? fee + 1n : cost;
	return {
		amount,
		balance,
		takesAll,
		throwShort: (earlier) => {
			throw insufficientFundsError(
				{
					needed: amount,
					balance,
					format: formatCoins,
					description: `The balance of ${formatTonAddresses(account).nonBounceable} must cover the coins sent, the coins that go with jettons or NFTs, and the fee.`,
				},
				earlier,
			);
		},
	};
}

/**
 * Returns the cost of a transfer in jettons. The address of the payer's jetton wallet identifies the balance that
 * pays.
 */
function getJettonCost(
	{ account }: Sender,
	{ wallet, amount, balance, jetton }: NonNullable<PlannedMessage['jettons']>,
): Cost {
	const owner = formatTonAddresses(account).nonBounceable;
	return {
		asset: formatTonAddresses(wallet).raw,
		amount,
		balance,
		throwShort: ({ spent }) => raise(fewJettonsError(owner, spent + amount, balance, jetton)),
	};
}
