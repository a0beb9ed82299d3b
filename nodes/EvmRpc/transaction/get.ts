import { objectOrNull } from '../../core/evm/objects/chainObject';
import { simpleTransaction } from '../../core/evm/objects/simpleBlock';
import { path, simplify } from '../../core/operation/sharedFields';
import { rpc } from '../../core/protocols/rpc';
import { rpcOptions } from '../../core/protocols/transportOptions';
import { transactionHash } from './fields';

export const get = rpc({
	name: 'Get',
	action: 'Get a transaction',
	description: 'Get a transaction by its hash, whether it is in a block yet or not',
	fields: [transactionHash, simplify, path('/'), rpcOptions()],
	request: (p) => ({
		path: p.path,
		method: 'eth_getTransactionByHash',
		params: [p.transactionHash],
	}),
	answer: objectOrNull('a transaction'),
	items: (found, p) => [found && p.simplify ? simpleTransaction(found) : found],
});
