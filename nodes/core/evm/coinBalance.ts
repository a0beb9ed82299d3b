import type { RpcCaller } from '../chain/reader';
import { quantityParser } from './chainObjects';

/** Reads the coins of an account, in wei. */
export async function readCoinBalance(
	chain: RpcCaller,
	account: string,
	block: string | object = 'latest',
): Promise<bigint> {
	return quantityParser('a balance')(await chain.call('eth_getBalance', [account, block]));
}
