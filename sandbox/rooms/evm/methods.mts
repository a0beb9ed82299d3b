import type { FindMethod, Method } from '../../rpc/method.mts';
import { RpcFailure } from '../../wire/envelope.mts';
import * as schemas from './schemas.mts';
import { systemTransactions } from './systemTransactions.mts';

const { tuple } = schemas;

export const askChain: Method['answer'] = ({ method, params }, chain) => {
	if (!chain) throw new RpcFailure(-32000, 'no chain in this sandbox');
	return chain.ask(method, params);
};

const documented: Record<string, Method> = {
	eth_getBlockByNumber: {
		params: tuple(schemas.blockNumber, schemas.boolean),
		documentedAt: ['/evm'],
		answer: askChain,
	},
	eth_getTransactionByBlockHashAndIndex: {
		params: tuple(schemas.hash, schemas.quantity),
		documentedAt: ['/evm'],
		answer: askChain,
	},
	eth_maxPriorityFeePerGas: {
		params: schemas.nothing,
		documentedAt: ['/evm'],
		answer: () => '0x0',
	},
	eth_getSystemTxsByBlockNumber: {
		params: tuple(schemas.blockNumber),
		documentedAt: ['/evm'],
		answer: ({ params: [block] }, chain) => systemTransactions(String(block), chain),
	},
	eth_call: {
		params: tuple(schemas.callObject, schemas.blockSelector),
		documentedAt: [''],
		answer: askChain,
	},
	trace_filter: {
		params: tuple(schemas.traceFilter),
		documentedAt: ['/'],
		answer: askChain,
	},
	eth_getBalance: {
		params: tuple(schemas.address, schemas.blockSelector),
		answer: askChain,
	},
};

/** The chain also knows cheats, and accounts that it signs for; a hosted node has neither. */
const hosted = /^(eth|net|web3|trace)_\w+$/;
const signing = /^eth_(accounts|sign\w*|send(?!RawTransaction$)\w*)$/;

export const evmMethod: FindMethod = (name) => {
	if (Object.hasOwn(documented, name)) return documented[name];
	if (!hosted.test(name) || signing.test(name)) return undefined;
	return { params: anything, answer: askChain };
};

const anything = { type: 'array' };
