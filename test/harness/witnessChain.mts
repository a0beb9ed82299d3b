import { createHash } from 'node:crypto';
import * as tronWeb from 'tronweb';
import type { BlockRef } from '../../nodes/core/chain/blocks';
import {
	getHeadNumber,
	IRREVERSIBLE_BLOCKS,
	mineBlocks,
} from '../../sandbox/apis/witness/blocks.mts';
import { CHAIN_READS, PENDING_READS } from '../../sandbox/apis/witness/chainReads.mts';
import {
	type Broadcast,
	createWallet,
	type InternalTransfer,
	type Log,
	type Outcome,
	type Wallet,
} from '../../sandbox/apis/witness/state.mts';
import { sendJson, startServer } from './server.mts';

type Json = Readonly<Record<string, unknown>>;

/** A transaction that a test puts into a block, together with its logs and results. Accounts are 40 hex digits. */
export interface MinedTransaction
	extends Partial<Pick<Outcome, 'logs' | 'internal' | 'contract_address'>> {
	readonly contract?: { readonly type: string; readonly value: Json };
	readonly memo?: string | Uint8Array;
	readonly hasFailed?: boolean;
}

/** Changes an answer before it is sent. Undefined means that the method is not served. */
type Change = (answer: unknown, method: string, body: Json) => unknown;

const BLOCK_MS = 3000;
const BEGUN_AT = 1_700_000_000_000;

export const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
/** Returns the account of a name as 40 hex digits. A name that is an address stands for that address. */
export const account = (name: string) =>
	/^0x[0-9a-f]{40}$/.test(name) ? name.slice(2) : sha256(name).slice(0, 40);

/**
 * The sandbox's TRON chain for tests. Its blocks come when a test mines them, and contain what the test says.
 * Its node can lie: answers can be changed, views can be behind, and methods can be missing.
 */
export class WitnessChain {
	/** The number of blocks by which the irreversible view is behind the newest block. */
	lag = IRREVERSIBLE_BLOCKS;
	/** The methods that answer 404. Each is named with its view, such as `walletsolidity/getnowblock`. */
	readonly unserved = new Set<string>();
	change: Change = (answer) => answer;
	/**
	 * Returns the number of newest blocks that the answering node lacks. It can differ in each call, as for several nodes
	 * behind one address.
	 */
	missing: () => number = () => 0;
	readonly asked: string[] = [];
	readonly #wallet: Wallet;

	/** The chain has two blocks. */
	constructor(seed = 'chain') {
		const now = () => BEGUN_AT;
		const clock = { number: 0, at: now(), blockTime: BLOCK_MS, mined: 1, seed, now };
		this.#wallet = { ...createWallet(), clock };
	}

	get head(): number {
		return getHeadNumber(this.#wallet.clock);
	}

	/** The newest irreversible block. */
	get solid(): number {
		return this.head - this.lag;
	}

	mine(...transactions: readonly MinedTransaction[]): void {
		const block = this.head + 1;
		for (const [at, one] of transactions.entries())
			this.#wallet.broadcast.push(buildBroadcast(one, block, at));
		this.mineEmpty(1);
	}

	mineEmpty(count: number): void {
		this.#wallet.clock = mineBlocks(this.#wallet.clock, count);
	}

	/** Returns a block in the form of the node's answer. */
	block(number: number): Json {
		return this.#answerAt(this.head, 'getblockbynum', { num: number }) as Json;
	}

	refOf(number: number): BlockRef {
		return { number, hash: String(this.block(number).blockID) };
	}

	/** Turns off the methods that list blocks, in both views. */
	hideLists(): void {
		this.unserved.add('walletsolidity/getblockbylimitnext');
		this.unserved.add('wallet/getblockbylimitnext');
	}

	/** Returns the answer to a request, or undefined if the method is not served. */
	answer(path: string, body: Json): unknown {
		const [view = '', method = ''] = path.split('/').filter((part) => part !== '');
		this.asked.push(`${view}/${method}`);
		if (this.unserved.has(`${view}/${method}`)) return undefined;
		const end = (view === 'walletsolidity' ? this.solid : this.head) - this.missing();
		return this.change(this.#answerAt(end, method, body), method, body);
	}

	#answerAt(end: number, method: string, body: Json): unknown {
		if (method === 'triggerconstantcontract')
			return formatTokenFact(String(body.function_selector));
		const read = CHAIN_READS[method] ?? PENDING_READS[method];
		return read?.answer({ wallet: this.#wallet, end }, body, tronWeb);
	}
}

export const transactionId = (number: number, at: number) => sha256(`transaction ${number} ${at}`);

function buildBroadcast(one: MinedTransaction, block: number, at: number): Broadcast {
	const { contract, memo, hasFailed, ...followed } = one;
	const { type, value } = contract ?? transfer('nobody', 'nobody else', 1).contract;
	const txid = transactionId(block, at);
	const transaction = {
		visible: false,
		txID: txid,
		raw_data: {
			contract: [{ parameter: { value, type_url: `type.googleapis.com/protocol.${type}` }, type }],
			ref_block_bytes: '0001',
			ref_block_hash: '00'.repeat(8),
			...(memo !== undefined && { data: Buffer.from(memo).toString('hex') }),
		},
	};
	const costs = { fee: 0, net_usage: 0, net_fee: 0, energy: 0, energy_fee: 0 };
	const outcome = { ...costs, ...followed, ...(hasFailed && { result: 'REVERT' }) };
	return { txid, type, owner_address: '', transaction, block, outcome };
}

const WORD_CHARS = 64;
const formatWord = (hex: string) => hex.padStart(WORD_CHARS, '0');

/** Answers a call of a contract. The chain runs no contracts: it answers as if each were a token with six decimals. */
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
	return { contract: { type: 'TransferContract', value } } satisfies MinedTransaction;
}

/** A call of a contract. */
export function call(from: string, contract: string, call_value = 0) {
	const value = {
		owner_address: `41${account(from)}`,
		contract_address: `41${account(contract)}`,
		data: 'a9059cbb',
		...(call_value > 0 && { call_value }),
	};
	return { contract: { type: 'TriggerSmartContract', value } } satisfies MinedTransaction;
}

const TRANSFER_TOPIC = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** Builds the log of a TRC-20 transfer. */
export function transferLog(token: string, from: string, to: string, value: number): Log {
	return {
		address: `41${account(token)}`,
		topics: [TRANSFER_TOPIC, formatWord(account(from)), formatWord(account(to))],
		data: formatWord(value.toString(16)),
	};
}

/** Coins that a contract sends. */
export const internalTransfer = (
	from: string,
	to: string,
	callValue: number,
): InternalTransfer => ({
	from: `41${account(from)}`,
	to: `41${account(to)}`,
	callValue,
	note: 'call',
	rejected: false,
});

/** Serves the chain over HTTP. A method that is not served answers 404. */
export async function serveWitnessChain(chain: WitnessChain) {
	return await startServer((received, response) => {
		const answer = chain.answer(received.path, (received.json ?? {}) as Json);
		if (answer === undefined) sendJson(response, 404, { message: 'not found' });
		else sendJson(response, 200, answer);
	});
}
