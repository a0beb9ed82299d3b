import { objectOrNull, simpleReceipt } from '../../core/chain/objects';
import { simplify } from '../../core/operation/sharedFields';
import { path } from '../../core/operation/path';
import { rpc } from '../../core/rpc/chain';
import { rpcOptions } from '../../core/operation/transportOptions';
import { transactionHash } from './fields';

export const getReceipt = rpc({
	name: 'Get Receipt',
	action: 'Get the receipt of a transaction',
	description: 'Get the outcome of a transaction: whether it succeeded, its fee and its logs',
	fields: [transactionHash, simplify, path('/'), rpcOptions()],
	request: (p) => ({
		path: p.path,
		method: 'eth_getTransactionReceipt',
		params: [p.transactionHash],
	}),
	answer: objectOrNull('a receipt'),
	items: (found, p) => [found && p.simplify ? simpleReceipt(found) : found],
});
