import {
	beginCell,
	type Cell,
	type Contract,
	external,
	internal,
	type MessageRelaxed,
	SendMode,
	storeMessage,
} from '@ton/core';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import type { RestRequest } from '../../../nodes/core/protocols/rest';
import { loadChainActions } from '../../../sandbox/apis/ton/chainActions.mts';
import { getMasterchainInfo, READS } from '../../../sandbox/apis/ton/chainApi.mts';
import {
	answerRead,
	loadLedger,
	runGetMethod,
	sendMessage,
} from '../../../sandbox/apis/ton/chainService.mts';
import { createTonChain, SEED_SECONDS } from '../../../sandbox/apis/ton/chainState.mts';
import { answerEstimate, type EstimateBody } from '../../../sandbox/apis/ton/estimate.mts';
import { EstimateFailure } from '../../../sandbox/apis/ton/fees.mts';
import {
	alice,
	giver,
	type Person,
	signTransfer,
	type WalletKind,
} from '../../../sandbox/apis/ton/keys.mts';
import type { TonLedger } from '../../../sandbox/apis/ton/ledger.mts';
import { ApiError } from '../../../sandbox/apis/ton/parameters.mts';
import { computeNormalizedHash } from '../../../sandbox/apis/ton/transactionJson.mts';
import { readTonRequest, type Query, type Row, type TonRequest } from './tonService.mts';

/** Changes an honest answer. `count` tells how many requests of the same method came before. */
type Change = (answer: Row, query: Query, count: number) => unknown;

/**
 * The sandbox's TON chain without a server. Its virtual machine carries out messages, and its index answers
 * requests. Answers are false only if a test sets `changes`.
 */
export class TonIndex {
	readonly chain = createTonChain();
	/** The requests that have come, in order. */
	readonly asked: TonRequest[] = [];
	readonly changes: Record<string, Change> = {};

	/** Creates a chain. Without a ledger, it has the initial state of the sandbox. */
	constructor(ledger?: TonLedger) {
		if (ledger) this.chain.ledger = Promise.resolve(ledger);
	}

	/** Gives the actions of the sandbox's control server, such as pay and mint. */
	async act() {
		return await loadChainActions(this.chain);
	}

	async ledger(): Promise<TonLedger> {
		return await loadLedger(this.chain);
	}

	/** Lets later messages wait until a test carries out a step. */
	hold(): void {
		this.chain.settings.hold = true;
	}

	/**
	 * Hides the given number of latest transactions from the lists of the index. The states of accounts stay up to
	 * date.
	 */
	lag(transactions: number): void {
		this.chain.settings.index = { transactions, seconds: 0, share: 1 };
	}

	readonly call = async (request: RestRequest): Promise<unknown> => {
		const asked = readTonRequest(request);
		const { method, query } = asked;
		const count = this.count(method);
		this.asked.push(asked);
		const answer = await this.answer(asked).catch(throwAsClient);
		const plain = JSON.parse(JSON.stringify(answer)) as Row;
		const change = this.changes[method];
		if (!change && answer === NOT_SERVED) throw new RequestFailure('Not Found', { httpCode: 404 });
		return change ? await change(plain, query, count) : plain;
	};

	count(method: string): number {
		return this.asked.filter((one) => one.method === method).length;
	}

	/** Lists the messages that were posted, in base64. */
	get sent(): unknown[] {
		return this.asked.filter(({ method }) => method === 'message').map(({ body }) => body.boc);
	}

	private async answer({ method, query, body }: TonRequest): Promise<object> {
		const { chain } = this;
		if (READS.includes(method))
			return await answerRead(chain, {
				name: method,
				query,
				withoutBook: false,
				withoutMetadata: false,
			});
		if (method === 'masterchainInfo') return await getMasterchainInfo(chain);
		if (method === 'runGetMethod') return await runGetMethod(await this.ledger(), body);
		if (method === 'message')
			return await sendMessage(await this.ledger(), body, chain.settings.hold);
		if (method === 'estimateFee')
			return await answerEstimate(chain, body as unknown as EstimateBody);
		return NOT_SERVED;
	}
}

/** The answer of methods that work only if a test sets their answer in `changes`. */
const NOT_SERVED = {};

/** Throws the error that a client over HTTP would throw. */
function throwAsClient(error: unknown): never {
	if (error instanceof EstimateFailure)
		throw new RequestFailure(error.message, { httpCode: error.statusCode });
	if (!(error instanceof ApiError)) throw error;
	const { message, status } = error;
	throw new RequestFailure(message, { httpCode: status, maybeExecuted: status >= 500 });
}

/**
 * Sets the clock to the time that the sandbox's TON chain has until its first use. Only the waits of a test move it.
 */
export function freezeTime(): void {
	beforeEach(() =>
		jest.useFakeTimers({
			now: 1000 * SEED_SECONDS,
			doNotFake: ['setTimeout', 'setImmediate', 'nextTick'],
		}),
	);
	afterEach(() => jest.useRealTimers());
}

const FOREVER_SECONDS = 2 ** 32 - 1;

interface Signing {
	readonly seqno: number;
	/** The time until which the message is valid, in Unix seconds. */
	readonly timeout?: number;
	readonly sendMode?: SendMode;
	/** The messages of the transfer. By default, it sends one nanocoin to the wallet `giver`. */
	readonly messages?: MessageRelaxed[];
	readonly signer?: Person;
	/** True if the message contains the initial state of the wallet, which deploys it. */
	readonly init?: boolean;
}

/** Signs a message to a wallet of Alice with the library `@ton/ton`, and returns it with both of its hashes in hex. */
export async function sign(kind: WalletKind, given: Signing) {
	const { signer = alice, seqno, timeout = FOREVER_SECONDS, init = false } = given;
	const { sendMode = SendMode.PAY_GAS_SEPARATELY + SendMode.IGNORE_ERRORS } = given;
	const { messages = [internal({ to: giver.v3r2.address, value: 1n, bounce: false })] } = given;
	const body = await signTransfer(signer, kind, { seqno, timeout, sendMode, messages });
	return wrap(alice[kind], body, init);
}

/** Wraps a signed body into an external message to a wallet. */
export function wrap(wallet: Pick<Contract, 'address' | 'init'>, body: Cell, init = false) {
	const { address: to } = wallet;
	const message = external({ to, body, ...(init && { init: wallet.init }) });
	const cell = beginCell().store(storeMessage(message)).endCell();
	const normalized = computeNormalizedHash(cell) ?? '';
	return {
		cell,
		body,
		base64: cell.toBoc().toString('base64'),
		plainHash: cell.hash().toString('hex'),
		hash: Buffer.from(normalized, 'base64').toString('hex'),
	};
}
