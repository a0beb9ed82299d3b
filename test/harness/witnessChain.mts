import { createHash } from 'node:crypto';
import { sendJson, startServer } from './server.mts';

type Json = Readonly<Record<string, unknown>>;

/** A transaction of a fake chain: what it does, without what follows from it. Accounts are 40 hex digits. */
export interface FakeTransaction {
	readonly contract?: Json & { readonly type: string; readonly value: Json };
	readonly memo?: string;
	readonly hasFailed?: boolean;
	readonly logs?: readonly Json[];
	readonly internal?: readonly Json[];
	readonly info?: Json;
}

interface FakeBlock {
	readonly number: number;
	readonly hash: string;
	readonly json: Json;
	readonly infos: readonly Json[];
}

/** Changes an answer on its way; undefined stands for a method that is not served. */
type Change = (answer: unknown, method: string, body: Json) => unknown;

const BLOCK_MS = 3000;
const BEGUN_AT = 1_700_000_000_000;
const BLOCKS_ON_TOP = 19;
/** `getblockbylimitnext` refuses longer ranges. */
const MAX_LIST_BLOCKS = 100;

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
/** The account of a name, as 40 hex digits. */
export const account = (name: string) => sha256(name).slice(0, 40);

/** A node of the witness chain in memory, with its two views. */
export class WitnessChain {
	readonly blocks: FakeBlock[] = [];
	/** The irreversible view is this many blocks behind the head. */
	lag = BLOCKS_ON_TOP;
	/** The methods that answer 404, with their view, such as `walletsolidity/getnowblock`. */
	readonly unserved = new Set<string>();
	change: Change = (answer) => answer;
	/** The node that answers lacks this many of its newest blocks; the nodes behind one address differ. */
	missing: () => number = () => 0;
	readonly asked: string[] = [];
	readonly #seed: string;

	constructor(seed = 'chain') {
		this.#seed = seed;
		this.mine();
		this.mine();
	}

	get head(): number {
		return this.blocks.length - 1;
	}

	/** The newest irreversible block. */
	get solid(): number {
		return this.head - this.lag;
	}

	mine(...transactions: readonly FakeTransaction[]): void {
		const number = this.blocks.length;
		const parentHash = this.blocks.at(-1)?.hash ?? '0'.repeat(64);
		const hash =
			number.toString(16).padStart(16, '0') + sha256(`${this.#seed} ${number}`).slice(16);
		const timestamp = BEGUN_AT + number * BLOCK_MS;
		const listed = transactions.map((one, at) => formatTransaction(one, number, at));
		const txTrieRoot = listed.length > 0 ? sha256(`root ${number}`) : '0'.repeat(64);
		const raw_data = { ...(number > 0 && { number }), timestamp, txTrieRoot, parentHash };
		this.blocks.push({
			number,
			hash,
			json: {
				blockID: hash,
				block_header: { raw_data, witness_signature: '00' },
				...(listed.length > 0 && { transactions: listed }),
			},
			infos: transactions.map((one, at) => formatInfo(one, number, at, timestamp)),
		});
	}

	mineEmpty(count: number): void {
		for (let left = count; left > 0; left--) this.mine();
	}

	/** Serves no lists of blocks, in either view. */
	hideLists(): void {
		this.unserved.add('walletsolidity/getblockbylimitnext');
		this.unserved.add('wallet/getblockbylimitnext');
	}

	/** The answer to a request; undefined where the method is not served. */
	answer(path: string, body: Json): unknown {
		const [view = '', method = ''] = path.split('/').filter((part) => part !== '');
		this.asked.push(`${view}/${method}`);
		if (this.unserved.has(`${view}/${method}`)) return undefined;
		const end = (view === 'walletsolidity' ? this.solid : this.head) - this.missing();
		return this.change(this.#answerAt(end, method, body), method, body);
	}

	#answerAt(end: number, method: string, body: Json): unknown {
		const at = (number: unknown) =>
			Number(number) <= end ? this.blocks[Number(number)] : undefined;
		switch (method) {
			case 'getnowblock':
				return at(end)?.json ?? {};
			case 'getblockbynum':
				return at(body.num)?.json ?? {};
			case 'getblockbylimitnext': {
				const [from, to] = [Number(body.startNum), Number(body.endNum)];
				const block = this.blocks.slice(from, Math.min(to, end + 1)).map(({ json }) => json);
				return to - from > MAX_LIST_BLOCKS || block.length === 0 ? {} : { block };
			}
			case 'gettransactioninfobyblocknum':
				return at(body.num)?.infos ?? [];
			case 'triggerconstantcontract':
				return formatTokenFact(String(body.function_selector));
			default:
				return undefined;
		}
	}
}

export const transactionId = (number: number, at: number) => sha256(`transaction ${number} ${at}`);

function formatTransaction(one: FakeTransaction, number: number, at: number): Json {
	const { type, value } = one.contract ?? transfer('nobody', 'nobody else', 1).contract;
	return {
		ret: [{ contractRet: one.hasFailed ? 'REVERT' : 'SUCCESS' }],
		txID: transactionId(number, at),
		raw_data: {
			contract: [{ parameter: { value, type_url: `type.googleapis.com/protocol.${type}` }, type }],
			ref_block_bytes: '0001',
			ref_block_hash: '00'.repeat(8),
			...(one.memo !== undefined && { data: Buffer.from(one.memo).toString('hex') }),
		},
	};
}

function formatInfo(one: FakeTransaction, number: number, at: number, timestamp: number): Json {
	return {
		id: transactionId(number, at),
		blockNumber: number,
		blockTimeStamp: timestamp,
		contractResult: [''],
		receipt: {},
		...(one.hasFailed && { result: 'FAILED', receipt: { result: 'REVERT' } }),
		...(one.logs && { log: one.logs }),
		...(one.internal && { internal_transactions: one.internal }),
		...one.info,
	};
}

const WORD_CHARS = 64;
const formatWord = (hex: string) => hex.padStart(WORD_CHARS, '0');

/** Every contract is a token of six decimals. */
function formatTokenFact(selector: string): Json {
	const symbol = `${formatWord('20')}${formatWord('4')}${Buffer.from('USDX').toString('hex').padEnd(WORD_CHARS, '0')}`;
	const constant_result = [selector === 'symbol()' ? symbol : formatWord('6')];
	return { result: { result: true }, energy_used: 1, constant_result };
}

/** A transfer of coins. */
export function transfer(from: string, to: string, amountSun: number) {
	const value = {
		owner_address: `41${account(from)}`,
		to_address: `41${account(to)}`,
		amount: amountSun,
	};
	return { contract: { type: 'TransferContract', value } } satisfies FakeTransaction;
}

/** A call of a contract. */
export function call(from: string, contract: string, call_value = 0) {
	const value = {
		owner_address: `41${account(from)}`,
		contract_address: `41${account(contract)}`,
		data: 'a9059cbb',
		...(call_value > 0 && { call_value }),
	};
	return { contract: { type: 'TriggerSmartContract', value } } satisfies FakeTransaction;
}

const TRANSFER_TOPIC = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** The log of a TRC-20 transfer. */
export function transferLog(token: string, from: string, to: string, value: number): Json {
	return {
		address: account(token),
		topics: [TRANSFER_TOPIC, formatWord(account(from)), formatWord(account(to))],
		data: formatWord(value.toString(16)),
	};
}

/** Coins that a contract sends. */
export function internalTransfer(
	from: string,
	to: string,
	callValue: number,
	more: Json = {},
): Json {
	return {
		hash: sha256(`${from} ${to} ${callValue}`),
		caller_address: `41${account(from)}`,
		transferTo_address: `41${account(to)}`,
		callValueInfo: [{ callValue }],
		note: Buffer.from('call').toString('hex'),
		...more,
	};
}

/** Serves a chain over HTTP; what is not served is not found. */
export async function serveWitnessChain(chain: WitnessChain) {
	return await startServer((received, response) => {
		const answer = chain.answer(received.path, (received.json ?? {}) as Json);
		if (answer === undefined) sendJson(response, 404, { message: 'not found' });
		else sendJson(response, 200, answer);
	});
}
