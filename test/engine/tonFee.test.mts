import { beginCell, Cell } from '@ton/core';
import fc from 'fast-check';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { TonFee } from '../../nodes/TonFee/TonFee.node';
import { runNode, type NodeRun } from '../harness/engine.mts';
import { createSandbox } from '../harness/sandbox.mts';
import { getSeed } from '../harness/caseCount.mts';

fc.configureGlobal({ seed: getSeed(20261120) });

const sandbox = createSandbox();

const RAW = '0:556c2ec7bbe83786d617cecb7c2f9b9c57be8d3337812b751124a79b37663593';
const BOUNCEABLE = 'EQBVbC7Hu-g3htYXzst8L5ucV76NMzeBK3URJKebN2Y1k55Q';
const SPELLINGS = [
	RAW,
	BOUNCEABLE,
	BOUNCEABLE.replace('-', '+'),
	'UQBVbC7Hu-g3htYXzst8L5ucV76NMzeBK3URJKebN2Y1k8OV',
	'kQBVbC7Hu-g3htYXzst8L5ucV76NMzeBK3URJKebN2Y1kyXa',
	'0QBVbC7Hu-g3htYXzst8L5ucV76NMzeBK3URJKebN2Y1k3gf',
];

/** A signed transfer of 0.1 TON with a comment, from the wallet that the sandbox's emulator puts at every address. */
const TRANSFER =
	'te6cckEBAgEAkAABnGIffYtEDi00SI1hxlpMB21qS1dyvzPlsznnVVaU4ssczbEZBljxXAi6YTDiMp5koqBwLf1YdM13gdiujRSRUAwpqaMX/////wAAAAAAAwEAekIAKrYXY930G8NrC+dlvhfNzivfRpmbwJW6iJJTzZuzGsmgL68IAAAAAAAAAAAAAAAAAAAAAAAAaGVsbG8EOJ5v';

/** Builds the transfer `TRANSFER` without its signature. */
function unsigned(): string {
	const content = Cell.fromBase64(TRANSFER).beginParse().skip(512);
	const cell = beginCell().storeBuffer(Buffer.alloc(64)).storeSlice(content).endCell();
	return cell.toBoc().toString('base64');
}

async function ton(parameters: INodeParameters = {}, more: Partial<NodeRun> = {}) {
	return await runNode({
		node: new TonFee(),
		parameters: { operation: 'estimate', address: BOUNCEABLE, body: TRANSFER, ...parameters },
		credentials: sandbox.credentials.token,
		...more,
	});
}

interface Fees {
	in_fwd_fee: number;
	storage_fee: number;
	gas_fee: number;
	fwd_fee: number;
	total: string;
}

async function fees(parameters: INodeParameters = {}, more: Partial<NodeRun> = {}) {
	const { items, error } = await ton(parameters, more);
	if (error) throw error;
	return items[0]?.json as unknown as { source_fees: Fees; destination_fees: Fees & Fees[] };
}

const sum = ({ in_fwd_fee, storage_fee, gas_fee, fwd_fee }: Fees) =>
	String(in_fwd_fee + storage_fee + gas_fee + fwd_fee);
const answered = async (body: object | string) =>
	await sandbox.fault({ do: { status: 200, body } });
const PART = { in_fwd_fee: 1, storage_fee: 2, gas_fee: 3, fwd_fee: 4 };

test('exactly the documented body goes to the documented path', async () => {
	await fees();
	await fees(
		{ address: RAW, ignoreChksig: true, authentication: 'basicAuth' },
		{ credentials: sandbox.credentials.basicAuth },
	);
	const seen = await sandbox.record();
	expect(seen.map(({ method, path, body }) => ({ method, path, body }))).toEqual([
		{
			method: 'POST',
			path: '/api/v3/estimateFee',
			body: { address: BOUNCEABLE, body: TRANSFER, ignore_chksig: false },
		},
		{
			method: 'POST',
			path: '/api/v3/estimateFee',
			body: { address: RAW, body: TRANSFER, ignore_chksig: true },
		},
	]);
	expect(seen[0]?.headers.authorization).toBeUndefined();
	expect(seen[1]?.headers.authorization).toMatch(/^Basic /);
});

test.each(SPELLINGS)('an account costs the same in each of its spellings: %s', async (address) => {
	const found = await fees({ address: ` ${address}\n` });
	expect(found).toEqual(await fees());
	expect((await sandbox.record())[0]?.body).toMatchObject({ address });
});

describe('totals', () => {
	test('stand beside the documented fields, at each of several destinations', async () => {
		const { source_fees: source, destination_fees: destinations } = await fees();
		expect(source).toEqual({
			in_fwd_fee: expect.any(Number),
			storage_fee: expect.any(Number),
			gas_fee: expect.any(Number),
			fwd_fee: expect.any(Number),
			total: sum(source),
			totalCoins: String(Number(sum(source)) / 1e9),
		});
		expect(Number(source.total)).toBeGreaterThan(0);
		expect(destinations).toHaveLength(1);
		for (const destination of destinations) expect(destination.total).toBe(sum(destination));
	});

	test('stand beside those of the one destination of the document', async () => {
		const { destination_fees: listed } = await fees();
		await sandbox.control('PUT', '/ton', { destinationFees: 'object' });
		const { destination_fees: single } = await fees();
		expect(single).toEqual(listed[0]);
		expect(single.total).toBe(sum(single));
	});

	test('are exact where a number would lose digits, and what else came is left alone', async () => {
		const text =
			'{"source_fees":{"in_fwd_fee":9007199254740993,"storage_fee":1,"gas_fee":"2","fwd_fee":-1,"@type":"fees"},"destination_fees":[],"more":[1]}';
		await answered(text);
		expect(await fees()).toEqual({
			source_fees: {
				in_fwd_fee: '9007199254740993',
				storage_fee: 1,
				gas_fee: '2',
				fwd_fee: -1,
				'@type': 'fees',
				total: '9007199254740995',
				totalCoins: '9007199.254740995',
			},
			destination_fees: [],
			more: [1],
		});
	});
});

test.each<[string, (body: string) => string]>([
	['in lines', (body) => body.replace(/(.{20})/g, '$1\r\n')],
	['without padding', (body) => body.replace(/=+$/, '')],
	['in the URL-safe alphabet', (body) => Buffer.from(body, 'base64').toString('base64url')],
])('a body %s is sent in standard base64', async (_, spelt) => {
	const body = unsigned();
	await fees({ body: spelt(body), ignoreChksig: true });
	expect((await sandbox.record())[0]?.body).toMatchObject({ body });
});

test('an unsigned message is refused in the words of the node, and estimated without the check', async () => {
	const body = unsigned();
	const { error } = await ton({ body });
	expect(error?.message).toMatch(/^external message was not accepted by the contract/);
	expect(error?.description).toMatch(/answered 422\. .*turn on 'Ignore Signature Check'/);
	expect(await sandbox.record()).toHaveLength(1);
	expect((await fees({ body, ignoreChksig: true })).source_fees).toEqual(
		(await fees()).source_fees,
	);
});

test.each<[string, object, number]>([
	['422', { status: 422, body: { error: 'No such account.' } }, 1],
	['416', { status: 416, body: { error: 'No such account.' } }, 1],
	['500', { status: 500, body: { error: 'No such account.' } }, 1],
	['503', { status: 503, body: { error: 'No such account.' } }, 2],
	['504', { status: 504, body: { error: 'No such account.' } }, 2],
	['200', { status: 200, body: { error: 'No such account.' } }, 1],
	['200 and ok: false', { status: 200, body: { ok: false, error: 'No such account.' } }, 1],
	['200 and a code', { status: 200, body: { error: { code: 1, message: 'No such account.' } } }, 1],
])('an error with status %s fails in its words', async (_, fault, requests) => {
	await sandbox.fault({ times: -1, do: fault });
	const { error } = await ton({ options: { maxRetries: 1 } });
	expect(error?.message).toBe('No such account.');
	expect(await sandbox.record()).toHaveLength(requests);
});

test('fees beside ok: false are none', async () => {
	await answered({ ok: false, source_fees: PART, destination_fees: [] });
	expect((await ton()).error?.message).toBe('The chain node gave no reason');
});

test.each<[string, unknown]>([
	['nothing in it', {}],
	['a fee in a list', { source_fees: { ...PART, gas_fee: [1] }, destination_fees: [] }],
	['an endless fee', { source_fees: { ...PART, gas_fee: 1e21 }, destination_fees: [] }],
	['a list', []],
	['a number', 7],
	['no destination', { source_fees: PART }],
	['no source', { destination_fees: PART }],
	['a destination that is none', { source_fees: PART, destination_fees: [1] }],
	['a fee missing', { source_fees: { ...PART, gas_fee: undefined }, destination_fees: [] }],
	['a fee in pieces', { source_fees: { ...PART, gas_fee: 1.5 }, destination_fees: [] }],
	['a fee that is text', { source_fees: PART, destination_fees: { ...PART, gas_fee: 'none' } }],
])('an answer with %s is none', async (_, body) => {
	await answered(JSON.stringify(body));
	expect((await ton()).error?.message).toMatch(
		/^The service did not answer with fees( in whole nanotons)?$/,
	);
});

/** Runs many bad inputs at once. Each item must fail with a message about its field, and no request may be sent. */
async function allRefused(name: string, given: readonly unknown[], words: RegExp) {
	const items = given.map((value): INodeExecutionData => ({ json: { value } as IDataObject }));
	const result = await ton(
		{ [name]: '={{ $json.value }}' },
		{ items, onError: 'continueRegularOutput' },
	);
	expect(result.items).toHaveLength(given.length);
	for (const [index, { json }] of result.items.entries()) {
		expect([given[index], json.error]).toEqual([given[index], expect.stringMatching(words)]);
	}
	expect(await sandbox.record()).toEqual([]);
}

describe('refused before anything is sent', () => {
	test('addresses that are none, and bodies that are no base64', async () => {
		const addresses = [RAW.slice(0, -1), `${BOUNCEABLE}=`, 'foundation.ton', 0, [RAW]];
		await allRefused('address', addresses, /^'Address' must be an? .*; got/);
		const bodies = ['te6cck!', 'te6cckEBAQEAAgAAAEysuc1=', 'hello', 7, ['te6cck']];
		await allRefused('body', bodies, /^'Body' must be complete base64; got/);
	});

	test('but base64 without cells is for the service to refuse', async () => {
		const { error } = await ton({ body: Buffer.from('hello').toString('base64') });
		expect(error?.message).toMatch(/bag of cells/);
		expect(await sandbox.record()).toHaveLength(1);
	});

	test('what is required and missing, or no switch', async () => {
		expect((await ton({ address: ' ' })).error?.message).toBe("'Address' is required");
		expect((await ton({ body: '={{ $json.nothing }}' })).error?.message).toBe("'Body' is required");
		expect((await ton({ ignoreChksig: '={{ 1 }}' })).error?.message).toMatch(
			/^'Ignore Signature Check' must be true or false/,
		);
		expect(await sandbox.record()).toEqual([]);
	});
});

describe('any other method', () => {
	const api = async (parameters: INodeParameters, more: Partial<NodeRun> = {}) =>
		await runNode({
			node: new TonFee(),
			parameters: { resource: 'api', operation: 'request', ...parameters },
			credentials: sandbox.credentials.token,
			...more,
		});

	test.each(['masterchainInfo', '/masterchainInfo'])('is read by GET: %p', async (path) => {
		const { items, error } = await api({ path });
		expect(error).toBeUndefined();
		expect(items[0]?.json).toMatchObject({ last: { seqno: 50_000_000 } });
		const [seen] = await sandbox.record();
		expect(seen).toMatchObject({ method: 'GET', path: '/api/v3/masterchainInfo', query: {} });
	});

	test('has its parameters in the query, lists too', async () => {
		const query = JSON.stringify({ address: [RAW, 'kQ+/=&?'] });
		const { items } = await api({ path: 'addressBook', query });
		expect(Object.keys(items[0]?.json ?? {})).toEqual([RAW, 'kQ+/=&?']);
	});

	test('has text of any language in the query, and nothing of the body of a POST', async () => {
		const [address, body] = ['ä&b=日本#💎', '{"not":"sent"}'];
		await sandbox.fault({ do: { status: 200, body: {} } });
		const query = JSON.stringify({ address, empty: [] });
		const { error } = await api({ path: 'addressBook', query, body });
		expect(error).toBeUndefined();
		const [seen] = await sandbox.record();
		expect(seen).toMatchObject({ method: 'GET', query: { address } });
		expect(seen?.query).not.toHaveProperty('empty');
		expect(seen?.body ?? null).toBeNull();
	});

	test('is sent by POST with its body as it is written', async () => {
		const body = JSON.stringify({ address: BOUNCEABLE, body: TRANSFER });
		const { items } = await api({ httpMethod: 'POST', path: 'estimateFee', body });
		expect(items[0]?.json).toHaveProperty('source_fees');
		const exact = '{"a": 9007199254740993}';
		await sandbox.fault({ do: { status: 200, body: exact } });
		const answer = await api({ httpMethod: 'POST', path: 'estimateFee', body: exact });
		expect(answer.items[0]?.json).toEqual({ a: '9007199254740993' });
	});

	test.each([
		[{ ok: false, error: 'no such account', code: 404 }, 'no such account'],
		[{ ok: false }, 'The chain node gave no reason'],
		[{ error: 'bad' }, 'bad'],
	])('an error with status 200 fails: %o', async (body, words) => {
		await sandbox.fault({ do: { status: 200, body } });
		const { error } = await api({ path: 'masterchainInfo' });
		expect(error?.message).toBe(words);
	});

	test('an answer that is well is no error', async () => {
		await sandbox.fault({ do: { status: 200, body: { ok: true, error: '', result: [] } } });
		const { items } = await api({ path: 'masterchainInfo' });
		expect(items[0]?.json).toEqual({ ok: true, error: '', result: [] });
	});

	test.each([
		[{ path: '../../wallet/getaccount' }, /^'Path' must be/],
		[{ path: 'a', query: '[1]' }, /^'Query' must be a JSON object/],
		[{ path: 'a', query: '{"a":{"b":1}}' }, /^'Query' must be a JSON object of texts/],
		[{ path: 'a', query: '{"a":null}' }, /^'Query' must be a JSON object of texts/],
		[{ path: 'a', query: '{' }, /^'Query' must be valid JSON/],
		[{ path: 'a', query: '={{ ({ a: NaN }) }}' }, /^'Query' must be a JSON object of texts/],
		[{ path: 'a', query: '{"a":[[1]]}' }, /^'Query' must be a JSON object of texts/],
		[{ path: 'a', query: '{"a":9007199254740993}' }, /^'Query' must be JSON without whole/],
		[{ path: 'a', httpMethod: 'POST', body: '{' }, /^'Body' must be valid JSON/],
	])('%o is refused', async (parameters, words) => {
		expect((await api(parameters)).error?.message).toMatch(words);
		expect(await sandbox.record()).toEqual([]);
	});

	test('the token is in no error, nor is the query', async () => {
		const { authToken } = sandbox.credentials.token.chainNodeTokenApi;
		await sandbox.fault({ do: { status: 200, body: { ok: false, error: `no ${authToken}` } } });
		const { error } = await api({ path: 'masterchainInfo', query: '{"secret":"hidden"}' });
		expect(error?.message).toMatch(/^no /);
		expect(JSON.stringify([error, error?.message, error?.description])).not.toContain(authToken);
		await sandbox.fault({ do: { status: 400, body: {} } });
		const other = await api({ path: 'masterchainInfo', query: '{"secret":"hidden"}' });
		expect(other.error?.description).toMatch(/^GET \/api\/v3\/masterchainInfo answered 400/);
	});
});
