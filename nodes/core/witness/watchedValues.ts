import { RequestFailure } from '../errors/requestFailure';
import type { ChainIdentity } from '../chain/blocks';
import { COINS } from '../chain/payment';
import type { RestReader } from '../chain/reader';
import { noDecimalsError, WATCH_RESULT_ADVICE } from '../chain/tokens';
import type { MeasuredValue } from '../chain/valueText';
import type { Place, ValueReader } from '../chain/watchedValue';
import { decodeOutputs, encodeFunctionData } from '../evm/abi/call';
import { DecodingError } from '../evm/abi/data';
import type { AbiError, AbiFunction } from '../evm/abi/entry';
import { catching, rethrow } from '../values/parse';
import { buildDecimal } from '../values/units';
import { readAccount } from './accounts';
import { formatWitnessAddresses } from './address';
import { isNotServed } from './answers';
import { readFirstHash, readSolidHead, type BlockHeader } from './blocks';
import { callConstant, ZERO_ADDRESS } from './constantCall';
import { CHAIN_ID } from './follow';
import { readTokenBalance, readTokenFacts } from './tokens';

/** A value of TRON that a poll can watch. Addresses are 40 hex digits. */
export type WitnessMeasure =
	| { readonly kind: 'coinBalance'; readonly address: string }
	| { readonly kind: 'tokenBalance'; readonly address: string; readonly token: string }
	| ({ readonly kind: 'functionResult' } & WatchedCall);

interface WatchedCall {
	readonly contract: string;
	readonly called: AbiFunction;
	readonly errors: readonly AbiError[];
	readonly args: unknown;
	/** The place of the output. */
	readonly output: number;
	readonly decimals: number;
}

/**
 * The most attempts to read a value. A node does not read values at a given block. So a value counts only if the newest
 * irreversible block is the same before and after the value was read.
 */
const MAX_ATTEMPTS = 5;

/** Makes a reader of a value. It reads at the newest irreversible block. */
export function createValueReader(reader: RestReader, measure: WitnessMeasure): ValueReader {
	const view = readIrreversible(reader);
	const readPlaceOf = async (chain: ChainIdentity) => toPlace(await readSolidHead(view), chain);
	return {
		finality: 'irreversible',
		readPlace: async () => {
			const first = await readFirstHash(view);
			return await readPlaceOf({ id: CHAIN_ID, first });
		},
		readValue: async (place) => {
			let before = place;
			for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
				const value = await readMeasure(view, measure);
				const after = await readPlaceOf(place.chain);
				if (after.hash === before.hash) return { ...value, place: before };
				before = after;
			}
			throw new RequestFailure(
				`The value was read ${MAX_ATTEMPTS} times, and each time a new block came meanwhile`,
				{
					description:
						'A value counts only if no new block comes while it is read. The next poll reads the value again.',
				},
			);
		},
	};
}

function toPlace({ number, hash, timestamp }: BlockHeader, chain: ChainIdentity): Place {
	return { chain, height: number, blockNumber: number, hash, time: timestamp };
}

/** Makes a reader that calls only methods below `/walletsolidity`. Blocks that are not irreversible may be replaced. */
function readIrreversible({ call, shared }: RestReader): RestReader {
	return {
		shared,
		call: async ({ path, ...request }) => {
			const irreversible = path.replace(/^\/wallet\//, '/walletsolidity/');
			return await call({ ...request, path: irreversible }).catch((failure) =>
				rethrow(isNotServed(failure) ? noViewError(failure as RequestFailure) : failure),
			);
		},
	};
}

function noViewError(failure: RequestFailure): RequestFailure {
	return new RequestFailure(
		'The chain node cannot read the watched value in irreversible (final) blocks',
		{
			...failure,
			description: `A value is read only in irreversible blocks, because later blocks may be taken back. Use another chain node. The chain node said: ${failure.message}`,
		},
	);
}

async function readMeasure(reader: RestReader, measure: WitnessMeasure): Promise<MeasuredValue> {
	switch (measure.kind) {
		case 'coinBalance':
			return await readCoins(reader, measure.address);
		case 'tokenBalance':
			return await readTokens(reader, measure);
		case 'functionResult':
			return await readResult(reader, measure);
	}
}

async function readCoins(reader: RestReader, account: string): Promise<MeasuredValue> {
	const { base58 } = formatWitnessAddresses(account);
	const { balance } = await readAccount(reader, { address: base58, visible: true });
	const { decimals, symbol } = COINS.witness;
	return {
		value: buildDecimal(balance, decimals),
		unit: symbol,
		isUnitKnown: true,
		subject: `The balance of ${base58}`,
	};
}

async function readTokens(
	reader: RestReader,
	{ address, token }: { readonly address: string; readonly token: string },
): Promise<MeasuredValue> {
	const [balance, factsOf] = await Promise.all([
		readTokenBalance(reader, token, address),
		readTokenFacts(reader, [token]),
	]);
	const { symbol, decimals } = factsOf(token);
	const [owner, contract] = [address, token].map((one) => formatWitnessAddresses(one).base58);
	if (decimals === null) throw noDecimalsError(String(contract), WATCH_RESULT_ADVICE);
	return {
		value: buildDecimal(balance, decimals),
		unit: symbol,
		subject: `The balance of ${owner} in the token ${contract}`,
	};
}

async function readResult(
	reader: RestReader,
	{ contract, called, errors, args, output, decimals }: WatchedCall,
): Promise<MeasuredValue> {
	const forms = formatWitnessAddresses(contract);
	const data = encodeFunctionData(called, args);
	const call = { owner: ZERO_ADDRESS, contract: forms.hex, called, data, errors };
	const { result } = await callConstant(reader, call);
	const values = catching(DecodingError, () => decodeOutputs(called, result));
	if (values instanceof DecodingError) throw new RequestFailure(values.message);
	return {
		value: buildDecimal(BigInt(String(values[output])), decimals),
		unit: null,
		subject: `${called.name} of ${forms.base58}`,
	};
}
