import { controlSandbox } from './control.mts';
import type { Sandbox } from './sandbox.mts';

/**
 * Makes a block of the present. The rollup's first blocks are old, and each later block would add only some seconds.
 */
export async function bringStarkToPresent(sandbox: Sandbox): Promise<void> {
	const seconds = Math.floor(Date.now() / 1000) - (await readHeadTime(sandbox));
	if (seconds > 0) await controlSandbox(sandbox, '/stark/blocks', { count: 1, seconds });
}

interface Answer {
	readonly result: { readonly timestamp: number };
}

async function readHeadTime({ nodeUrl, authToken }: Sandbox): Promise<number> {
	const method = 'starknet_getBlockWithTxHashes';
	const response = await fetch(`${nodeUrl}/${authToken}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: ['latest'] }),
	});
	const { result } = (await response.json()) as Answer;
	return result.timestamp;
}
