import { Address, beginCell, type Cell } from '@ton/core';
import { WalletContractV3R2, WalletContractV4, WalletContractV5R1 } from '@ton/ton';
import type { Field } from '../../../nodes/core/operation/field';
import type { AnyOperation, RunContext } from '../../../nodes/core/operation/operation';
import { createParameterParser } from '../../../nodes/core/operation/parameters';
import { collectResults } from '../../../nodes/core/run';
import type { RestRequest } from '../../../nodes/core/protocols/rest';
import { createContext } from './chains.mts';
import { createShared } from '../../../nodes/core/net/pacing/shared';

export type Row = Readonly<Record<string, unknown>>;
export type Query = Readonly<Record<string, readonly string[]>>;
type Handler = (query: Query, body: Row) => unknown;

/** Writes an address in the raw form and in upper case, as the index does. */
export const rawOf = (digit: string) => `0:${digit.repeat(64).toUpperCase()}`;
export const friendlyOf = (raw: string, bounceable: boolean) =>
	Address.parse(raw).toString({ bounceable });
export const hashOf = (mark: string | number) =>
	beginCell().storeStringTail(String(mark)).endCell().hash().toString('base64');
export const toHex = (base64: string) => Buffer.from(base64, 'base64').toString('hex');
export const bocOf = (cell: Cell) => cell.toBoc().toString('base64');
export const commentCell = (text: string) =>
	beginCell().storeUint(0, 32).storeStringTail(text).endCell();
export const upperRaw = (address: Address | string) =>
	(typeof address === 'string' ? Address.parse(address) : address).toRawString().toUpperCase();

const PUBLIC_KEY = Buffer.alloc(32, 3);
export const WALLETS = {
	v3r2: WalletContractV3R2.create({ workchain: 0, publicKey: PUBLIC_KEY }),
	v4r2: WalletContractV4.create({ workchain: 0, publicKey: PUBLIC_KEY }),
	v5r1: WalletContractV5R1.create({ workchain: 0, publicKey: PUBLIC_KEY }),
};
type WalletName = keyof typeof WALLETS;

/** Builds the data of a wallet that has made `seqno` transfers. */
function dataOf(name: WalletName, seqno: number): Cell {
	const slice = WALLETS[name].init.data.beginParse();
	const builder = beginCell();
	if (name === 'v5r1') builder.storeBit(slice.loadBit());
	slice.loadUint(32);
	return builder.storeUint(seqno, 32).storeSlice(slice).endCell();
}

export const walletState = (name: WalletName, seqno = 7, balance = '10000000000'): Row => ({
	address: upperRaw(WALLETS[name].address),
	balance,
	status: 'active',
	code_hash: WALLETS[name].init.code.hash().toString('base64'),
	data_boc: bocOf(dataOf(name, seqno)),
	interfaces: [`wallet_${name}`],
});

export const contractState = (address: string, balance = '1000000000'): Row => ({
	address,
	balance,
	status: 'active',
	code_hash: hashOf('some contract'),
});

export const DONE = {
	type: 'ord',
	aborted: false,
	compute_ph: { skipped: false, success: true, exit_code: 0 },
	action: { success: true, result_code: 0, skipped_actions: 0 },
};
export const messageRow = (
	source: string | null,
	destination: string | null,
	body: Cell | null = null,
	more: Row = {},
): Row => ({
	hash: hashOf(`message ${source} ${destination} ${body?.hash().toString('hex')}`),
	source,
	destination,
	bounced: false,
	value: source === null ? null : '1500000000',
	message_content: { hash: hashOf('body'), body: body && bocOf(body), decoded: null },
	...more,
});

const BEGUN_AT_SECONDS = 1_767_225_600;

export const transactionRow = (account: string, lt: number, more: Row = {}): Row => ({
	account,
	lt: String(lt),
	now: BEGUN_AT_SECONDS + lt,
	total_fees: '2100000',
	hash: hashOf(`${account} ${lt}`),
	prev_trans_hash: lt === 1 ? Buffer.alloc(32).toString('base64') : hashOf(`${account} ${lt - 1}`),
	emulated: false,
	finality: 'finalized',
	description: DONE,
	in_msg: messageRow(rawOf('e'), account),
	out_msgs: [],
	...more,
});

/** Builds the row of a jetton. By default, it has six decimals. */
export const masterRow = (
	address: string,
	content: Row = { symbol: 'USDT', decimals: '6' },
): Row => ({ address, total_supply: '1000000', mintable: true, jetton_content: content });

export const jettonWalletRow = (
	address: string,
	owner: unknown,
	jetton: string,
	balance = '0',
): Row => ({ address, owner, jetton, balance });

/** A request, in the parts that the service reads. */
export interface TonRequest {
	readonly method: string;
	readonly query: Query;
	readonly body: Row;
}

export function readTonRequest({ path, body = {} }: RestRequest): TonRequest {
	const url = new URL(path, 'http://localhost');
	const names = [...new Set(url.searchParams.keys())];
	return {
		method: url.pathname.replace('/api/v3/', ''),
		query: Object.fromEntries(names.map((name) => [name, url.searchParams.getAll(name)])),
		body: JSON.parse(JSON.stringify(body)) as Row,
	};
}

/**
 * A fake index of a TON chain whose rows are written by a test. It serves lists of hundreds of rows, which would
 * take `TonIndex` too long. Answers in `changes` replace its own.
 */
export class FakeTon {
	readonly accounts: Row[] = [];
	transactions: Row[] = [];
	readonly masters: Row[] = [];
	jettonWallets: Row[] = [];
	metadata: Row = {};
	addressBook: Row = {};
	/** The requests that have come, in order. */
	readonly asked: TonRequest[] = [];
	answerMethod: Handler = () => ({ exit_code: 0, gas_used: 1, stack: [] });
	readonly changes: Record<string, (answer: Row, query: Query, count: number) => unknown> = {};

	readonly call = async (request: RestRequest): Promise<unknown> => {
		const asked = readTonRequest(request);
		const { method, query, body } = asked;
		const count = this.count(method);
		this.asked.push(asked);
		const handler = this.handlers[method];
		if (!handler) throw new Error(`There is no ${method}`);
		const answer = JSON.parse(JSON.stringify(await handler(query, body))) as Row;
		return await (this.changes[method]?.(answer, query, count) ?? answer);
	};

	count(method: string): number {
		return this.asked.filter((one) => one.method === method).length;
	}

	private readonly handlers: Readonly<Record<string, Handler>> = {
		accountStates: ({ address }) => ({ accounts: select(this.accounts, 'address', address) }),
		transactions: ({ account, limit, sort, ...range }) => ({
			transactions: select(this.transactions, 'account', account)
				.filter(({ now, lt }) => isWithin(now, range, 'utime') && isWithin(lt, range, 'lt'))
				.sort((one, other) => (Number(one.lt) - Number(other.lt)) * (sort?.[0] === 'asc' ? 1 : -1))
				.slice(0, Number(limit)),
			address_book: this.addressBook,
		}),
		transactionsByMessage: ({ msg_hash: [wanted = ''] = [] }) => ({
			transactions: this.transactions.filter(({ in_msg: message }) => {
				const { hash, hash_norm: normalized } = (message ?? {}) as Row;
				return [hash, normalized].some((one) => one && toHex(String(one)) === wanted);
			}),
			address_book: this.addressBook,
		}),
		'jetton/masters': ({ address }) => ({
			jetton_masters: select(this.masters, 'address', address),
			metadata: this.metadata,
		}),
		'jetton/wallets': ({ owner_address: owner, jetton_address: jetton, ...query }) => ({
			jetton_wallets: page(
				select(select(this.jettonWallets, 'owner', owner), 'jetton', jetton).filter(
					({ balance }) => !query.exclude_zero_balance || balance !== '0',
				),
				query,
			),
		}),
		runGetMethod: (query, body) => this.answerMethod(query, body),
		masterchainInfo: () => ({ last: { seqno: 1, gen_utime: String(BEGUN_AT_SECONDS) } }),
	};
}

/** Tells whether a value is in the range of a request. The first and the last value are included. */
function isWithin(value: unknown, range: Query, name: string): boolean {
	const { [`start_${name}`]: start, [`end_${name}`]: end } = range;
	return Number(value) >= Number(start?.[0] ?? 0) && Number(value) <= Number(end?.[0] ?? Infinity);
}

/**
 * Selects the rows of the wanted accounts, whose addresses may have any form. Without accounts, it returns all rows.
 */
function select(rows: readonly Row[], key: string, wanted?: readonly string[]): Row[] {
	const addresses = wanted?.map(upperRaw);
	return rows.filter((row) => !addresses || addresses.includes(String(row[key])));
}

function page(rows: readonly Row[], { limit, offset }: Query): Row[] {
	const start = Number(offset?.[0] ?? 0);
	return rows.slice(start, start + Number(limit?.[0] ?? 10));
}

/** Runs an operation with parameters that are read like those of n8n. */
export async function runTon(
	operation: AnyOperation<RestRequest>,
	given: Row,
	ton: Pick<FakeTon, 'call'>,
	other: Partial<RunContext<RestRequest>> = { shared: createShared() },
): Promise<Row[]> {
	const read = createParameterParser(
		(field) => given[field.name] ?? field.default,
		operation.fields as readonly Field[],
	);
	const context = createContext<RestRequest>(ton.call, other);
	return (await collectResults(operation, read(0), context)) as Row[];
}

/** Returns the message and the description of the failure as text. */
export async function failureOf(work: Promise<unknown>): Promise<string> {
	return await work.then(
		(found) => `it did not fail: ${JSON.stringify(found)}`,
		({ message, description }: { message: string; description?: string }) =>
			description ? `${message}. ${description}` : message,
	);
}
