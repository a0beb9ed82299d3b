import { setTimeout as sleep } from 'node:timers/promises';
import { demo } from '../e2e/world.mts';

/** Mines a block with one token transfer again and again, until it is stopped. */
export function mineEvery(pause: number) {
	let isGoing = true;
	async function go(): Promise<void> {
		for (let value = 1n; isGoing; value++) {
			await Promise.all([demo.chain.transfer(value), sleep(pause)]);
		}
	}
	const going = go();
	return async (): Promise<void> => {
		isGoing = false;
		await going;
	};
}

export async function height(): Promise<number> {
	return Number(await demo.sandbox.chain('eth_blockNumber'));
}

/** Lists the block numbers after `from`, up to `to`. */
export async function blocksBetween(from: number, to: number): Promise<number[]> {
	return await Promise.resolve(Array.from({ length: to - from }, (_, index) => from + 1 + index));
}

/** Lists the block numbers of the token's logs, from the block after `from` to the block `to`. */
export async function logsBetween(from: number, to: number): Promise<number[]> {
	const [fromBlock, toBlock] = [from + 1, to].map((one) => `0x${one.toString(16)}`);
	const filter = { address: demo.chain.token, fromBlock, toBlock };
	const found = (await demo.sandbox.chain('eth_getLogs', filter)) as Array<{ blockNumber: string }>;
	return found.map(({ blockNumber }) => Number(blockNumber));
}
