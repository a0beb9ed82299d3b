import { isRefusal } from '../errors/requestFailure';
import { invalidResponse } from '../responses/response';
import type { ChainReader } from '../rpc/chain';
import { isRecord } from '../values/read';
import { decimalText, GWEI } from '../values/numbers';
import { asDecimal, type ChainObject } from './objects';

/** The priority fees of the latest 20 blocks: what a tenth, half and nine tenths of the gas paid at most. */
const FEE_HISTORY = ['0x14', 'latest', [10, 50, 90]] as const;

interface Amount {
	readonly wei: string;
	readonly gwei: string;
}

/** Gas price, base fee and priority fees. What a node's fee history does not tell is that of its latest block. */
export async function readFees(chain: ChainReader) {
	const [price, history] = await Promise.all([
		chain.call('eth_gasPrice', []),
		unlessRefused(chain, 'eth_feeHistory', FEE_HISTORY),
	]);
	const gasPrice = amountOf(price) ?? invalidResponse('a gas price', price);
	const past = isRecord(history) ? history : invalidResponse('a fee history', history);
	const baseFee = amountOf(listIn(past, 'baseFeePerGas').at(-1));
	if (baseFee?.wei === '0' && (await hasNoBaseFee(chain))) return { gasPrice, ...NO_BASE_FEE };
	const priority = priorityFees(past);
	const fees = { slow: priority(0), normal: priority(1), fast: priority(2) };
	return baseFee && fees.normal
		? { gasPrice, baseFee, ...fees }
		: { gasPrice, ...(await latestFees(chain, gasPrice, baseFee)) };
}

const NO_BASE_FEE = { baseFee: null, slow: null, normal: null, fast: null } as const;

/** The fee history of geth tells 0 where blocks have none. */
async function hasNoBaseFee(chain: ChainReader): Promise<boolean> {
	const block = await unlessRefused(chain, 'eth_getBlockByNumber', ['latest', false]);
	return isRecord(block) && 'number' in block && asDecimal(block.baseFeePerGas) === null;
}

/** Where the fee history has none: on a young chain, or a node without the method. All null on a chain without a base fee. */
async function latestFees(chain: ChainReader, gasPrice: Amount, known: Amount | null) {
	const [block, offered] = await Promise.all([
		unlessRefused(chain, 'eth_getBlockByNumber', ['latest', false]),
		unlessRefused(chain, 'eth_maxPriorityFeePerGas', []),
	]);
	const baseFee = known ?? amountOf(isRecord(block) ? block.baseFeePerGas : null);
	const rest = baseFee && BigInt(gasPrice.wei) - BigInt(baseFee.wei);
	const priority =
		baseFee && (amountOf(offered) ?? amountOf(rest !== null && rest >= 0n ? String(rest) : null));
	return { baseFee, slow: priority, normal: priority, fast: priority };
}

/** A node that does not know a method refuses it. */
async function unlessRefused(chain: ChainReader, method: string, params: readonly unknown[]) {
	return await chain.call(method, params).catch(emptyIfRefused);
}

async function emptyIfRefused(failure: unknown): Promise<object> {
	return isRefusal(failure) ? {} : await Promise.reject(failure);
}

/** For each block its fees, in the middle of those of the blocks that held transactions. */
function priorityFees(history: ChainObject): (percentile: number) => Amount | null {
	const used = listIn(history, 'gasUsedRatio');
	const all = listIn(history, 'reward');
	const busy = all.filter((_, block) => used[block] !== 0);
	const rewards = busy.length > 0 ? busy : all;
	return (percentile) => {
		const fees = rewards.flatMap(
			(fees) => asDecimal(Array.isArray(fees) ? fees[percentile] : null) ?? [],
		);
		const sorted = fees.map(BigInt).sort((a, b) => (a < b ? -1 : a > b ? 1 : 0));
		return amountOf(sorted[Math.floor(sorted.length / 2)]?.toString());
	};
}

function listIn(history: ChainObject, key: string): readonly unknown[] {
	const list = history[key];
	return Array.isArray(list) ? (list as unknown[]) : [];
}

function amountOf(quantity: unknown): Amount | null {
	const wei = asDecimal(quantity);
	return wei === null ? null : { wei, gwei: decimalText(BigInt(wei), GWEI) };
}
