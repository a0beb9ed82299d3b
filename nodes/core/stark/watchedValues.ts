import { NodeLagging } from '../errors/nodeLagging';
import { RequestFailure } from '../errors/requestFailure';
import { findIntegerOutput } from '../chain/outputs';
import { COINS } from '../chain/payment';
import type { RpcReader } from '../chain/reader';
import { noDecimalsError, WATCH_RESULT_ADVICE } from '../chain/tokens';
import type { MeasuredValue } from '../chain/valueText';
import type { Place, ValueReader } from '../chain/watchedValue';
import { catching, rethrow } from '../values/parse';
import { buildDecimal } from '../values/units';
import type { StarkAbi } from './abi/abi';
import { decodeOutputs, encodeCalldata, getFunctionOfField } from './abi/call';
import { DecodingError } from './abi/data';
import { parseTimes } from './blockAtTime';
import { findBlock, type BlockId } from './blocks';
import { callContract, readContractAbi } from './contracts';
import { encodeFelt, formatFelt } from './felts';
import { readChainIdentity } from './follow';
import { readHeads, type Acceptance } from './heads';
import { ERROR_CODES, getErrorCode } from './reader';
import { FEE_TOKEN, readBalance, readTokenFacts } from './tokens';

/** A value of a STARK rollup that a poll can watch. */
export type StarkMeasure =
	| { readonly kind: 'coinBalance'; readonly address: bigint }
	| { readonly kind: 'tokenBalance'; readonly address: bigint; readonly token: bigint }
	| ({ readonly kind: 'functionResult' } & WatchedCall);

interface WatchedCall {
	readonly contract: bigint;
	/** The ABI of the contract. If undefined, it is read from the chain. */
	readonly abi: StarkAbi | undefined;
	readonly functionName: string;
	readonly args: unknown;
	readonly output: string;
	readonly decimals: number;
}

/** Makes a reader of a value. It reads at the last block that is final enough. */
export function createValueReader(
	reader: RpcReader,
	measure: StarkMeasure,
	until: Acceptance,
): ValueReader {
	return {
		finality: until,
		readPlace: async () => await readPlace(reader, until),
		readValue: async (place) => {
			const block = { block_hash: encodeFelt(BigInt(place.hash ?? 0)) };
			return await readMeasure(reader, measure, block).catch((failure) =>
				// The node lacks the block. Nodes behind the same address are not always at the same block.
				rethrow(isBlockUnknown(failure) ? new NodeLagging(place.height) : failure),
			);
		},
	};
}

function isBlockUnknown(failure: unknown): boolean {
	return getErrorCode(failure) === ERROR_CODES.blockUnknown;
}

async function readPlace(reader: RpcReader, until: Acceptance): Promise<Place> {
	const [{ last }, chain] = await Promise.all([
		readHeads(reader, until),
		readChainIdentity(reader),
	]);
	const block = await findBlock(reader, { block_hash: encodeFelt(BigInt(last.hash)) });
	if (!block) throw new NodeLagging(last.number);
	const { number, hash } = last;
	return { chain, height: number, blockNumber: number, hash, time: parseTimes(block).time };
}

async function readMeasure(
	reader: RpcReader,
	measure: StarkMeasure,
	block: BlockId,
): Promise<MeasuredValue> {
	switch (measure.kind) {
		case 'coinBalance':
			return {
				value: buildDecimal(
					await readBalance(reader, FEE_TOKEN, measure.address, block),
					COINS.stark.decimals,
				),
				unit: COINS.stark.symbol,
				isUnitKnown: true,
				subject: `The balance of ${formatFelt(measure.address)}`,
			};
		case 'tokenBalance':
			return await readTokens(reader, measure, block);
		case 'functionResult':
			return await readResult(reader, measure, block);
	}
}

async function readTokens(
	reader: RpcReader,
	{ address, token }: { readonly address: bigint; readonly token: bigint },
	block: BlockId,
): Promise<MeasuredValue> {
	const [balance, factsOf] = await Promise.all([
		readBalance(reader, token, address, block),
		readTokenFacts(reader, [token]),
	]);
	const { symbol, decimals } = factsOf(token);
	if (decimals === null) throw noDecimalsError(formatFelt(token), WATCH_RESULT_ADVICE);
	return {
		value: buildDecimal(balance, decimals),
		unit: symbol,
		subject: `The balance of ${formatFelt(address)} in the token ${formatFelt(token)}`,
	};
}

/** Only these types count as integers. A felt does not, because it can also be a text, for example. */
const INTEGER_TYPE = /^(?:[ui]|uint)\d+$|^BoundedInt</i;

async function readResult(
	reader: RpcReader,
	{ contract, abi, functionName, args, output, decimals }: WatchedCall,
	block: BlockId,
): Promise<MeasuredValue> {
	const known = abi ?? (await readContractAbi(reader, contract, block));
	const called = getFunctionOfField(known, functionName);
	const place = findIntegerOutput(called, output, ({ name }) => INTEGER_TYPE.test(name));
	const calldata = encodeCalldata(called, args);
	const felts = await callContract(reader, contract, called.selector, calldata, block);
	const values = catching(DecodingError, () => decodeOutputs(called, felts));
	if (values instanceof DecodingError) throw new RequestFailure(values.message);
	return {
		value: buildDecimal(BigInt(String(values[place])), decimals),
		unit: null,
		subject: `${functionName} of ${formatFelt(contract)}`,
	};
}
