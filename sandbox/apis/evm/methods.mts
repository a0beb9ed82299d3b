import { createHash } from 'node:crypto';
import {
	type Call,
	type FindMethod,
	type Method,
	RpcFailure,
	tuple,
} from '../../jsonRpc/calls.mts';
import type { Chain } from './chain.mts';
import * as schemas from './schemas.mts';

/** A method whose answer may come from the chain. The chain is undefined if the sandbox runs none. */
interface ChainMethod extends Omit<Method, 'answer'> {
	answer: (call: Call, chain: Chain | undefined) => unknown;
}

const callChain: ChainMethod['answer'] = ({ method, params }, chain) => {
	if (!chain) throw new RpcFailure(-32000, 'no chain in this sandbox');
	return chain.call(method, params);
};

const documentedMethods: Record<string, ChainMethod> = {
	eth_getBlockByNumber: {
		params: tuple(schemas.blockNumber, schemas.boolean),
		documentedAt: ['/evm'],
		answer: callChain,
	},
	eth_getTransactionByBlockHashAndIndex: {
		params: tuple(schemas.hash, schemas.quantity),
		documentedAt: ['/evm'],
		answer: callChain,
	},
	eth_maxPriorityFeePerGas: {
		params: schemas.emptyArray,
		documentedAt: ['/evm'],
		answer: () => '0x0',
	},
	eth_getSystemTxsByBlockNumber: {
		params: tuple(schemas.blockNumber),
		documentedAt: ['/evm'],
		answer: ({ params: [block] }, chain) => buildSystemTransactions(String(block), chain),
	},
	eth_call: {
		params: tuple(schemas.callObject, schemas.blockSelector),
		documentedAt: [''],
		answer: callChain,
	},
	trace_filter: {
		params: tuple(schemas.traceFilter),
		documentedAt: ['/'],
		answer: callChain,
	},
	eth_getBalance: {
		params: tuple(schemas.address, schemas.blockSelector),
		answer: callChain,
	},
};

/**
 * The sandbox's chain also has cheat methods, and methods that sign for its accounts. A hosted node has neither, so the
 * sandbox hides them.
 */
const HOSTED_PATTERN = /^((eth|net|web3|trace)_\w+|debug_traceCall)$/;
const SIGNING_PATTERN = /^eth_(accounts|sign\w*|send(?!RawTransaction$)\w*)$/;

function findEvmMethod(name: string): ChainMethod | undefined {
	if (Object.hasOwn(documentedMethods, name)) return documentedMethods[name];
	if (!HOSTED_PATTERN.test(name) || SIGNING_PATTERN.test(name)) return undefined;
	return { params: anyParams, answer: callChain };
}

const anyParams = { type: 'array' };

/** Finds the methods of a hosted node. */
export const createEvmMethods =
	(chain: Chain | undefined): FindMethod =>
	(name) =>
		bindChain(findEvmMethod(name), chain);

const signerMethods: Record<string, ChainMethod> = {
	eth_accounts: { params: { type: 'array', maxItems: 0 }, answer: callChain },
	eth_signTransaction: { params: { type: 'array', minItems: 1, maxItems: 1 }, answer: callChain },
};

/** Finds the two methods of a remote signer, which has the accounts of the chain. It answers no other methods. */
export const createSignerMethods =
	(chain: Chain | undefined): FindMethod =>
	(name) =>
		bindChain(Object.hasOwn(signerMethods, name) ? signerMethods[name] : undefined, chain);

const bindChain = (method: ChainMethod | undefined, chain: Chain | undefined) =>
	method && { ...method, answer: (call: Call) => method.answer(call, chain) };

interface Block {
	number: number;
	hash: string;
}

/**
 * Invents system transactions, which are the same for the same block.
 * Blocks whose number ends in 0 have two, and blocks whose number ends in 5 have one. A block that does not exist yet
 * gives null.
 */
async function buildSystemTransactions(selector: string, chain: Chain | undefined) {
	const block = chain ? await fetchBlock(chain, selector) : inventBlock(selector);
	if (!block) return null;
	if (block.number % 5 !== 0) return [];
	const count = block.number % 10 === 0 ? 2 : 1;
	return Array.from({ length: count }, (_, index) => buildSystemTransaction(block, index));
}

async function fetchBlock(chain: Chain, selector: string): Promise<Block | null> {
	const found = await chain.call('eth_getBlockByNumber', [selector, false]);
	if (!found) return null;
	const { number, hash } = found as { number: string; hash: string };
	return { number: Number(number), hash };
}

const INVENTED_HEAD = 1_000_000;

function inventBlock(selector: string): Block | null {
	const number = selector.startsWith('0x') ? Number(selector) : INVENTED_HEAD;
	const block = selector === 'earliest' ? 0 : number;
	return block > INVENTED_HEAD ? null : { number: block, hash: hashText(`block ${block}`) };
}

function buildSystemTransaction({ number, hash }: Block, index: number) {
	const seed = `system transaction ${number} ${index}`;
	return {
		hash: hashText(seed),
		nonce: numberToHex(number * 2 + index),
		blockHash: hash,
		blockNumber: numberToHex(number),
		transactionIndex: numberToHex(index),
		from: '0x2222222222222222222222222222222222222222',
		to: hashText(`${seed} to`).slice(0, 42),
		value: numberToHex((number + 1) * 1_000_000_007),
		gas: numberToHex(200_000),
		gasPrice: '0x0',
		input: `0xa9059cbb${hashText(`${seed} input`).slice(2)}`,
		v: '0x1b',
		r: hashText(`${seed} r`),
		s: hashText(`${seed} s`),
		type: '0x0',
	};
}

const numberToHex = (value: number) => `0x${value.toString(16)}`;

const hashText = (text: string) => `0x${createHash('sha256').update(text).digest('hex')}`;
