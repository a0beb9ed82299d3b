import fc from 'fast-check';
import {
	parseResponse,
	findServiceMessage,
	statusError,
	findMessage,
} from '../../nodes/core/net/responses/response';
import {
	parseDuration,
	isLimit,
	isLimitNamed,
	rpcError,
	findSearchLimit,
} from '../../nodes/core/net/responses/rpcErrors';
import {
	isContractFailure,
	findMissingReason,
	findRevertData,
	decodeRevertReason,
} from '../../nodes/core/net/responses/reverts';
import { RequestFailure } from '../../nodes/core/errors/requestFailure';
import {
	hexParser,
	objectListParser,
	formatBlock,
	formatLog,
	formatReceipt,
	formatTrace,
	formatTransaction,
} from '../../nodes/core/evm/chainObjects';
import { readFees } from '../../nodes/core/evm/fees';
import { findRangeRefusal } from '../../nodes/core/chain/rangeRefusal';
import { readTokenFacts } from '../../nodes/core/evm/tokens';
import { decodeTransfer } from '../../nodes/core/evm/transfers';
import { collectResults } from '../../nodes/core/run';
import { createChain, createContext } from './support/chains.mts';
import { networkError } from '../../nodes/core/net/http/networkErrors';
import { createRedactor } from '../../nodes/core/net/http/secrets';
import { parseRetryAfter, withRetryTime } from '../../nodes/core/net/pacing/retry';
import { formatExcerpt } from '../../nodes/core/values/excerpt';
import { tryParseJson } from '../../nodes/core/values/json';
import { send } from '../../nodes/EvmRpc/transaction/send';
import { request as faucet } from '../../nodes/Faucet/request';
import { project } from '../../nodes/Platform/project';
import { organization } from '../../nodes/Platform/organization';
import { estimate, withTotals } from '../../nodes/TonFee/estimate';
import { filter } from '../../nodes/Trace/filter';
import { sendTransaction } from '../../nodes/core/witness/send';
import { list } from '../../nodes/WitnessWallet/witnesses';
import { vote } from '../../nodes/WitnessWallet/vote';
import { buildCalls } from './support/batching.mts';
import { buildResponse, sendAndGetOutcomes } from './support/fakes.mts';
import { getCaseCount, getSeed } from '../harness/caseCount.mts';
import { expectLinear } from './support/growth.mts';

/**
 * These tests check that no answer can block n8n: the time of parsing must grow in proportion to the length of the
 * answer.
 */

/** Quadratic cost is noticed with much less than a megabyte. */
const TEXT_CHARS = 250_000;
const NESTED_CHARS = 1_000_000;

const request = { method: 'GET', path: '/x', timeout: 1000 } as const;
const failure = (message: string) => new RequestFailure(message, { answer: message });
const record = (value: unknown) => ({ id: value, url: value, hash: value, to: value, value });
const page = { request: { path: '' }, missing: 1e6 };

const sending = { path: '/', signedTransaction: '0x02', options: {} };

const { redact, redactEchoes } = createRedactor(
	[
		{
			displayName: '',
			name: 'authToken',
			type: 'string',
			default: '',
			typeOptions: { password: true },
		},
	],
	{ authToken: 'aaaaaaaa-"&%/aaaaaaa' },
);

/** All functions that parse texts of a server or a chain. Each gets a text, or JSON that contains the text. */
const readers: Readonly<Record<string, (text: string) => unknown>> = {
	serviceMessage: findServiceMessage,
	'serviceMessage, in JSON': (text) => findServiceMessage(JSON.stringify({ error: text })),
	wordsIn: (text) => findMessage({ errors: [{ message: text }], [text]: [text] }),
	duration: parseDuration,
	retryAfter: (text) => parseRetryAfter(text),
	withReturn: (text) => withRetryTime(rpcError('x', { code: 429, data: { try_again_in: text } })),
	rpcFailure: (text) => rpcError('x', { code: -32005, message: text, data: text }),
	'rpcFailure, of a code': (text) => rpcError('x', { code: text, message: { text } }),
	isLimit: (text) => isLimit({ code: -32005, message: text }),
	namesLimit: isLimitNamed,
	isOfContract: (text) => isContractFailure(failure(text)),
	revertData: (text) =>
		findRevertData({ data: { data: text, result: text }, message: `reverted ${text}` }),
	'revertData, of an object': (text) => findRevertData({ data: { ...[...text.slice(0, 20_000)] } }),
	reasonBeyond: (text) => findMissingReason(text, `0x08c379a0${text}`),
	'reasonBeyond, of a panic': (text) => findMissingReason(`panic ${text}`, `0x4e487b71${text}`),
	'rpcFailure, of an object': (text) =>
		rpcError('x', { message: text, data: { message: text, text } }),
	revertReason: decodeRevertReason,
	'revertReason, of data': (text) => decodeRevertReason(`0x08c379a0${text}`),
	tryParseJson,
	'tryParseJson, in a string': (text) => tryParseJson(`{"a":"${text}`),
	'tryParseJson, after a number': (text) => tryParseJson(`[12345678901234567890,${text}`),
	excerpt: formatExcerpt,
	'excerpt, of an object': (text) => formatExcerpt({ [text]: [text, { text }] }),
	'excerpt, of a list': (text) => formatExcerpt(text.split('')),
	statusFailure: (text) => statusError(request, buildResponse(500, text, { 'retry-after': text })),
	parseAnswer: (text) => parseResponse(request, buildResponse(200, text)),
	networkFailure: (text) => networkError(new Error(text), request),
	redact,
	redactEchoes,
	searchLimitIn: findSearchLimit,
	rangeRefusal: (text) => findRangeRefusal(failure(text), { from: 1, to: 9 }),
	'rangeRefusal, by data': (text) =>
		findRangeRefusal(rpcError('x', { code: 1, message: 'range', data: text }), { from: 1, to: 9 }),
	'EVM RPC send': async (text) =>
		await collectResults(
			send,
			sending,
			createContext(() => Promise.reject(failure(text))),
		),
	tokenText: async (text) =>
		await readTokenFacts(
			createChain(() => text),
			['0x1'],
		),
	transferIn: (text) => decodeTransfer({ address: text, topics: [text, text, text], data: text }),
	readFees: async (text) => {
		const past = { reward: [[text]], baseFeePerGas: [text] };
		return await readFees(createChain((method) => (method === 'eth_gasPrice' ? '0x1' : past)));
	},
	simpleReceipt: (text) =>
		formatReceipt({ status: text, gasUsed: text, l1Fee: text, logs: [text] }),
	hexString: hexParser('hex'),
	listOfObjects: (text) => objectListParser('a list')([{ error: { message: text } }]),
	simpleBlock: (text) =>
		formatBlock({ ...record(text), timestamp: text, number: text, size: text }),
	simpleTransaction: (text) => formatTransaction({ ...record(text), gas: text, nonce: text }),
	simpleLog: (text) => formatLog({ ...record(text), logIndex: text, blockNumber: text }),
	simpleTrace: (text) => formatTrace({ action: { value: text }, result: { gasUsed: text } }),
	'Trace filter': (text) => filter.advice?.(failure(text)),
	'Faucet answer': (text) =>
		faucet.items?.(faucet.answer({ url: text, amountSent: text }), {} as never),
	'Faucet advice': (text) =>
		faucet.advice?.(new RequestFailure(text, { answer: { nextFaucetAvailable: text } })),
	'Platform answer': (text) => organization.operations.get.answer({ [text]: text }),
	'Platform pages': (text) => {
		const { getAll } = project.operations;
		return getAll.next?.(getAll.answer({ next: text, count: 5, results: [1] }), page);
	},
	'TON fees': (text) => withTotals({ source_fees: { gas_fee: text }, destination_fees: [] }),
	'TON error': (text) => withTotals({ error: text }),
	'TON advice': (text) => estimate.advice?.(failure(text)),
	'witness error': (text) => vote.answer({ Error: `class ${text}` }),
	'witness list': (text) => list.answer({ error: text }),
	'broadcast refusal': async (text) =>
		await sendTransaction(
			createContext(async () => await Promise.resolve({ code: text, message: text })),
			{ body: '{}', txID: 'ab'.repeat(32), expiration: undefined },
		),
};

const token = fc.constantFrom(
	'<title',
	'<',
	'>',
	'<!doctype html>',
	'"',
	'\\',
	'\\"',
	'{',
	'[',
	']',
	',',
	':',
	'{"a":',
	'1',
	'9',
	'0',
	'1.',
	'-',
	'e',
	'm',
	'ms',
	's',
	'1h',
	'0x',
	'a',
	'aa',
	'f',
	'08c379a0',
	' ',
	'\n',
	'\t',
	'%',
	'&amp;',
	'/',
	'?page=',
	'#',
	'class ',
	' : ',
	'null',
	'é',
	'鏈',
	'\u0000',
	'range ',
	'limit ',
	'month',
	'more than ',
	'try_again_in',
	'aaaaaaaa-',
	'AAAA',
	'==',
);
const some = fc.array(token, { maxLength: 3 }).map((parts) => parts.join(''));
const unit = fc.array(token, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''));

test.each(Object.entries(readers))('%s', async (_name, read) => {
	await fc.assert(
		fc.asyncProperty(some, unit, some, async (before, repeated, after) => {
			await expectLinear(TEXT_CHARS, async (size) => {
				const text = before + repeated.repeat(Math.ceil(size / repeated.length)) + after;
				try {
					await read(text);
				} catch (error) {
					expect(error).toBeInstanceOf(RequestFailure);
				}
			});
		}),
		{ seed: getSeed(12), numRuns: getCaseCount(40) },
	);
});

test.each([
	['lists', '['],
	['objects', '{"a":'],
	['both', '[{"a":'],
])(
	'an answer of %s that stand in each other a million deep is a failure, not a crash',
	async (_, open) => {
		const depth = NESTED_CHARS / open.length;
		const close = open === '[' ? ']' : open === '[{"a":' ? '}]' : '}';
		for (const text of [open.repeat(depth), `${open.repeat(depth)}1${close.repeat(depth)}`]) {
			expect(
				await sendAndGetOutcomes(() => buildResponse(200, text), buildCalls(2)),
			).toHaveProperty('requestFailure');
			expect(
				await sendAndGetOutcomes(() => buildResponse(200, text), buildCalls(1)),
			).toHaveProperty('requestFailure');
			expect(() => statusError(request, buildResponse(500, text))).not.toThrow();
		}
	},
);
