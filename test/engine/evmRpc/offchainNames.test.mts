import type { ServerResponse } from 'node:http';
import type { INodeParameters } from 'n8n-workflow';
import {
	bytesToHex,
	createPublicClient,
	custom,
	decodeFunctionData,
	decodeFunctionResult,
	encodeAbiParameters,
	encodeFunctionData,
	encodeFunctionResult,
	keccak256,
	namehash,
	parseAbi,
	parseSignature,
	zeroAddress,
	type Abi,
	type Hex,
} from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { normalize, packetToBytes } from 'viem/ens';
import { request } from 'undici';
import { takeRows, TRIES_ALL } from '../../harness/caseCount.mts';
import type { NodeRun } from '../../harness/engine.mts';
import { deployContract } from '../../harness/contract.mts';
import { serveHosts } from '../../harness/httpsHosts.mts';
import { createSandbox } from '../../harness/sandbox.mts';
import { createTestServer, sendJson, type ReceivedRequest } from '../../harness/server.mts';
import { waitUntil } from '../../harness/until.mts';
import { evmRpcAt } from './support/scene.mts';

type Contract = Awaited<ReturnType<typeof deployContract>>;
type Serve = (received: ReceivedRequest, response: ServerResponse) => void | Promise<void>;

const sandbox = createSandbox({ chain: true });
const { run, first, calls } = evmRpcAt(sandbox);

const HOLDER = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const OTHER = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const recordAbi = parseAbi([
	'function addr(bytes32 node) view returns (address)',
	'function text(bytes32 node, string key) view returns (string)',
	'function name(bytes32 node) view returns (string)',
]);
const owner = privateKeyToAccount(generatePrivateKey());
const stranger = privateKeyToAccount(generatePrivateKey());

/** The records of a name that the servers give. */
const RECORDS = {
	addr: () => HOLDER,
	text: (key: string) => (key === 'url' ? 'https://example.com/ä' : ''),
	name: () => 'one.off.eth',
};

/** Signs a server's answer with a record, in the form that the contract accepts. */
async function answerRecord(data: Hex, signer = owner): Promise<Hex> {
	const { functionName, args } = decodeFunctionData({ abi: recordAbi, data });
	const result = RECORDS[functionName](String(args[1]));
	const encoded = encodeFunctionResult({ abi: recordAbi, functionName, result } as never);
	const types = [{ type: 'bytes' }, { type: 'bytes32' }, { type: 'bytes32' }, { type: 'uint8' }];
	const signed = encodeAbiParameters(
		[{ type: 'address' }, { type: 'bytes' }, { type: 'bytes' }],
		[contracts.elsewhere.address as Hex, data, encoded],
	);
	const { r, s, v } = parseSignature(await signer.sign({ hash: keccak256(signed) }));
	return encodeAbiParameters(types, [encoded, r, s, Number(v)]);
}

/** Gives the data of a request, which is in the path `/{sender}/{data}.json` or in the body. */
function getQuestion({ path, json }: ReceivedRequest): Hex {
	const [, , file = ''] = path.split('/');
	const { data } = (json ?? { data: file.replace('.json', '') }) as { data: Hex };
	return data;
}

const answer =
	(signer = owner): Serve =>
	async (received, response) =>
		sendJson(response, 200, { data: await answerRecord(getQuestion(received), signer) });
const text =
	(content: string, status = 200, headers: Record<string, string> = {}): Serve =>
	(_, response) =>
		void response.writeHead(status, headers).end(content);
const json = (value: unknown) => text(JSON.stringify(value));

/** The behaviour of each server, by the first part of its host name. */
const SERVERS: Record<string, Serve> = {
	honest: answer(),
	false: answer(stranger),
	empty: json({ data: '0x' }),
	html: text('<html>'),
	odd: json({ data: '0x123' }),
	nested: json({ data: { data: '0x12' } }),
	list: json([{ data: '0x12' }]),
	huge: text(JSON.stringify({ data: `0x${'00'.repeat(600_000)}` })),
	deep: text(`{"data":${'['.repeat(400_000)}`),
	forbidden: text(JSON.stringify({ data: '0x12', message: 'who are you?' }), 403),
	missing: text('', 404),
	broken: text(JSON.stringify({ data: '0x12' }), 500),
	away: text('', 503),
	moved: text('', 302, { location: 'https://honest.example.com/elsewhere' }),
	reset: (_, response) => void response.destroy(),
	mute: () => {},
};

const getHost = ({ request: { headers } }: ReceivedRequest) =>
	String(headers.host).replace('.example.com', '');
const server = createTestServer((received, response) => {
	const serve = SERVERS[getHost(received)] ?? text('no such host', 404);
	return serve(received, response);
});
const asked = () => server.received.map(getHost);

let contracts: Record<'registry' | 'records' | 'elsewhere', Contract>;

beforeAll(async () => {
	const put = async (name: string) => await deployContract(sandbox, name, { file: 'Names' });
	contracts = {
		registry: await put('Registry'),
		records: await put('Records'),
		elsewhere: await put('Elsewhere'),
	};
	for (const [name, contract] of [
		['off.eth', 'elsewhere'],
		['one.off.eth', 'elsewhere'],
		['o’clock.off.eth', 'elsewhere'],
		[reverse(HOLDER), 'elsewhere'],
		[reverse(OTHER), 'records'],
	] as const) {
		await send('registry', 'setResolver', namehash(name), contracts[contract].address);
	}
	await send('records', 'setName', namehash(reverse(OTHER)), 'one.off.eth');
});
beforeEach(() => serveHosts(server));
afterEach(() => jest.restoreAllMocks());

async function send(contract: keyof typeof contracts, functionName: string, ...args: unknown[]) {
	const { abi, address, owner: from } = contracts[contract];
	const data = encodeFunctionData({ abi: abi as Abi, functionName, args });
	await sandbox.mined({ from, to: address, data });
}

function reverse(address: string): string {
	return `${address.slice(2).toLowerCase()}.addr.reverse`;
}

interface Setting {
	readonly sender?: string;
	readonly repeats?: number;
	readonly isWildcard?: boolean;
}

const GET_FORM = '/{sender}/{data}.json';

/** Sets the URLs that the contract gives. A single word becomes the URL of a server of this test. */
async function setUp(
	urls: readonly string[],
	{ sender = zeroAddress, repeats = 0, isWildcard = false }: Setting = {},
	form = GET_FORM,
) {
	const whole = urls.map((url) => (/^\w+$/.test(url) ? `https://${url}.example.com${form}` : url));
	await send('elsewhere', 'setUp', whole, owner.address, sender, repeats, isWildcard);
}

const of = (operation: string, { options, ...parameters }: INodeParameters) => ({
	resource: 'name',
	operation,
	options: { registry: contracts.registry.address, ...(options as INodeParameters) },
	...parameters,
});
const resolve = async (name: string, more: INodeParameters = {}, how: Partial<NodeRun> = {}) =>
	await first(of('resolve', { name, ...more }), how);

const FAILED = "The name one.off.eth can't be read off the chain";

describe.each([
	['got', GET_FORM],
	['posted', '/{sender}'],
])('the answer of a server that is %s', (how, form) => {
	test.each([
		['one.off.eth', false],
		['one.off.eth', true],
		['any.off.eth', true],
		["O'Clock.off.eth", false],
	])('are the address and the texts of %s', async (name, isWildcard) => {
		await setUp(['honest'], { isWildcard }, form);
		expect(await resolve(name, { records: 'url, email' })).toEqual({
			name: normalize(name),
			address: HOLDER,
			records: { url: 'https://example.com/ä', email: null },
		});
		expect(asked()).toEqual(['honest', 'honest', 'honest']);
	});

	test('is asked in the form of the contract, without the credential', async () => {
		await setUp(['honest'], {}, form);
		await resolve('one.off.eth');
		const { authToken } = sandbox.credentials.token.chainNodeTokenApi;
		const sender = contracts.elsewhere.address.toLowerCase();
		const data = encodeFunctionData({
			abi: recordAbi,
			functionName: 'addr',
			args: [namehash('one.off.eth')],
		});
		for (const { path, json: body, request: sent } of server.received) {
			expect([sent.method, path, body]).toEqual(
				how === 'got'
					? ['GET', `/${sender}/${data}.json`, undefined]
					: ['POST', `/${sender}`, { data, sender }],
			);
			expect(sent.headers['content-type']).toBe(how === 'got' ? undefined : 'application/json');
			expect(JSON.stringify(sent.headers)).not.toMatch(/authorization|cookie/i);
			expect(JSON.stringify([sent.url, sent.headers, body])).not.toContain(authToken);
		}
		expect(asked()).toEqual(['honest']);
	});

	test('is what viem reads by the same contract', async () => {
		await setUp(['broken', 'honest'], { repeats: 1, isWildcard: true }, form);
		sendFetchesHere();
		const client = createPublicClient({ transport: custom({ request: askChain }) });
		const to = contracts.elsewhere.address as Hex;
		const node = namehash('one.off.eth');
		const asked = { abi: recordAbi, functionName: 'addr', args: [node] } as const;
		const data = encodeFunctionData(asked);
		const wrapped = {
			abi: parseAbi(['function resolve(bytes name, bytes data) view returns (bytes)']),
			functionName: 'resolve',
			args: [bytesToHex(packetToBytes('one.off.eth')), data],
		} as const;
		const plain = await client.call({ to, data });
		const passed = await client.call({ to, data: encodeFunctionData(wrapped) });
		const given = decodeFunctionResult({ ...wrapped, data: passed.data ?? '0x' });
		const { address } = (await resolve('one.off.eth')) as { address: string };
		expect(address).toBe(HOLDER);
		for (const one of [plain.data, given])
			expect(decodeFunctionResult({ ...asked, data: one ?? '0x' })).toBe(address);
	});
});

/** Redirects the requests of viem, which resolves the same names, to the server of this test. */
function sendFetchesHere(): void {
	jest.spyOn(globalThis, 'fetch').mockImplementation(async (url, { method, body } = {}) => {
		const { pathname, host } = new URL(String(url));
		const got = await request(server.url + pathname, {
			method: method === 'POST' ? 'POST' : 'GET',
			headers: { host, ...(method === 'POST' && { 'content-type': 'application/json' }) },
			body: typeof body === 'string' ? body : undefined,
		});
		const type = { 'content-type': String(got.headers['content-type']) };
		return new Response(await got.body.text(), { status: got.statusCode, headers: type });
	});
}

/** Asks the chain on behalf of viem, which expects the errors of a chain node as objects. */
async function askChain({ method, params }: { method: string; params?: unknown }) {
	return await sandbox.chain(method, ...((params ?? []) as unknown[])).catch((failure: Error) => {
		throw Object.assign(new Error('refused'), JSON.parse(failure.message) as object);
	});
}

const NO_DATA = "The server's answer has no field 'data' with 0x and hex digits";

describe('a server that gives no answer', () => {
	test.each(
		takeRows(
			[
				['html', NO_DATA],
				['odd', NO_DATA],
				['nested', NO_DATA],
				['list', NO_DATA],
				['deep', NO_DATA],
				['huge', 'The file is larger than 1 MB'],
				['broken', 'The server answered 500'],
				['away', 'The server answered 503'],
				['moved', 'The server answered 302, and redirects are not followed'],
				['reset', 'The server could not be reached (ECONNRESET)'],
			],
			3,
		),
	)('is followed by the next, and reported where there is none: %s', async (name, words) => {
		await setUp([name, 'honest']);
		expect(await resolve('one.off.eth')).toMatchObject({ address: HOLDER });
		expect(new Set(asked())).toEqual(new Set([name, 'honest']));
		expect(server.received.filter(({ path }) => path === '/elsewhere')).toEqual([]);
		await setUp([name]);
		expect(await resolve('one.off.eth')).toMatchObject({
			message: FAILED,
			description: `No server gave an answer: "${name}.example.com": ${words}.`,
		});
		await waitUntil(() => server.open() === 0);
	});

	test.each([
		['forbidden', 403],
		['missing', 404],
	])('because it refuses has the last word: %s', async (name, status) => {
		await setUp([name, 'honest']);
		expect(await resolve('one.off.eth')).toMatchObject({
			message: FAILED,
			description: `A server from which the contract takes data refuses to answer: "${name}.example.com": The server answered ${status}.`,
		});
		expect(asked()).toEqual([name]);
	});

	test('within the time of the option is followed by the next', async () => {
		await setUp(['mute', 'honest']);
		const options = { timeout: 200 };
		expect(await resolve('one.off.eth', { options })).toMatchObject({ address: HOLDER });
		await setUp(['mute']);
		const { description } = (await resolve('one.off.eth', { options })) as { description: string };
		expect(description).toContain('The server did not give the whole file within 0.2 s');
		await waitUntil(() => server.open() === 0);
	});

	test('is no reason to ask any number of others', async () => {
		await setUp([...Array.from({ length: 50 }, () => 'broken'), 'honest']);
		expect(await resolve('one.off.eth')).toMatchObject({ message: FAILED });
		expect(asked()).toEqual(['broken', 'broken', 'broken', 'broken']);
	});

	test("does not keep n8n's Stop waiting", async () => {
		await setUp(['mute']);
		const stopAfter = async () => await waitUntil(() => asked().length > 0);
		const { status } = await run(of('resolve', { name: 'one.off.eth' }), { stopAfter });
		expect(status).toBe('canceled');
		await waitUntil(() => server.open() === 0);
	});
});

describe('the contract', () => {
	test('may ask again, at most four times', async () => {
		await setUp(['honest'], { repeats: 3 });
		expect(await resolve('one.off.eth')).toMatchObject({ address: HOLDER });
		expect(asked()).toHaveLength(4);
		await setUp(['honest'], { repeats: 4 });
		const { description } = (await resolve('one.off.eth')) as { description: string };
		expect(description).toMatch(
			/^The contract 0x\w{40} can't be read: it takes its data from web servers, and asks them more than 4 times\.$/,
		);
		expect(asked()).toHaveLength(8);
	});

	test.each(['false', 'empty'])('decides whether an answer is taken: %s', async (name) => {
		await setUp([name, 'honest']);
		const failure = (await resolve('one.off.eth')) as { message: string; description: string };
		expect(failure.message).toBe(FAILED);
		expect(failure.description).toMatch(
			/^The contract 0x\w{40} can't be read: it takes its data from a web server, and refuses the server's answer: ".*(not signed by the owner|revert).*"\.$/,
		);
		expect(asked()).toEqual([name]);
	});

	test('asks in its own name only', async () => {
		await setUp(['honest'], { sender: HOLDER });
		const failure = (await resolve('one.off.eth')) as { message: string; description: string };
		expect(failure.message).toBe(FAILED);
		expect(failure.description).toMatch(
			new RegExp(
				`^The contract 0x\\w{40} can't be read: it asks for data from a web server, but in the name of another contract, ${HOLDER}\\.$`,
			),
		);
		expect(asked()).toEqual([]);
	});

	test.each([
		[[]],
		[['http://honest.example.com/{data}']],
		[['x-batch-gateway:true']],
		[['https://']],
		[['javascript:alert(1)', 'file:///etc/passwd', '']],
		[['https://user:word@honest.example.com/{data}']],
		[[`https://honest.example.com/${'x'.repeat(16_000)}`]],
	])('names no address that is asked: %j', async (urls) => {
		await setUp(urls);
		const { description } = (await resolve('one.off.eth')) as { description: string };
		expect(description).toMatch(/^The contract 0x\w{40} names no https address to ask\.$/);
		expect(asked()).toEqual([]);
	});

	test.each([
		[
			'https://127.0.0.1/{data}',
			'The requested address leads into an internal network, and n8n blocks such addresses (SSRF protection)',
		],
		[
			'https://localhost/{data}',
			'The requested address leads into an internal network, and n8n blocks such addresses (SSRF protection)',
		],
		[
			'https://169.254.169.254/{data}',
			'The requested address leads into an internal network, and n8n blocks such addresses (SSRF protection)',
		],
		['https://[::]/{data}', 'The address is an internal one, and is not asked'],
		['https://100.100.100.200/', 'The address is an internal one, and is not asked'],
	])('leads to no internal address: %s', async (url, words) => {
		await setUp([url]);
		const { description } = (await resolve('one.off.eth')) as { description: string };
		expect(description).toBe(
			`No server gave an answer: ${JSON.stringify(new URL(url).hostname)}: ${words}.`,
		);
		await setUp([url, 'honest']);
		expect(await resolve('one.off.eth')).toMatchObject({ address: HOLDER });
	});
});

test('many items of one name ask servers and the chain few times', async () => {
	await setUp(['honest']);
	const length = TRIES_ALL ? 1000 : 200;
	const items = Array.from({ length }, () => ({ json: {} }));
	const { items: found } = await run(of('resolve', { name: 'one.off.eth' }), { items });
	expect(found).toHaveLength(length);
	expect(found.every((item) => item.json.address === HOLDER)).toBe(true);
	expect(asked().length).toBeLessThan(20);
	expect((await calls()).length).toBeLessThan(20);
});

describe('an address', () => {
	const lookup = async (address: string) => await first(of('lookup', { address }));

	test('has the name that a server gives, if it leads back', async () => {
		await setUp(['honest']);
		expect(await lookup(HOLDER)).toEqual({ address: HOLDER, name: 'one.off.eth' });
		expect(await lookup(OTHER)).toEqual({ address: OTHER, name: null });
	});

	test.each(['false', 'missing', 'broken', 'html', 'https://127.0.0.1/'])(
		'has none that a server does not prove: %s',
		async (name) => {
			await setUp([name]);
			expect(await lookup(HOLDER)).toEqual({ address: HOLDER, name: null });
			expect(await lookup(OTHER)).toEqual({ address: OTHER, name: null });
		},
	);
});
