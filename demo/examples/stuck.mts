import { setTimeout as sleep } from 'node:timers/promises';
import type { Demo } from '../run/demo.mts';
import { numberToHex } from '../service/contracts.mts';

const TIMEOUT_MS = 60_000;

/** Sends a payment from the minter's account. It gets stuck: the transaction with the previous nonce is missing. */
export async function sendStuck(demo: Demo): Promise<string> {
	return await sendPayment(demo, (await readNonce(demo)) + 1n);
}

/** Sends the missing transaction after the stuck transaction has been replaced. */
export async function releaseStuck(demo: Demo): Promise<void> {
	for (const deadline = Date.now() + TIMEOUT_MS; Date.now() < deadline; await sleep(250)) {
		// The chain counts both transactions as queued until one of them is in a block.
		const { queued } = (await demo.sandbox.chain('txpool_status')) as { queued: string };
		if (Number(queued) < 2) continue;
		await sendPayment(demo, await readNonce(demo));
		return;
	}
	throw new Error('Nothing replaces the transaction that is stuck');
}

async function readNonce({ sandbox, chain }: Demo): Promise<bigint> {
	return BigInt((await sandbox.chain('eth_getTransactionCount', chain.minter, 'latest')) as string);
}

async function sendPayment({ sandbox, chain }: Demo, nonce: bigint): Promise<string> {
	const { minter, other } = chain;
	const payment = { from: minter, to: other, value: '0x1', nonce: numberToHex(nonce) };
	return String(await sandbox.chain('eth_sendTransaction', payment));
}
