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

/** Gas price, base fee and priority fees. Chains without a base fee have no fee history either. */
export async function readFees(chain: ChainReader) {
	const [price, history] = await Promise.all([chain.call('eth_gasPrice', []), readHistory(chain)]);
	const priority = priorityFees(history);
	return {
		gasPrice: amountOf(price) ?? invalidResponse('a gas price', price),
		baseFee: amountOf(listIn(history, 'baseFeePerGas').at(-1)),
		slow: priority(0),
		normal: priority(1),
		fast: priority(2),
	};
}

/** A node that does not know the method refuses it. */
async function readHistory(chain: ChainReader): Promise<ChainObject> {
	const found = await chain.call('eth_feeHistory', FEE_HISTORY).catch(emptyIfRefused);
	return isRecord(found) ? found : invalidResponse('a fee history', found);
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
