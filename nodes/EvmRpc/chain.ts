import type { JsonObject } from '../core/values/json';
import { quantityToIsoDate, quantityToNumber, quantityParser } from '../core/evm/chainObjects';
import { isRefusal } from '../core/errors/requestFailure';
import { pathField } from '../core/operation/path';
import { rpcOperation, type Chain } from '../core/protocols/rpc/operation';
import { isRecord, rethrow } from '../core/values/parse';

const get = rpcOperation({
	name: 'Get',
	action: 'Get chain ID and last block',
	description:
		'Get the ID of the chain, the number and time of its latest block, and the software of the chain node',
	fields: [pathField('/')],
	async *run(_, chain) {
		const [chainId, head, clientVersion] = await Promise.all([
			chain.call('eth_chainId', []),
			chain.call('eth_getBlockByNumber', ['latest', false]),
			callOrNull(chain, 'web3_clientVersion'),
		]);
		const block: JsonObject = isRecord(head) ? head : {};
		quantityParser('a chain ID')(chainId);
		yield {
			chainId: quantityToNumber(chainId),
			blockNumber: quantityToNumber(block.number),
			timestamp: quantityToIsoDate(block.timestamp),
			clientVersion: typeof clientVersion === 'string' ? clientVersion : null,
		};
	},
});

/** Calls a method without parameters. Returns null if the node refuses the method. */
async function callOrNull(chain: Chain, method: string): Promise<unknown> {
	return await chain
		.call(method, [])
		.catch((failure) => (isRefusal(failure) ? null : rethrow(failure)));
}

export const chain = { name: 'Chain', operations: { get } };
