import { objectListParser, objectOrNullParser, formatBlock } from '../core/evm/chainObjects';
import type { Field } from '../core/operation/field';
import { simplify } from '../core/operation/sharedFields';
import { pathField } from '../core/operation/path';
import { outputFields } from '../core/operation/outputFields';
import { optionsField } from '../core/operation/transportOptions';
import { rpcOperation } from '../core/protocols/rpc/operation';
import { blockParser } from '../core/values/numbers';
import { toUnixSeconds, parseTime as readTime } from '../core/values/time';
import { readBlockAtTime } from '../core/evm/blockTimes';

const blockField = {
	displayName: 'Block',
	name: 'block',
	type: 'string',
	required: true,
	default: 'latest',
	placeholder: 'e.g. latest or 19000000',
	description: 'The number of the block, or latest, safe, finalized, earliest or pending',
	parse: blockParser('latest', 'safe', 'finalized', 'earliest', 'pending'),
} as const satisfies Field;

const fullTransactions = {
	displayName: 'Full Transactions',
	name: 'fullTransactions',
	type: 'boolean',
	default: false,
	description: 'Whether to return whole transactions instead of their hashes',
} as const satisfies Field;

const evmPath = pathField('/evm');
const options = optionsField([outputFields]);

const get = rpcOperation({
	name: 'Get',
	action: 'Get block',
	description: 'Get a block by its number, or by a word such as latest',
	fields: [blockField, fullTransactions, simplify, evmPath, options],
	request: (p) => ({ method: 'eth_getBlockByNumber', params: [p.block, p.fullTransactions] }),
	answer: objectOrNullParser('a block'),
	items: (found, p) => [found && p.simplify ? formatBlock(found) : found],
});

const getSystemTransactions = rpcOperation({
	name: 'Get System Transactions',
	action: 'Get transactions of system',
	description:
		'Get the transactions that the chain itself adds to a block, such as those of HyperCore on HyperEVM',
	fields: [blockField, evmPath, options],
	request: (p) => ({ method: 'eth_getSystemTxsByBlockNumber', params: [p.block] }),
	answer: (result) => (result === null ? null : objectListParser('a list of transactions')(result)),
	items: (found) => found ?? [null],
});

const time = {
	displayName: 'Time',
	name: 'time',
	type: 'dateTime',
	required: true,
	default: '',
	placeholder: 'e.g. 2026-01-31T14:00:00Z',
	description:
		'ISO 8601 or Unix seconds. A time without a zone is in the time zone of the workflow.',
	parse: readTime,
} as const satisfies Field;

const getByTime = rpcOperation({
	name: 'Get by Time',
	action: 'Get block by time',
	description: 'Get the last block at or before a time',
	fields: [time, simplify, pathField('/'), optionsField([outputFields])],
	async *run(p, chain) {
		const found = await readBlockAtTime(chain, toUnixSeconds(p.time, chain.timezone));
		yield found && p.simplify ? formatBlock(found) : found;
	},
});

export const block = { name: 'Block', operations: { get, getByTime, getSystemTransactions } };
