import { rpcError } from '../../../nodes/core/net/responses/rpcErrors';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { findRangeRefusal, type RangeRefusal } from '../../../nodes/core/chain/rangeRefusal';

const range = { from: 0x100000, to: 0x10ffff };

const refused = (code: number, message: string, data?: unknown): RangeRefusal | undefined =>
	findRangeRefusal(rpcError('eth_getLogs', { code, message, data }), range);

describe('a node that limits the blocks of a search says how many', () => {
	test.each<[number, string, number]>([
		[-32614, 'eth_getLogs is limited to a 10,000 range', 10_000],
		[-32614, 'eth_getLogs and eth_newFilter are limited to a 5 blocks range', 5],
		[-32602, 'range 65535 exceeds limit of 10000', 10_000],
		[-32602, 'range 65536 exceeds limit of 10000', 10_000],
		[-32600, 'block range is too wide (maximum 1024)', 1024],
		[-32000, 'exceed maximum block range: 5000', 5000],
		[-32701, 'query exceeds max block range 50000', 50_000],
		[-32000, 'requested too many blocks from 1048576 to 1114111, maximum is set to 2048', 2048],
		[-32602, 'Maximum allowed number of requested blocks is 1,000', 1000],
		[
			-32047,
			"Invalid eth_getLogs request. 'fromBlock'-'toBlock' range too large. Max range: 800",
			800,
		],
		[-32602, 'eth_getLogs is limited to 1024 block range. Please check the documentation.', 1024],
		[-32602, 'eth_getLogs is limited to 0 - 10000 blocks range', 10_000],
		[-32600, 'the block range exceeds the range allowed for your plan (65536 > 500).', 500],
		[-32602, 'please limit the query to at most 1000 blocks', 1000],
		[-32602, 'block range greater than 2000 max', 2000],
		[-32000, 'block range exceeds 1000', 1000],
		[-32005, 'eth_getLogs range is too large, max is 10k blocks', 10_000],
		[-32000, 'query must be smaller than size 1024', 1024],
		[-32000, 'maximum [from, to] blocks distance: 10000', 10_000],
		[-32000, 'query block range exceeds server limit, narrow your filter: 1000', 1000],
		[-32005, 'block range too large, max range: 3500', 3500],
		[-32602, 'block range too large, currently limited to 300', 300],
		[35, 'ranges over 10000 blocks are not supported on freetier', 10_000],
		[1, 'invalid epoch range: to and from height are too far apart (maximum: 2880)', 2880],
	])('%i %s', (code, message, blocks) => {
		expect(refused(code, message)).toEqual({ because: 'blocks', blocks });
	});

	test('in the data of the error', () => {
		const data = {
			error_id: '4ed94073-0317-4648-a167-107fba5f44b3',
			payload: 'range 65535 is bigger than range limit 2000',
		};
		expect(refused(-32602, 'invalid params', data)).toEqual({ because: 'blocks', blocks: 2000 });
	});

	test('by the range that would do', () => {
		const message =
			'Under the Free tier plan, you can make eth_getLogs requests with up to a 10 block range. Based on your parameters, this block range should work: [0x100000, 0x100009]. Upgrade for an expanded block range.';
		expect(refused(-32600, message)).toEqual({ because: 'blocks', blocks: 10 });
	});
});

test.each([
	[-32062, 'Block range is too large'],
	[-32600, 'block range too high'],
	[-32000, 'Block range limit exceeded. See more details at https://example.com/limits#ranges'],
	[-32005, 'Requested range exceeds maximum RPC range limit'],
	[-32005, 'getLogs request exceeded max allowed range'],
])('%i %s names no number', (code, message) => {
	expect(refused(code, message)).toEqual({ because: 'blocks', blocks: undefined });
});

describe('a search that finds too much, or takes too long', () => {
	test.each([
		[-32005, 'query returned more than 10000 results'],
		[-32000, 'query exceeds max results 20000'],
		[-32000, 'logs matched by query exceeds limit of 10000'],
		[-32000, 'query returns too many logs, narrow your filter: 20000'],
		[-32005, 'Too many logs requested. Max logs per response is 20000.'],
		[-32602, 'Log response size exceeded. Please reduce query block range.'],
		[-32020, 'backend response too large'],
		[-32000, 'response size should not greater than 10000000 bytes'],
		[-32003, 'response too large'],
		[-32005, 'query timeout exceeded'],
		[-32002, 'request timed out'],
		[-32000, 'context deadline exceeded'],
		[-32005, 'limit exceeded'],
	])('%i %s', (code, message) => {
		expect(refused(code, message)).toEqual({ because: 'contents', blocks: undefined });
	});

	test.each([
		'Query returned more than 10000 results. Try with this block range [0x100000, 0x100cc3].',
		'Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range and no limit on the response size, or you can request any block range with a cap of 10K logs in the response. Based on your parameters and the response size limit, this block range should work: [0x100000, 0x100cc3]',
		'query exceeds max results 20000, retry with the range 1048576-1051843',
	])('%s', (message) => {
		expect(refused(-32602, message)).toEqual({ because: 'contents', blocks: 0xcc4 });
	});

	test('with the range that would do in the data of the error', () => {
		const data = { from: '0x100000', limit: 10_000, to: '0x100cc3' };
		const message = 'query returned more than 10000 results';
		expect(refused(-32005, message, data)).toEqual({ because: 'contents', blocks: 0xcc4 });
	});

	test('is reported by the status alone', () => {
		const failure = new RequestFailure('The request is too large for the service', {
			httpCode: 413,
		});
		expect(findRangeRefusal(failure, range)).toEqual({ because: 'contents' });
	});
});

test.each(['[0x100000, 0x10ffff]', '[0x100005, 0x100001]', '[0x0, 0xffffffffffff]'])(
	'%s is no range that would do better',
	(proposed) => {
		const message = `query returned more than 10000 results. Try with this block range ${proposed}.`;
		expect(refused(-32602, message)).toEqual({ because: 'contents', blocks: undefined });
	},
);

test.each([
	['block range extends beyond current head block', 'behind'],
	['block is out of range', 'behind'],
	['requested to block 7 after last accepted block 5', 'behind'],
])('%s: the chain node is behind', (message, because) => {
	expect(refused(-32602, message)).toEqual({ because });
});

describe('a connection that ends, or a gateway that gives up', () => {
	test.each([
		{ retry: { because: 'lost' } as const },
		{ httpCode: 504, retry: { because: 'lost' } as const },
		{ httpCode: 500 },
	])('%p may mean it too', (details) => {
		const failure = new RequestFailure('The service failed to handle the request', details);
		expect(findRangeRefusal(failure, range)).toEqual({ because: 'lost' });
	});
});

test.each([
	[-32602, 'invalid block range params'],
	[-32602, 'exceed max addresses or topics per search position'],
	[-32602, 'Please, specify an address in your request'],
	[-32602, 'invalid block range params: the first is greater than the last'],
	[-32602, 'exceed max addresses or topics, whatever the range'],
	[-32602, 'Please, specify an address in your request: ranges without one are not supported'],
	[-32000, 'searches of block ranges are limited to 10 per second'],
	[-32000, 'the quota of blocks of your plan is exceeded'],
	[-32000, 'rate limit exceeded: ask for fewer blocks at a time'],
	[-32005, "You've exceeded the RPS limit available on the current plan"],
	[-32005, 'daily request count exceeded, request rate limited'],
	[-32005, "You've reached your monthly quota"],
	[429, 'Your app has exceeded its compute units per second capacity.'],
	[-32601, 'the method eth_getLogs does not exist'],
	[-32602, 'invalid argument 0: hex string has length 38, want 40 for common.Address'],
	[-32000, 'missing trie node'],
	[-32603, 'Internal error'],
])('%i %s speaks of something else', (code, message) => {
	expect(refused(code, message)).toBeUndefined();
});

test('a refused credential is none', () => {
	const failure = new RequestFailure('The service refused the credential', { httpCode: 401 });
	expect(findRangeRefusal(failure, range)).toBeUndefined();
});

test('a long text is read in no time', () => {
	const began = Date.now();
	for (const part of ['range 1,', '[0x1, ', 'max 9', '9', ',', 'limited to ', '\u0000']) {
		refused(-32000, part.repeat(1_000_000 / part.length), part.repeat(100_000));
	}
	expect(Date.now() - began).toBeLessThan(30_000);
});
