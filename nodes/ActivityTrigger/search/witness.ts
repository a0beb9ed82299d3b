import { Behind } from '../../core/evm/behind';
import type { BlockRange } from '../../core/evm/blockRange';
import { objectOrNull, type ChainObject } from '../../core/evm/objects/chainObject';
import { hex, type Ask } from '../../core/evm/header';
import { blockOf } from '../../core/evm/traces/order';
import { transactionOf } from '../../core/evm/traces/reverted';
import { isRecord } from '../../core/values/parseJson';

/** A transaction whose traces a node must have if it has traced these blocks. */
export interface Witness {
	readonly block: number;
	readonly hash: string;
	readonly from: string;
	readonly to?: string;
}

/** A late transaction of the last block that has one. Undefined if there is none, and so nothing to trace. */
export async function witnessIn(ask: Ask, { from, to }: BlockRange): Promise<Witness | undefined> {
	const last = await candidate(ask, to);
	if (last || from === to) return last;
	const numbers = Array.from({ length: to - from }, (_, index) => from + index);
	const others = await Promise.all(numbers.map(async (number) => await candidate(ask, number)));
	return others.reverse().find((one) => one !== undefined);
}

/** Whether a trace belongs to this transaction. */
export function isOf({ block, hash }: Witness) {
	return (trace: ChainObject): boolean =>
		blockOf(trace) === block && [hash, ''].includes(transactionOf(trace));
}

async function candidate(ask: Ask, number: number): Promise<Witness | undefined> {
	const block = objectOrNull('a block')(await ask('eth_getBlockByNumber', [hex(number), true]));
	if (!block) throw new Behind(number);
	const all = Array.isArray(block.transactions) ? (block.transactions as unknown[]) : [];
	const whole = all.filter(isRecord).filter(isWhole);
	// What the system does costs nothing, and not every node traces it.
	const paid = whole.filter(({ gasPrice }) => gasPrice !== '0x0');
	const transactions = paid.length > 0 ? paid : whole;
	const chosen = leastCrowded(transactions) ?? transactions.at(-1);
	if (!chosen) return undefined;
	const { hash, from, to } = chosen;
	const recipient = to ?? (await createdBy(chosen, ask));
	return {
		block: number,
		hash: String(hash).toLowerCase(),
		from: String(from),
		...(typeof recipient === 'string' && { to: recipient }),
	};
}

function isWhole({ hash, from }: ChainObject): boolean {
	return typeof hash === 'string' && typeof from === 'string';
}

/** The last one to the recipient with the fewest: what else was sent to it comes with the answer. */
function leastCrowded(transactions: readonly ChainObject[]): ChainObject | undefined {
	const counts = new Map<unknown, number>();
	for (const { to } of transactions) counts.set(to, (counts.get(to) ?? 0) + 1);
	const sent = transactions.filter(({ to }) => typeof to === 'string');
	const fewest = Math.min(...sent.map(({ to }) => counts.get(to) ?? 0));
	return [...sent].reverse().find(({ to }) => counts.get(to) === fewest);
}

/** The address of a contract that a transaction created. */
async function createdBy({ hash }: ChainObject, ask: Ask): Promise<unknown> {
	const receipt = objectOrNull('a receipt')(await ask('eth_getTransactionReceipt', [hash]));
	return receipt?.status === '0x1' ? receipt.contractAddress : undefined;
}
