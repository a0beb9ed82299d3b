import type { RpcCaller } from '../chain/reader';
import { quantityParser } from './chainObjects';

/** Reads the coins of an account, in wei. */
export async function readCoinBalance(
	reader: RpcCaller,
	account: string,
	block: string | object = 'latest',
): Promise<bigint> {
	return quantityParser('a balance')(await reader.call('eth_getBalance', [account, block]));
}
