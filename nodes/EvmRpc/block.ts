import { listOfObjects, objectOrNull } from '../core/evm/objects/chainObject';
import type { Field } from '../core/operation/field';
import { path, simplify } from '../core/operation/sharedFields';
import { rpc } from '../core/protocols/rpc';
import { rpcOptions } from '../core/protocols/transportOptions';
import { blockOr } from '../core/values/quantity';
import { simpleBlock } from '../core/evm/objects/simpleBlock';
import { getByTime } from './getByTime';

const block = {
	displayName: 'Block',
	name: 'block',
	type: 'string',
	required: true,
	default: 'latest',
	placeholder: 'e.g. latest or 19000000',
	description: 'A block number, decimal or 0x-hex, or latest, safe, finalized, earliest or pending',
	read: blockOr('latest', 'safe', 'finalized', 'earliest', 'pending'),
} as const satisfies Field;

const fullTransactions = {
	displayName: 'Full Transactions',
	name: 'fullTransactions',
	type: 'boolean',
	default: false,
	description: 'Whether to return whole transactions instead of their hashes',
} as const satisfies Field;

const evmPath = path('/evm');
const options = rpcOptions();

const get = rpc({
	name: 'Get',
	action: 'Get a block',
	description: 'Get a block by its number or name',
	fields: [block, fullTransactions, simplify, evmPath, options],
	request: (p) => ({
		path: p.path,
		method: 'eth_getBlockByNumber',
		params: [p.block, p.fullTransactions],
	}),
	answer: objectOrNull('a block'),
	items: (found, p) => [found && p.simplify ? simpleBlock(found) : found],
});

const getSystemTransactions = rpc({
	name: 'Get System Transactions',
	action: 'Get the system transactions of a block',
	description: 'Get the transactions of a block that come from the core layer of the chain',
	fields: [block, evmPath, options],
	request: (p) => ({ path: p.path, method: 'eth_getSystemTxsByBlockNumber', params: [p.block] }),
	answer: (result) => (result === null ? null : listOfObjects('a list of transactions')(result)),
	items: (found) => found ?? [null],
});

export const blocks = { name: 'Block', operations: { get, getByTime, getSystemTransactions } };
