import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import fc from 'fast-check';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { utils } from 'tronweb';
import { WitnessWallet } from '../../nodes/WitnessWallet/WitnessWallet.node';
import { runNode, type NodeRun } from '../harness/engine.mts';
import { startSandbox, type Sandbox } from '../harness/sandbox.mts';

fc.configureGlobal({ seed: 20261120 });

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});
afterAll(async () => await sandbox.stop());
beforeEach(async () => await sandbox.reset());

const KEY = '1'.repeat(64);
const OWNER = utils.address.fromPrivateKey(KEY) as string;
const LEADER = 'THPvaUhoh2Qn2y9THCZML3H815hhFhn5YC';
const SECOND = utils.address.fromHex(`41${sha256('witness 1').slice(0, 40)}`);
const hexOf = (address: string) => utils.address.toHex(address).toLowerCase();
const DOUBT = /may have been carried out/;

function sha256(data: string | Buffer): string {
	return createHash('sha256').update(data).digest('hex');
}

async function wallet(parameters: INodeParameters, more: Partial<NodeRun> = {}) {
	return await runNode({
		node: new WitnessWallet(),
		parameters,
		credentials: sandbox.credentials.token,
		...more,
	});
}

async function first(parameters: INodeParameters, more: Partial<NodeRun> = {}) {
	const { items, error } = await wallet(parameters, more);
	if (error) throw error;
	return items[0]?.json as IDataObject;
}

const votes = (...list: Array<[address: string, count: unknown]>) => ({
	vote: list.map(([voteAddress, voteCount]) => ({ voteAddress, voteCount })) as INodeParameters[],
});
const vote = (more: INodeParameters = {}) => ({
	operation: 'vote',
	ownerAddress: OWNER,
	votes: votes([LEADER, '5']),
	...more,
});
const create = (more: INodeParameters = {}) => ({
	operation: 'create',
	ownerAddress: OWNER,
	url: 'https://example.com',
	...more,
});
const hexVote = () =>
	vote({ ownerAddress: hexOf(OWNER), votes: votes([hexOf(LEADER), 5]), visible: false });
const broadcast = (transaction: string) => ({ operation: 'broadcast', transaction });

const sent = async () => (await sandbox.record()).map(({ path, body }) => ({ path, body }));
const signed = (transaction: IDataObject, key = KEY) =>
	utils.crypto.signTransaction(key, structuredClone(transaction) as never) as object as IDataObject;
const asItem = (json: IDataObject): Partial<NodeRun> => ({ items: [{ json }] });

describe('a vote', () => {
	test('is built from exactly the documented body, at the documented path', async () => {
		await first(vote({ votes: votes([LEADER, '5'], [SECOND, '0x7']) }));
		expect(await sent()).toEqual([
			{
				path: '/wallet/votewitnessaccount',
				body: {
					owner_address: OWNER,
					votes: [
						{ vote_address: LEADER, vote_count: 5 },
						{ vote_address: SECOND, vote_count: 7 },
					],
					visible: true,
				},
			},
		]);
	});

	test('comes out as the documented transaction', async () => {
		const transaction = await first(vote());
		expect(transaction).toEqual({
			visible: true,
			txID: sha256(Buffer.from(String(transaction.raw_data_hex), 'hex')),
			raw_data: expect.objectContaining({ contract: [expect.anything()] }),
			raw_data_hex: expect.stringMatching(/^[0-9a-f]+$/),
		});
	});

	test('is the same in hex, and says so', async () => {
		const transaction = await first(hexVote());
		expect(transaction).toMatchObject({ visible: false, txID: expect.any(String) });
		expect((await sent())[0]?.body).toEqual({
			owner_address: hexOf(OWNER),
			votes: [{ vote_address: hexOf(LEADER), vote_count: 5 }],
			visible: false,
		});
	});

	test.each([5, '5', ' 5 ', '0x5', '={{ 5 }}', '={{ "5" }}'])(
		'count %p is sent as a number',
		async (count) => {
			await first(vote({ votes: votes([LEADER, count]) }));
			expect((await sent())[0]?.body).toMatchObject({ votes: [{ vote_count: 5 }] });
		},
	);

	test('for 30 witnesses is the most', async () => {
		const { items } = await wallet({ operation: 'list', limit: 30 });
		const all = items.map(({ json }): [string, number] => [String(json.address), 1]);
		expect(await first(vote({ votes: votes(...all) }))).toHaveProperty('txID');
	});

	test('can come from the items, with basic authentication', async () => {
		const { items } = await wallet(
			{
				...vote({
					ownerAddress: '={{ $json.owner }}',
					votes: votes([LEADER, '={{ $json.count }}']),
				}),
				authentication: 'basicAuth',
			},
			{
				credentials: sandbox.credentials.basicAuth,
				items: [1, 2, 3].map((count) => ({ json: { owner: OWNER, count } })),
			},
		);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
		const [seen] = await sandbox.record();
		expect(seen?.headers.authorization).toMatch(/^Basic /);
		expect(seen?.url).toBe('/wallet/votewitnessaccount');
	});

	test('is a read: it is built again after a 502', async () => {
		await sandbox.fault({ do: { status: 502 } });
		expect(await first(vote())).toHaveProperty('txID');
		expect(await sandbox.record()).toHaveLength(2);
	});

	test('that the chain refuses with status 200 fails in its words', async () => {
		const { error } = await wallet(vote({ votes: votes([LEADER, 1001]) }));
		expect(error?.message).toBe(
			'The total number of votes[1001] is greater than the frozen balance[1000]',
		);
		expect(error?.description).toBe('The node refused the request (ContractValidateException).');
	});
});

describe('a witness registration', () => {
	const url = 'https://exämple.com/ü?a=1#b';

	test('has its url as text', async () => {
		const transaction = await first(create({ url }));
		expect(transaction).toMatchObject({ visible: true });
		expect(await sent()).toEqual([
			{ path: '/wallet/createwitness', body: { owner_address: OWNER, url, visible: true } },
		]);
	});

	test('has its url as hex in the other spelling', async () => {
		await first(create({ url, ownerAddress: hexOf(OWNER), visible: false }));
		expect((await sent())[0]?.body).toEqual({
			owner_address: hexOf(OWNER),
			url: Buffer.from(url).toString('hex'),
			visible: false,
		});
	});

	test.each([true, false])('takes effect when it is broadcast (visible %p)', async (visible) => {
		const ownerAddress = visible ? OWNER : hexOf(OWNER);
		const transaction = await first(create({ ownerAddress, visible }));
		await first(broadcast('={{ $json }}'), asItem(signed(transaction)));
		const { items } = await wallet({ operation: 'list', returnAll: true, visible });
		expect(items.at(-1)?.json).toEqual({
			address: ownerAddress,
			url: 'https://example.com',
			voteCount: 0,
			totalProduced: 0,
			totalMissed: 0,
			isJobs: false,
		});
		const { error } = await wallet(create({ ownerAddress, visible }));
		expect(error?.message).toMatch(/has existed/);
	});

	test.each([
		'http://example.com',
		'https://example.com:8443/a/b?c=%20&d=e#f',
		'https://[::1]/',
		`https://example.com/${'a'.repeat(236)}`,
	])('may have the url %s', async (given) => {
		expect(await first(create({ url: ` ${given} ` }))).toHaveProperty('txID');
		expect((await sent())[0]?.body).toMatchObject({ url: given });
	});
});

describe('the list of witnesses', () => {
	test('is asked for with visible in the query and in the body', async () => {
		await wallet({ operation: 'list', visible: false });
		const [seen] = await sandbox.record();
		expect(seen).toMatchObject({
			method: 'POST',
			path: '/wallet/listwitnesses',
			query: { visible: 'false' },
			body: { visible: false },
		});
	});

	test('has an item for each, whose zero and false fields are there', async () => {
		const { items } = await wallet({ operation: 'list', returnAll: true });
		expect(items).toHaveLength(32);
		expect(items[0]?.json).toMatchObject({ address: LEADER, totalMissed: 0, isJobs: true });
		expect(items[31]?.json).toMatchObject({ voteCount: 0, totalProduced: 0, isJobs: false });
		expect(items.every(({ pairedItem }) => JSON.stringify(pairedItem) === '{"item":0}')).toBe(true);
	});

	test('ends at the limit', async () => {
		const { items } = await wallet({ operation: 'list', limit: 3, visible: false });
		expect(items.map(({ json }) => json.address)).toEqual(
			[LEADER, SECOND, expect.any(String)].map((address) =>
				typeof address === 'string' ? hexOf(address) : address,
			),
		);
	});

	test.each([{}, [], { witnesses: null }, { witnesses: [1] }, 7])('is not %p', async (body) => {
		await sandbox.fault({ do: { status: 200, body: JSON.stringify(body) } });
		const { error } = await wallet({ operation: 'list' });
		expect(error?.message).toBe('The service did not answer with a list of witnesses');
	});
});

describe('a broadcast', () => {
	test('takes the object that was built and signed, and says its txid', async () => {
		const transaction = signed(await first(vote({ votes: votes([LEADER, 5]) })));
		const { items } = await wallet(broadcast('={{ $json }}'), asItem(transaction));
		expect(items).toEqual([
			{ json: { result: true, txid: transaction.txID }, pairedItem: { item: 0 } },
		]);
		expect((await sent()).at(-1)).toEqual({
			path: '/wallet/broadcasttransaction',
			body: transaction,
		});
		expect(await sandbox.control('GET', '/wallet')).toMatchObject([
			{ txid: transaction.txID, type: 'VoteWitnessContract' },
		]);
	});

	test.each<[string, (transaction: IDataObject) => string]>([
		['plain', (transaction) => JSON.stringify(transaction)],
		['indented', (transaction) => `\n${JSON.stringify(transaction, null, 2)}\n`],
		['made by an expression', () => '={{ JSON.stringify($json) }}'],
	])('takes JSON text, %s', async (_, textOf) => {
		const transaction = signed(await first(hexVote()));
		expect(await first(broadcast(textOf(transaction)), asItem(transaction))).toEqual({
			result: true,
			txid: transaction.txID,
		});
	});

	test('sends text to the letter, for a large integer in it would lose digits', async () => {
		const bodies: string[] = [];
		const server = createServer((request, response) => {
			void text(request).then((body) => {
				bodies.push(body);
				response.end('{"result":true}');
			});
		}).listen(0, '127.0.0.1');
		await once(server, 'listening');
		const nodeUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		const txID = 'ab'.repeat(32);
		const given = `{ "txID": "${txID}", "raw_data": {"fee_limit": 9223372036854775807},  "signature": ["00"] }`;
		const credentials = { chainNodeTokenApi: { nodeUrl, authToken: 'token-for-this-test' } };
		const { items } = await wallet(broadcast(given), { credentials });
		server.close();
		expect(bodies).toEqual([given]);
		// Some nodes do not repeat the id.
		expect(items[0]?.json).toEqual({ result: true, txid: txID });
	});

	test('of the same transaction fails the second time', async () => {
		const transaction = signed(await first(vote()));
		await first(broadcast('={{ $json }}'), asItem(transaction));
		const { error } = await wallet(broadcast('={{ $json }}'), asItem(transaction));
		expect(error?.message).toBe('Dup transaction.');
		expect(error?.description).toBe(
			'The broadcast failed with code DUP_TRANSACTION_ERROR. The node has had this transaction before: look up what became of it by its ID.',
		);
	});

	test.each<[string, () => INodeParameters]>([
		['as text', () => vote()],
		['as hex', hexVote],
	])('with a wrong signature fails in words that came %s', async (_, built) => {
		const transaction = signed(await first(built()), '2'.repeat(64));
		const { error } = await wallet(broadcast('={{ $json }}'), asItem(transaction));
		expect(error?.message).toMatch(
			/^Validate signature error: it is signed by 41[0-9a-f]{40}, not/,
		);
		expect(error?.description).toMatch(/^The broadcast failed with code SIGERROR\. Sign with/);
	});

	test.each([
		['hex that is text', '65787069726564', 'expired'],
		['hex that is none', 'ff00', 'ff00'],
		[
			'no message',
			undefined,
			'The node did not take the transaction: TRANSACTION_EXPIRATION_ERROR',
		],
	])('says why: %s', async (_, message, words) => {
		const body = { result: false, code: 'TRANSACTION_EXPIRATION_ERROR', message };
		await sandbox.fault({ do: { status: 200, body } });
		const { error } = await wallet(broadcast(GOOD));
		expect(error?.message).toBe(words);
		expect(error?.description).toMatch(/lives for a minute/);
		expect(error?.description).not.toMatch(DOUBT);
	});

	test.each<[string, object]>([
		['a connection reset before it', { reset: 'before' }],
		['a connection reset after it', { reset: 'after' }],
		['a 500', { status: 500, body: { message: 'Broken.' } }],
		['a 502', { status: 502 }],
		['a 503 that says when to come back', { status: 503, headers: { 'retry-after': '1' } }],
		['half an answer', { truncate: true }],
		['silence', { stall: 3000 }],
		['an empty answer', { status: 200, body: '' }],
		['an answer that is none', { status: 200, body: {} }],
		[
			'peers that were not reached',
			{ status: 200, body: { code: 'NOT_ENOUGH_EFFECTIVE_CONNECTION' } },
		],
		['an unnamed error', { status: 200, body: { code: 'OTHER_ERROR', message: 'null' } }],
	])('is sent once, and the error leaves open what happened: %s', async (_, fault) => {
		await sandbox.fault({ do: fault });
		const { error } = await wallet({ ...broadcast(GOOD), options: { timeout: 500 } });
		expect(error?.description).toMatch(DOUBT);
		expect(await sandbox.record()).toHaveLength(1);
	});

	test.each<[string, object]>([
		['a 429', { status: 429, headers: { 'retry-after': '1' }, body: { message: 'Slow down.' } }],
		[
			'a limit with status 200',
			{ status: 200, body: { id: null, error: { code: -32005, message: 'Slow down.' } } },
		],
		['an error of the chain', { status: 200, body: { Error: 'class java.lang.X : Slow down.' } }],
		['a busy server', { status: 200, body: { code: 'SERVER_BUSY', message: 'Slow down.' } }],
	])('is sent once, and the error is certain: %s', async (_, fault) => {
		await sandbox.fault({ do: fault });
		const { error } = await wallet(broadcast(GOOD));
		expect(error?.message).toBe('Slow down.');
		expect(error?.description ?? '').not.toMatch(DOUBT);
		expect(await sandbox.record()).toHaveLength(1);
	});
});

/** Fit to be sent; the sandbox would find much to say about it. */
const GOOD = JSON.stringify({
	txID: 'ab'.repeat(32),
	raw_data: { contract: [] },
	raw_data_hex: '00',
	signature: ['00'],
});

describe('errors with status 200', () => {
	const operations: Array<[string, () => INodeParameters]> = [
		['vote', () => vote()],
		['create', () => create()],
		['list', () => ({ operation: 'list' })],
		['broadcast', () => broadcast(GOOD)],
	];

	test.each(operations)('fail in the words of the chain: %s', async (_, parameters) => {
		const Error = 'class org.tron.core.exception.BadItemException : no: such thing';
		await sandbox.fault({ do: { status: 200, body: { Error } } });
		const { error } = await wallet(parameters());
		expect(error?.message).toBe('no: such thing');
		expect(error?.description).toBe('The node refused the request (BadItemException).');
	});

	test.each([
		['class java.lang.NullPointerException : null', 'class java.lang.NullPointerException : null'],
		['Something else', 'Something else'],
		[
			'class org.tron.core.services.http.JsonFormat$ParseException : 1:16: INVALID',
			'1:16: INVALID',
		],
	])('are told in any form: %s', async (Error, words) => {
		await sandbox.fault({ do: { status: 200, body: { Error } } });
		expect((await wallet(vote())).error?.message).toBe(words);
	});

	test.each(operations.slice(0, 2))('an incomplete transaction is none: %s', async (_, built) => {
		await sandbox.fault({ do: { status: 200, body: { txID: 'ab', raw_data: {} } } });
		expect((await wallet(built())).error?.message).toBe(
			'The service did not answer with a transaction',
		);
	});
});

/** One run over many bad inputs: each item fails with words about its field, and nothing is sent. */
async function allRefused(parameters: INodeParameters, given: readonly unknown[], words: RegExp) {
	const items = given.map((value): INodeExecutionData => ({ json: { value } as IDataObject }));
	const result = await wallet(parameters, { items, onError: 'continueRegularOutput' });
	expect(result.items).toHaveLength(given.length);
	for (const [index, { json }] of result.items.entries()) {
		expect([given[index], json.error]).toEqual([given[index], expect.stringMatching(words)]);
	}
	expect(await sandbox.record()).toEqual([]);
}

/** Every address with one of its characters changed. */
function misspelt(address: string, alphabet: string): string[] {
	return [...address].map((character, index) => {
		const other = alphabet[(alphabet.indexOf(character) + 1 + (index % 7)) % alphabet.length];
		return address.slice(0, index) + other + address.slice(index + 1);
	});
}

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

describe('refused before anything is sent', () => {
	const badBase58 = [
		...misspelt(LEADER, BASE58),
		...misspelt(OWNER, BASE58),
		hexOf(LEADER),
		hexOf(LEADER).toUpperCase(),
		`0x${hexOf(LEADER).slice(2)}`,
		LEADER.toLowerCase(),
		LEADER.slice(1),
		`${LEADER} ${SECOND}`,
		`${LEADER}1`,
		'T',
		7,
		true,
		['T'],
		{ address: LEADER },
	];
	const badHex = [
		LEADER,
		OWNER,
		hexOf(LEADER).slice(2),
		`0x${hexOf(LEADER)}`,
		`${hexOf(LEADER)}00`,
		`42${hexOf(LEADER).slice(2)}`,
		`${hexOf(LEADER).slice(0, -1)}x`,
		'41',
		41,
		['41'],
		...fc
			.sample(fc.string({ minLength: 1, maxLength: 60 }), 50)
			.filter((text) => text.trim() !== ''),
	];

	test('owners that are no base58 address', async () => {
		await allRefused(
			vote({ ownerAddress: '={{ $json.value }}' }),
			badBase58,
			/^'Owner Address' must be .*; got/,
		);
		await allRefused(
			create({ ownerAddress: '={{ $json.value }}' }),
			badBase58,
			/^'Owner Address' must be .*; got/,
		);
	});

	test('owners that are no hex address', async () => {
		const given = { ...hexVote(), ownerAddress: '={{ $json.value }}' };
		await allRefused(given, badHex, /^'Owner Address' must be .*; got/);
	});

	test('witnesses that are no address, named by their place', async () => {
		const second = (visible: boolean) => ({
			...(visible ? vote() : hexVote()),
			votes: votes([visible ? LEADER : hexOf(LEADER), 1], ['={{ $json.value }}', 1]),
		});
		const words = /^'Votes > Vote 2 > Vote Address' must be /;
		await allRefused(second(true), badBase58, words);
		await allRefused(second(false), badHex, words);
	});

	test('the other spelling, with words about visible', async () => {
		const both = (address: string, visible: boolean) => vote({ ownerAddress: address, visible });
		expect((await wallet(both(hexOf(OWNER), true))).error?.message).toMatch(
			/^'Owner Address' must be an address in base58.*turn it off to use hex; got "41/,
		);
		expect((await wallet(both(OWNER, false))).error?.message).toMatch(
			/^'Owner Address' must be an address in hex.*turn it on to use base58; got "T/,
		);
	});

	test('counts that are no positive whole number', async () => {
		const given = [
			0,
			'0',
			'0x0',
			-1,
			'-1',
			1.5,
			'1.5',
			'five',
			'1e3',
			'1,000',
			NaN,
			2 ** 53,
		].concat(['9007199254740993', '0x', '٣', [5] as never, true as never, {} as never]);
		await allRefused(
			vote({ votes: votes([LEADER, '={{ $json.value }}']) }),
			given,
			/^'Votes > Vote 1 > Vote Count' (must be|is required)/,
		);
	});

	test.each<[string, unknown, RegExp]>([
		['no votes', {}, /^'Votes' must hold at least one vote$/],
		['an empty list', votes(), /^'Votes' must hold at least one vote$/],
		[
			'31 votes',
			votes(...new Array(31).fill([LEADER, 1])),
			/^'Votes' must hold at most 30 votes; got 31$/,
		],
		[
			'a vote without an address',
			votes(['={{ " " }}', 1]),
			/^'Votes > Vote 1 > Vote Address' is required$/,
		],
		[
			'a vote without a count',
			votes([LEADER, '={{ null }}']),
			/^'Votes > Vote 1 > Vote Count' is required$/,
		],
		[
			'a count that an expression does not find',
			votes([LEADER, '={{ $json.count }}']),
			/^'Votes > Vote 1 > Vote Count' is required$/,
		],
		[
			'a witness twice',
			votes([LEADER, 1], [SECOND, 1], [` ${LEADER}`, 2]),
			/^'Votes > Vote 3 > Vote Address' must be an address that no earlier vote names; got "THP/,
		],
	])('%s', async (_, list, words) => {
		const { error } = await wallet(vote({ votes: list as INodeParameters }));
		expect(error?.message).toMatch(words);
		expect(await sandbox.record()).toEqual([]);
	});

	test('a witness twice, once in capitals', async () => {
		const list = votes([hexOf(LEADER), 1], [hexOf(LEADER).toUpperCase(), 1]);
		const { error } = await wallet({ ...hexVote(), votes: list });
		expect(error?.message).toMatch(/^'Votes > Vote 2 > Vote Address' must be an address that no/);
		expect(await sandbox.record()).toEqual([]);
	});

	test('urls that are none', async () => {
		const given = [
			'example.com',
			'www.example.com/a',
			'//example.com',
			'http:example.com',
			'http:/example.com',
			'http:///example.com',
			'https://',
			'https://?a',
			'https://#',
			'ftp://example.com',
			'ws://example.com',
			'mailto:a@example.com',
			'javascript:alert(1)',
			'https://exa mple.com',
			'https://example.com/a b',
			'https://example.com\\a',
			'https:\\\\example.com',
			'https://example.com/<b>',
			'https://example.com/"',
			'https://example.com/{a}',
			'https://example.com/a|b',
			'https://example.com/%',
			'https://example.com/%zz',
			'https://example.com/\u0000',
			'https://example.com/a\nb',
			'https://example.com:99999',
			'https://[::1',
			'https://999.1.1.1',
			'https://a..%',
			`https://example.com/${'a'.repeat(237)}`,
			`https://example.com/${'ü'.repeat(120)}`,
			['https://example.com'],
			{ url: 'https://example.com' },
			true,
			7,
		];
		await allRefused(create({ url: '={{ $json.value }}' }), given, /^'URL' must be /);
	});

	test('what is no signed transaction', async () => {
		const good = JSON.parse(GOOD) as IDataObject;
		const without = (key: string) => ({ ...good, [key]: undefined });
		const given: unknown[] = [
			'{',
			'[]',
			'7',
			'"text"',
			'null',
			`[${GOOD}]`,
			`${GOOD},`,
			'not JSON',
			7,
			true,
			[good],
			without('txID'),
			without('signature'),
			{ ...good, raw_data: undefined, raw_data_hex: undefined },
			{ ...good, txID: 'ab' },
			{ ...good, txID: 7 },
			{ ...good, signature: [] },
			{ ...good, signature: '00' },
			{ ...good, signature: [''] },
			{ ...good, signature: [7] },
			{ ...good, raw_data: 'x', raw_data_hex: '' },
			{ ...good, raw_data: { fee_limit: 2 ** 53 } },
			{ transaction: good },
		].flatMap((value): unknown[] =>
			typeof value === 'object' ? [value, JSON.stringify(value)] : [value],
		);
		// As text a large integer keeps its digits, and is fine.
		const bad = given.filter((value) => typeof value !== 'string' || !value.includes('9007199'));
		await allRefused(broadcast('={{ $json.value }}'), bad, /^'Transaction' must be /);
	});

	test('what is required and missing', async () => {
		const missing: Array<[INodeParameters, string]> = [
			[vote({ ownerAddress: '={{ "" }}' }), 'Owner Address'],
			[create({ url: '={{ " " }}' }), 'URL'],
			[create({ ownerAddress: '={{ $json.nothing }}' }), 'Owner Address'],
			[broadcast('={{ "" }}'), 'Transaction'],
		];
		for (const [parameters, name] of missing) {
			expect((await wallet(parameters)).error?.message).toBe(`'${name}' is required`);
		}
		expect((await wallet({ operation: 'list', limit: 0 })).error?.message).toMatch(/^'Limit' must/);
		expect((await wallet(vote({ visible: '={{ "yes" }}' }))).error?.message).toMatch(
			/^'Visible' must be true or false/,
		);
		expect(await sandbox.record()).toEqual([]);
	});
});
