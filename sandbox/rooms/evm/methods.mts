import type { FindMethod, Method } from '../../rpc/method.mts';
import { RpcFailure } from '../../wire/envelope.mts';
import * as schemas from './schemas.mts';
import { buildSystemTransactions } from './systemTransactions.mts';

const { tuple } = schemas;

export const callChain: Method['answer'] = ({ method, params }, chain) => {
	if (!chain) throw new RpcFailure(-32000, 'no chain in this sandbox');
	return chain.call(method, params);
};

const documentedMethods: Record<string, Method> = {
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

/** The chain also knows cheats, and accounts that it signs for; a hosted node has neither. */
const HOSTED_PATTERN = /^(eth|net|web3|trace)_\w+$/;
const SIGNING_PATTERN = /^eth_(accounts|sign\w*|send(?!RawTransaction$)\w*)$/;

export const findEvmMethod: FindMethod = (name) => {
	if (Object.hasOwn(documentedMethods, name)) return documentedMethods[name];
	if (!HOSTED_PATTERN.test(name) || SIGNING_PATTERN.test(name)) return undefined;
	return { params: anyParams, answer: callChain };
};

const anyParams = { type: 'array' };
