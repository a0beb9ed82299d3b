import { triggerEvent } from '../core/trigger/triggerEvent';
import { SUN_DECIMALS, formatUnits } from '../core/values/units';
import { formatWitnessAddresses } from '../core/witness/address';
import type { CoinTransfer } from '../core/witness/blockTransactions';
import type { RestReader } from '../core/chain/reader';
import type { WitnessView } from '../core/witness/follow';
import { formatBlockTime } from '../core/witness/readBlocks';
import { direction, minAmount, paidAddresses } from './watchedFields';

const fields = [paidAddresses, direction, minAmount] as const;

export const payment = triggerEvent<typeof fields, RestReader, WitnessView>({
	name: 'Payment',
	action: 'On a payment in coins (TRX, deposit)',
	description: 'When coins reach or leave these addresses, by a transfer or inside a contract',
	fields,
	getChoices: (p) => ['payment', p.addresses, p.direction, String(p.minAmount)],
	createView: (p) => {
		const findDirection = createDirectionFinder(new Set(p.addresses), p.direction);
		return {
			findItems: (block) =>
				block.transactions.flatMap(({ id, memo, transfers }) =>
					transfers.flatMap((transfer) => {
						const way = transfer.amount < p.minAmount ? undefined : findDirection(transfer);
						return way === undefined
							? []
							: {
									direction: way,
									from: formatWitnessAddresses(transfer.from).base58,
									to: formatWitnessAddresses(transfer.to).base58,
									amount: formatUnits(transfer.amount, SUN_DECIMALS),
									memo: decodeMemo(memo),
									transactionId: id,
									blockNumber: block.number,
									timestamp: formatBlockTime(block),
								};
					}),
				),
		};
	},
});

/** What goes from one watched address to another comes in, unless only what goes out is wanted. */
function createDirectionFinder(watched: ReadonlySet<string>, wanted: 'any' | 'in' | 'out') {
	return ({ from, to }: CoinTransfer): 'in' | 'out' | undefined => {
		if (wanted !== 'out' && watched.has(to)) return 'in';
		return wanted !== 'in' && watched.has(from) ? 'out' : undefined;
	};
}

/** A memo may be any bytes: what is no text stays hex. It is null where there is none. */
function decodeMemo(hex: string): string | null {
	if (hex === '') return null;
	const text = Buffer.from(hex, 'hex').toString();
	return Buffer.from(text).toString('hex') === hex ? text : `0x${hex}`;
}
