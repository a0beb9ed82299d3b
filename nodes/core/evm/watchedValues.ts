import { NodeLagging } from '../errors/nodeLagging';
import { isPermanent, RequestFailure } from '../errors/requestFailure';
import { raise } from '../errors/raise';
import { isContractFailure } from '../net/responses/reverts';
import { nullIfRefused } from '../chain/blocks';
import { COINS } from '../chain/payment';
import type { RpcReader } from '../chain/reader';
import { noDecimalsError, WATCH_RESULT_ADVICE } from '../chain/tokens';
import type { MeasuredValue } from '../chain/valueText';
import type { Place, ValueReader } from '../chain/watchedValue';
import { numberToHex } from '../values/numbers';
import { catching, rethrow } from '../values/parse';
import { GWEI_DECIMALS, buildDecimal } from '../values/units';
import { decodeOutputs } from './abi/call';
import { DecodingError } from './abi/data';
import type { AbiFunction } from './abi/entry';
import { checksumAddress } from './address';
import { readChainIdentity, readHead, readHeader } from './blocks';
import { callWithReason, type BlockName } from './contractReads';
import { quantityParser } from './chainObjects';
import { readFeedPrice } from './priceFeed';
import { readBalance, readCoinBalance, readTokenFacts } from './tokens';

/** A value on an EVM chain that a trigger can watch. */
export type EvmMeasure =
	| { readonly kind: 'coinBalance'; readonly address: string }
	| { readonly kind: 'tokenBalance'; readonly address: string; readonly token: string }
	| ({ readonly kind: 'functionResult' } & WatchedCall)
	| { readonly kind: 'price'; readonly feed: string }
	| { readonly kind: 'gasPrice' };

interface WatchedCall {
	readonly contract: string;
	readonly called: AbiFunction;
	readonly args: unknown;
	/** The place of the output. */
	readonly output: number;
	readonly decimals: number;
}

/** Creates a reader of a value at a block with enough confirmations. The gas price is read without a block. */
export function createValueReader(
	reader: RpcReader,
	measure: EvmMeasure,
	confirmations: number,
): ValueReader {
	const isOfBlock = measure.kind !== 'gasPrice';
	return {
		finality: isOfBlock ? `${confirmations} confirmations` : 'none',
		readPlace: async () => await readPlace(reader, isOfBlock ? confirmations : 0, isOfBlock),
		readValue: async (place) => {
			const read = async (block: BlockName) => await readMeasure(reader, measure, place, block);
			return isOfBlock ? await readAtBlock(reader, place, read) : await read('latest');
		},
	};
}

async function readPlace(
	reader: RpcReader,
	confirmations: number,
	isOfBlock: boolean,
): Promise<Place | null> {
	const [head, chain] = await Promise.all([readHead(reader), readChainIdentity(reader)]);
	const last = head.number - confirmations;
	if (last < 0) return null;
	const block = confirmations === 0 ? head : await readHeader(reader, last);
	if (!block) throw new NodeLagging(last);
	const { number, hash, time } = block;
	return {
		chain,
		height: number,
		blockNumber: number,
		hash: isOfBlock ? hash : null,
		time: time * 1000,
	};
}

/**
 * Reads a value at a block that is named by its hash. If the node accepts no hashes, it is read by the number of the
 * block, and the hash is compared afterwards.
 */
async function readAtBlock<T>(
	reader: RpcReader,
	{ height, hash }: Place,
	read: (block: BlockName) => Promise<T>,
): Promise<T> {
	try {
		return await read({ blockHash: hash ?? '' });
	} catch (failure) {
		if (!isPermanent(failure) || isContractFailure(failure)) return rethrow(failure);
	}
	const value = await read(numberToHex(height)).catch(async (failure: unknown) => {
		if (!isPermanent(failure)) return rethrow(failure);
		// Several nodes may be behind one address, and may not all have the block yet.
		return (await isThere(reader, height, hash)) && !isBlockUnknown(failure)
			? rethrow(failure)
			: raise(new NodeLagging(height));
	});
	return (await isThere(reader, height, hash)) ? value : raise(new NodeLagging(height));
}

/** Whether a node's message says that it does not have a block. */
function isBlockUnknown({ message }: RequestFailure): boolean {
	return /\b(header|block)\b.{0,40}\b(not found|not available|out of range|unknown|missing)\b|\bunknown block\b|\bresource not found\b/i.test(
		message,
	);
}

async function isThere(reader: RpcReader, number: number, hash: string | null): Promise<boolean> {
	return (await readHeader(reader, number).catch(nullIfRefused))?.hash === hash;
}

async function readMeasure(
	reader: RpcReader,
	measure: EvmMeasure,
	place: Place,
	block: BlockName,
): Promise<MeasuredValue> {
	switch (measure.kind) {
		case 'coinBalance':
			return await readCoins(reader, measure.address, block);
		case 'tokenBalance':
			return await readTokens(reader, measure, block);
		case 'functionResult':
			return await readResult(reader, measure, block);
		case 'price':
			return await readPrice(reader, measure.feed, place, block);
		case 'gasPrice':
			return {
				value: buildDecimal(parseGasPrice(await reader.call('eth_gasPrice', [])), GWEI_DECIMALS),
				unit: 'gwei',
				isUnitKnown: true,
				subject: 'The price of gas',
			};
	}
}

const parseGasPrice = quantityParser('a price of gas');

async function readCoins(
	reader: RpcReader,
	address: string,
	block: BlockName,
): Promise<MeasuredValue> {
	const balance = await readCoinBalance(reader, address, block);
	const { decimals, symbol } = COINS.evm;
	return {
		value: buildDecimal(balance, decimals),
		unit: symbol,
		subject: `The balance of ${checksumAddress(address)}`,
	};
}

async function readTokens(
	reader: RpcReader,
	{ address, token }: { readonly address: string; readonly token: string },
	block: BlockName,
): Promise<MeasuredValue> {
	const [balance, factsOf] = await Promise.all([
		readBalance(reader, token, address, block),
		readTokenFacts(reader, [token]),
	]);
	const { symbol, decimals } = factsOf(token);
	if (decimals === null) throw noDecimalsError(checksumAddress(token), WATCH_RESULT_ADVICE);
	return {
		value: buildDecimal(balance, decimals),
		unit: symbol,
		subject: `The balance of ${checksumAddress(address)} in the token ${checksumAddress(token)}`,
	};
}

async function readResult(
	reader: RpcReader,
	{ contract, called, args, output, decimals }: WatchedCall,
	block: BlockName,
): Promise<MeasuredValue> {
	const { returned, failure } = await callWithReason(reader, contract, called, args, block);
	if (failure) throw failure;
	const values = catching(DecodingError, () => decodeOutputs(called, returned));
	if (values instanceof DecodingError) throw new RequestFailure(values.message);
	return {
		value: buildDecimal(BigInt(String(values[output])), decimals),
		unit: null,
		subject: `${called.name} of ${checksumAddress(contract)}`,
	};
}

const MAX_PRICE_AGE_SECONDS = 86_400;

async function readPrice(
	reader: RpcReader,
	feed: string,
	{ time }: Place,
	block: BlockName,
): Promise<MeasuredValue> {
	const at = { name: block, time: time / 1000 };
	const { value, decimals, description, ageSeconds, updatedAt } = await readFeedPrice(
		reader,
		feed,
		at,
	);
	if (ageSeconds > MAX_PRICE_AGE_SECONDS) {
		throw new RequestFailure(`The price of the feed ${feed} is older than a day`, {
			description: `The price has the time ${updatedAt}. The feed may no longer be kept up to date.`,
		});
	}
	return {
		value: buildDecimal(BigInt(value), decimals),
		unit: findQuoteUnit(description),
		subject: `The price of the feed ${checksumAddress(feed)}`,
	};
}

/** Finds the unit of a price in the description of its feed: USD for `ETH / USD`. */
function findQuoteUnit(description: string | null): string | null {
	const [, unit = null] = /^[\w.$-]{1,40} ?\/ ?([\w.$-]{1,20})$/.exec(description ?? '') ?? [];
	return unit;
}
