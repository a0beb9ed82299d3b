import { objectOrNull, simpleTransaction } from '../../core/chain/objects';
import { simplify } from '../../core/operation/sharedFields';
import { path } from '../../core/operation/path';
import { rpc } from '../../core/rpc/chain';
import { rpcOptions } from '../../core/operation/transportOptions';
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
