import { Cell, type TupleItem } from '@ton/core';
import { getAddressInformation, getWalletInformation } from './accounts.mts';
import { formatNumber, getMethodId, parseNumber, requireText } from './getMethods.mts';
import { hashOf, type Row, type TonLedger } from './ledger.mts';
import { getIncoming, listOutgoing, runMethod } from './machine.mts';
import { sendMessage } from './messages.mts';
import { ApiError, parseAddress, parseCell, Query, throwUnreadable } from './parameters.mts';
import { formatMessage } from './transactionJson.mts';
import type { View } from './view.mts';

export interface RpcBody {
	readonly method?: unknown;
	readonly params?: unknown;
}

type Params = Readonly<Record<string, unknown>>;

/** Answers version 2 of the API, which clients outside this project use. */
export async function answerVersion2(view: View, body: RpcBody, hold: boolean): Promise<unknown> {
	const params = (body.params ?? {}) as Params;
	const { ledger } = view;
	switch (requireText('method', body.method)) {
		case 'getAddressInformation':
			return getInformation(view, params);
		case 'getWalletInformation':
			return getWallet(view, params);
		case 'getTransactions':
			return listTransactions(view, params);
		case 'runGetMethod':
			return await runGetMethod(ledger, params);
		case 'sendBoc':
			await sendMessage(ledger, params, hold);
			return { '@type': 'ok' };
		case 'sendBocReturnHash': {
			const { message_hash: hash, message_hash_norm } = await sendMessage(ledger, params, hold);
			return { '@type': 'raw.extMessageInfo', hash, hash_norm: message_hash_norm };
		}
		case 'getMasterchainInfo':
			return {
				last: buildBlock(ledger.head),
				state_root_hash: NO_HASH,
				init: buildBlock(0),
			};
		default:
			return throwUnreadable('no such method');
	}
}

const NO_HASH = Buffer.alloc(32).toString('base64');

const buildBlock = (seqno: number) => ({
	'@type': 'ton.blockIdExt',
	workchain: -1,
	shard: '-9223372036854775808',
	seqno,
	root_hash: NO_HASH,
	file_hash: NO_HASH,
});

const STATES: Readonly<Record<string, string>> = {
	uninit: 'uninitialized',
	nonexist: 'uninitialized',
};

function getInformation(view: View, params: Params): object {
	const found = getAddressInformation(view, new Query(params));
	return {
		'@type': 'raw.fullAccountState',
		balance: found.balance,
		extra_currencies: [],
		code: found.code ?? '',
		data: found.data ?? '',
		last_transaction_id: buildId(found.last_transaction_lt, found.last_transaction_hash),
		block_id: buildBlock(view.ledger.head),
		frozen_hash: found.frozen_hash ?? '',
		sync_utime: view.ledger.now,
		state: STATES[found.status] ?? found.status,
	};
}

function getWallet(view: View, params: Params): object {
	const found = getWalletInformation(view, new Query(params));
	return {
		wallet: found.wallet_type !== undefined,
		balance: found.balance,
		account_state: STATES[found.status] ?? found.status,
		wallet_type: found.wallet_type,
		seqno: found.seqno,
		last_transaction_id: buildId(found.last_transaction_lt, found.last_transaction_hash),
	};
}

const buildId = (lt: string, hash: string) => ({ '@type': 'internal.transactionId', lt, hash });

const MAX_TRANSACTIONS = 100;
const DEFAULT_TRANSACTIONS = 10;

/** Lists transactions, the newest first. The list begins with the transaction that the request names. */
function listTransactions({ rows }: View, params: Params): object {
	const query = new Query(params);
	const address = query.requireAddress('address');
	const limit = Number(query.integer('limit') ?? DEFAULT_TRANSACTIONS);
	if (limit > MAX_TRANSACTIONS) throwUnreadable(`limit must be at most ${MAX_TRANSACTIONS}`);
	const [lt, hash, until] = [query.integer('lt'), query.hash('hash'), query.integer('to_lt')];
	if ((lt === undefined) !== (hash === undefined)) throwUnreadable('lt and hash belong together');
	const own = rows.filter(({ account }) => account === address).toReversed();
	const start =
		lt === undefined ? 0 : own.findIndex((row) => row.hash === hash && row.transaction.lt === lt);
	if (start < 0)
		throw new ApiError(500, 'cannot locate transaction in block with specified logical time');
	const found = own.slice(start).filter(({ transaction }) => transaction.lt > (until ?? 0n));
	return found.slice(0, limit).map(formatTransaction);
}

function formatTransaction({ transaction, hash }: Row): object {
	const { description, totalFees } = transaction;
	const storage =
		(description.type === 'generic' && description.storagePhase?.storageFeesCollected) || 0n;
	const incoming = getIncoming(transaction);
	return {
		'@type': 'raw.transaction',
		utime: transaction.now,
		data: transaction.raw.toBoc().toString('base64'),
		transaction_id: buildId(String(transaction.lt), hash),
		fee: String(totalFees.coins),
		storage_fee: String(storage),
		other_fee: String(totalFees.coins - storage),
		...(incoming && { in_msg: formatOldMessage(incoming) }),
		out_msgs: listOutgoing(transaction).map(formatOldMessage),
	};
}

function formatOldMessage(cell: Cell): object {
	const { message_content: content, ...message } = formatMessage(cell);
	return {
		'@type': 'raw.message',
		hash: hashOf(cell),
		source: message.source ?? '',
		destination: message.destination ?? '',
		value: message.value ?? '0',
		fwd_fee: message.fwd_fee ?? '0',
		ihr_fee: message.ihr_fee ?? '0',
		created_lt: message.created_lt ?? '0',
		body_hash: content.hash,
		msg_data: { '@type': 'msg.dataRaw', body: content.body, init_state: '' },
	};
}

async function runGetMethod(ledger: TonLedger, params: Params): Promise<object> {
	const address = parseAddress('address', requireText('address', params.address));
	const method = typeof params.method === 'number' ? String(params.method) : params.method;
	const methodId = getMethodId(requireText('method', method));
	const account = ledger.getAccount(address.toRawString());
	const stack = (params.stack ?? []) as unknown[];
	const result = account && (await runMethod(account, methodId, stack.map(parseItem), ledger.now));
	return {
		'@type': 'smc.runResult',
		gas_used: result?.gasUsed ?? 0,
		exit_code: result?.exitCode ?? -13,
		stack: result?.stack.map(formatItem) ?? [],
	};
}

function parseItem(given: unknown): TupleItem {
	const [type, value] = Array.isArray(given) ? (given as unknown[]) : [];
	if (type === 'num') return { type: 'int', value: parseNumber(String(value)) };
	const cell = parseCell(String(value));
	if (type === 'tvm.Cell') return { type: 'cell', cell };
	if (type === 'tvm.Slice') return { type: 'slice', cell };
	return throwUnreadable('unsupported stack entry');
}

function formatItem(item: TupleItem): unknown {
	switch (item.type) {
		case 'int':
			return ['num', formatNumber(item.value)];
		case 'null':
		case 'nan':
			return ['list', { '@type': 'tvm.list', elements: [] }];
		case 'tuple':
			return ['tuple', { '@type': 'tvm.tuple', elements: item.items.map(formatElement) }];
		default:
			// This API calls a slice a cell, except within tuples.
			return ['cell', { bytes: item.cell.toBoc().toString('base64') }];
	}
}

function formatElement(item: TupleItem): object {
	if (item.type === 'int') {
		const number = { '@type': 'tvm.numberDecimal', number: String(item.value) };
		return { '@type': 'tvm.stackEntryNumber', number };
	}
	if (item.type === 'tuple') {
		const tuple = { '@type': 'tvm.tuple', elements: item.items.map(formatElement) };
		return { '@type': 'tvm.stackEntryTuple', tuple };
	}
	if (item.type === 'null' || item.type === 'nan') {
		return { '@type': 'tvm.stackEntryList', list: { '@type': 'tvm.list', elements: [] } };
	}
	const bytes = item.cell.toBoc().toString('base64');
	return item.type === 'slice'
		? { '@type': 'tvm.stackEntrySlice', slice: { '@type': 'tvm.slice', bytes } }
		: { '@type': 'tvm.stackEntryCell', cell: { '@type': 'tvm.cell', bytes } };
}
