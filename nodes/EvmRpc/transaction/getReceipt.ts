import { objectOrNull } from '../../core/evm/objects/chainObject';
import { simpleReceipt } from '../../core/evm/objects/simpleReceipt';
import { path, simplify } from '../../core/operation/sharedFields';
import { rpc } from '../../core/protocols/rpc';
import { rpcOptions } from '../../core/protocols/transportOptions';
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
