import { objectOrNullParser, formatReceipt, formatTransaction } from '../../core/evm/chainObjects';
import type { Field } from '../../core/operation/field';
import { pathField } from '../../core/operation/path';
import { simplify } from '../../core/operation/sharedFields';
import { outputFields } from '../../core/operation/outputFields';
import { optionsField } from '../../core/operation/transportOptions';
import { rpcOperation } from '../../core/protocols/rpc/operation';
import { parseHash } from '../../core/values/hex';
import { parseQuantity } from '../../core/values/numbers';
import { prepare } from './prepare/prepare';
import { transactionHash } from './fields';
import { send } from './send';
import { simulate } from './simulate';
import { wait } from './wait';

export const get = rpcOperation({
	name: 'Get',
	action: 'Get transaction',
	description: 'Get a transaction by its hash, even if it is not in a block yet',
	fields: [transactionHash, simplify, pathField('/'), optionsField([outputFields])],
	request: (p) => ({ method: 'eth_getTransactionByHash', params: [p.transactionHash] }),
	answer: objectOrNullParser('a transaction'),
	items: (found, p) => [found && p.simplify ? formatTransaction(found) : found],
});

const blockHash = {
	displayName: 'Block Hash',
	name: 'blockHash',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0x7c5a35e9cb3e8ae0e221ab470abae9d446c3a5626ce6689fc777dcffcab52c70',
	description: 'The hash of the block that contains the transaction',
	parse: parseHash,
} as const satisfies Field;

const transactionIndex = {
	displayName: 'Transaction Index',
	name: 'transactionIndex',
	type: 'string',
	required: true,
	default: '0',
	placeholder: 'e.g. 0',
	description: 'The position of the transaction in the block, counting from 0, decimal or 0x-hex',
	parse: parseQuantity,
} as const satisfies Field;

export const getByBlockHashAndIndex = rpcOperation({
	name: 'Get by Block Hash and Index',
	action: 'Get transaction by its index',
	description: 'Get the transaction at a position in a block',
	fields: [blockHash, transactionIndex, simplify, pathField('/evm'), optionsField([outputFields])],
	request: (p) => ({
		method: 'eth_getTransactionByBlockHashAndIndex',
		params: [p.blockHash, p.transactionIndex],
	}),
	answer: objectOrNullParser('a transaction'),
	items: (found, p) => [found && p.simplify ? formatTransaction(found) : found],
});

export const getReceipt = rpcOperation({
	name: 'Get Receipt',
	action: 'Get receipt of transaction',
	description: 'Get the outcome of a transaction: whether it succeeded, its fee and its logs',
	fields: [transactionHash, simplify, pathField('/'), optionsField([outputFields])],
	request: (p) => ({ method: 'eth_getTransactionReceipt', params: [p.transactionHash] }),
	answer: objectOrNullParser('a receipt'),
	items: (found, p) => [found && p.simplify ? formatReceipt(found) : found],
});

export const transaction = {
	name: 'Transaction',
	operations: { get, getByBlockHashAndIndex, getReceipt, prepare, send, simulate, wait },
};
