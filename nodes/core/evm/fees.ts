import type { JsonObject } from '../values/json';
import { isRefusal } from '../errors/requestFailure';
import { invalidResponseError } from '../net/responses/response';
import type { RpcReader } from '../chain/reader';
import { isRecord, rethrow } from '../values/parse';
import { GWEI_DECIMALS, formatUnits } from '../values/units';
import { quantityToDecimal } from './chainObjects';
import { raise } from '../errors/raise';

/**
 * Asks for the priority fees of the latest 20 blocks. The percentiles are the fees that 10 %, 50 % and 90 % of the gas
 * did not exceed.
 */
const FEE_HISTORY_PARAMS = ['0x14', 'latest', [10, 50, 90]] as const;
/** Far more blocks than are asked for. */
const MAX_HISTORY_BLOCKS = 1000;

interface FeeAmount {
	readonly wei: string;
	readonly gwei: string;
}

/**
 * Reads the gas price, base fee and priority fees. Fees that are missing in the node's fee history come from the latest
 * block.
 */
export async function readFees(reader: RpcReader) {
	const [price, history] = await Promise.all([
		reader.call('eth_gasPrice', []),
		callOrEmpty(reader, 'eth_feeHistory', FEE_HISTORY_PARAMS),
	]);
	const gasPrice = formatFee(price) ?? raise(invalidResponseError('a gas price', price));
	const past = isRecord(history) ? history : raise(invalidResponseError('a fee history', history));
	const baseFee = formatFee(getList(past, 'baseFeePerGas').at(-1));
	if (baseFee?.wei === '0' && (await hasNoBaseFee(reader))) return { gasPrice, ...NO_BASE_FEE };
	const priority = summarizePriorityFees(past);
	const fees = { slow: priority(0), normal: priority(1), fast: priority(2) };
	return baseFee && fees.normal
		? { gasPrice, baseFee, ...fees }
		: { gasPrice, ...(await readLatestFees(reader, gasPrice, baseFee)) };
}

const NO_BASE_FEE = { baseFee: null, slow: null, normal: null, fast: null } as const;

/** Whether blocks have no base fee. The fee history of geth says 0 for such blocks. */
async function hasNoBaseFee(reader: RpcReader): Promise<boolean> {
	const block = await callOrEmpty(reader, 'eth_getBlockByNumber', ['latest', false]);
	return isRecord(block) && 'number' in block && quantityToDecimal(block.baseFeePerGas) === null;
}

/**
 * Finds the fees if the fee history has none, as on a new chain or a node without that method. On a chain without base
 * fee, all of the fees are null.
 */
async function readLatestFees(reader: RpcReader, gasPrice: FeeAmount, known: FeeAmount | null) {
	const [block, offered] = await Promise.all([
		callOrEmpty(reader, 'eth_getBlockByNumber', ['latest', false]),
		callOrEmpty(reader, 'eth_maxPriorityFeePerGas', []),
	]);
	const baseFee = known ?? formatFee(isRecord(block) ? block.baseFeePerGas : null);
	const rest = baseFee && BigInt(gasPrice.wei) - BigInt(baseFee.wei);
	const priority =
		baseFee && (formatFee(offered) ?? formatFee(rest !== null && rest >= 0n ? String(rest) : null));
	return { baseFee, slow: priority, normal: priority, fast: priority };
}

/** Calls a method that not every node knows. If the node refuses, the result is an empty object. */
async function callOrEmpty(reader: RpcReader, method: string, params: readonly unknown[]) {
	return await reader.call(method, params).catch(emptyIfRefused);
}

function emptyIfRefused(failure: unknown): object {
	return isRefusal(failure) ? {} : rethrow(failure);
}

/** Finds the median of the priority fees at each percentile, over the blocks that have transactions. */
function summarizePriorityFees(history: JsonObject): (percentile: number) => FeeAmount | null {
	const used = getList(history, 'gasUsedRatio');
	const all = getList(history, 'reward');
	const busy = all.filter((_, block) => used[block] !== 0);
	const rewards = busy.length > 0 ? busy : all;
	return (percentile) => {
		const fees = rewards.flatMap(
			(fees) => quantityToDecimal(Array.isArray(fees) ? fees[percentile] : null) ?? [],
		);
		const sorted = fees.map(BigInt).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
		return formatFee(sorted[Math.floor(sorted.length / 2)]?.toString());
	};
}

function getList(history: JsonObject, key: string): readonly unknown[] {
	const list: readonly unknown[] = Array.isArray(history[key]) ? history[key] : [];
	return list.length <= MAX_HISTORY_BLOCKS
		? list
		: raise(invalidResponseError(`a fee history of at most ${MAX_HISTORY_BLOCKS} blocks`, list));
}

function formatFee(quantity: unknown): FeeAmount | null {
	const wei = quantityToDecimal(quantity);
	return wei === null ? null : { wei, gwei: formatUnits(BigInt(wei), GWEI_DECIMALS) };
}
