import { COINS } from '../chain/payment';
import type { RestReader } from '../chain/reader';
import { noDecimalsError } from '../chain/tokens';
import type { MeasuredValue } from '../chain/valueText';
import type { Place, ValueReader } from '../chain/watchedValue';
import { buildDecimal } from '../values/units';
import { readAccount } from './accounts';
import { readServiceBlock, throwIfBlockIsOld } from './accountNews';
import { formatTonAddresses, type TonAccount } from './address';
import { findJettonWallet, readJetton } from './tokens';

/** A value of a TON chain that a poll can watch. */
export type TonMeasure =
	| { readonly kind: 'coinBalance'; readonly address: TonAccount }
	| { readonly kind: 'tokenBalance'; readonly address: TonAccount; readonly token: TonAccount };

/** All TON chains have the same ID here. Only the address of the service shows which chain it serves. */
const CHAIN = { id: 'ton', first: null };

/** Reads the present value, because the service gives no earlier ones. */
export function createValueReader(reader: RestReader, measure: TonMeasure): ValueReader {
	return {
		finality: 'present',
		readPlace: async () => await readPlace(reader),
		readValue: async () => await readMeasure(reader, measure),
	};
}

async function readPlace(reader: RestReader): Promise<Place> {
	const last = await readServiceBlock(reader);
	throwIfBlockIsOld(
		last,
		'The trigger reads the value again as soon as the service has caught up.',
	);
	return { chain: CHAIN, height: last.number, blockNumber: null, hash: null, time: Date.now() };
}

async function readMeasure(reader: RestReader, measure: TonMeasure): Promise<MeasuredValue> {
	const { address } = measure;
	const { nonBounceable: owner } = formatTonAddresses(address);
	if (measure.kind === 'coinBalance') {
		const { balance } = await readAccount(reader, address);
		return {
			value: buildDecimal(balance, COINS.ton.decimals),
			unit: COINS.ton.symbol,
			isUnitKnown: true,
			subject: `The balance of ${owner}`,
		};
	}
	const { token } = measure;
	const [{ symbol, decimals }, wallet] = await Promise.all([
		readJetton(reader, token),
		findJettonWallet(reader, address, token),
	]);
	const { bounceable: master } = formatTonAddresses(token);
	if (decimals === null) {
		throw noDecimalsError(master, 'A threshold in whole jettons means nothing without them.');
	}
	return {
		value: buildDecimal(wallet?.balance ?? 0n, decimals),
		unit: symbol,
		subject: `The balance of ${owner} in the jetton ${master}`,
	};
}
