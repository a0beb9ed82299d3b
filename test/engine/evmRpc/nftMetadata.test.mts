import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { SsrfProtectionService } from '@n8n/backend-network';
import { SsrfProtectionConfig } from '@n8n/config';
import { Container } from '@n8n/di';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { decodeFunctionData, encodeFunctionResult, parseAbi, type Hex } from 'viem';
import { EvmRpc } from '../../../nodes/EvmRpc/EvmRpc.node';
import { runNode, type NodeRun } from '../../harness/engine.mts';
import { answerCalls, createTestServer, SECRET, type RpcCall } from '../../harness/server.mts';
import { waitUntil } from '../../harness/until.mts';

const abi = parseAbi([
	'function supportsInterface(bytes4 id) view returns (bool)',
	'function ownerOf(uint256 id) view returns (address)',
	'function tokenURI(uint256 id) view returns (string)',
	'function name() view returns (string)',
	'function symbol() view returns (string)',
]);
const CONTRACT = `0x${'c0'.repeat(20)}`;

type Serve = (response: ServerResponse) => void;

/** The URIs that the contract returns for its tokens, in the order of the tokens. */
let uris: readonly string[];
/** The files of the gateway by their paths. */
let files: Record<string, Serve>;

/** Serves both a chain with an NFT contract, and an IPFS gateway. */
const server = createTestServer((received, response) => {
	if (!received.path.startsWith('/ipfs')) return answerCalls(received, response, contract);
	const [path = ''] = received.path.split('?');
	return (files[path] ?? text('no such file', 404))(response);
});
beforeEach(() => void (files = {}));

function contract({ params: [call] }: RpcCall) {
	const { functionName, args } = decodeFunctionData({ abi, data: (call as { data: Hex }).data });
	const results = {
		supportsInterface: () => args?.[0] === '0x80ac58cd',
		ownerOf: () => CONTRACT,
		tokenURI: () => uris[Number(args?.[0])],
		name: () => 'Odd',
		symbol: () => 'ODD',
	};
	const result = results[functionName]();
	return { result: encodeFunctionResult({ abi, functionName, result } as never) };
}

const text =
	(content: string, status = 200, headers: Record<string, string> = {}): Serve =>
	(response) =>
		response.writeHead(status, headers).end(content);
const json = (value: object) => text(JSON.stringify(value));

/** Reads the metadata of a token for each of the given URIs. */
async function metadataAt(
	addresses: readonly string[],
	options: INodeParameters = {},
	more: Partial<NodeRun> = {},
) {
	uris = addresses;
	const { items, error, ...rest } = await runNode({
		node: new EvmRpc(),
		parameters: {
			resource: 'nft',
			operation: 'get',
			contract: CONTRACT,
			tokenId: '={{ $json.id }}',
			options: { ipfsGateway: `${server.url}/ipfs/`, ...options },
		},
		credentials: server.credentials.token,
		items: addresses.map((_, id) => ({ json: { id: String(id) } })),
		...more,
	});
	return { ...rest, error, items: items.map((item) => item.json) };
}

/** Names a row of a table by the first 60 characters of its URI, because a URI may be very long. */
const named = <T,>([uri, outcome]: readonly [string, T]) =>
	[uri.slice(0, 60), uri, outcome] as const;

const asked = () => server.received.filter(({ path }) => path.startsWith('/ipfs'));
const outcomes = (items: readonly IDataObject[]) =>
	items.map(({ metadata, metadataError }) => metadata ?? metadataError);

test('metadata in IPFS comes through the gateway, without the credential', async () => {
	files = {
		'/ipfs/Qm1/1.json': json({ name: 'One' }),
		'/ipfs/Qm2': json({ name: 'Two' }),
		'/ipfs/Qm3/a%20b/No.%20%231%3F.json': text('\uFEFF{"name":"Three"}'),
	};
	const { items } = await metadataAt([
		'ipfs://Qm1/1.json',
		'IPFS://ipfs/Qm2',
		' ipfs://Qm3/a b/No. #1?.json\n',
	]);
	expect(outcomes(items)).toEqual([{ name: 'One' }, { name: 'Two' }, { name: 'Three' }]);
	expect(asked()).toHaveLength(3);
	for (const { request } of asked()) {
		expect(request.headers.authorization).toBeUndefined();
		expect(JSON.stringify([request.url, request.headers])).not.toContain(SECRET);
	}
});

test('an address is asked once in a run, and no two items share what was there', async () => {
	files = { '/ipfs/Qm1': json({ traits: [] }) };
	const { items } = await metadataAt(['ipfs://Qm1', 'ipfs://Qm1', 'ipfs://Qm2', 'ipfs://Qm2']);
	expect(asked()).toHaveLength(2);
	const [one, other] = items.map(({ metadata }) => metadata as { traits: unknown[] });
	one?.traits.push('changed');
	expect(other).toEqual({ traits: [] });
});

const EMBEDDED: ReadonlyArray<readonly [string, unknown]> = [
	['data:application/json,%7B%22name%22%3A%22caf%C3%A9%22%7D', { name: 'café' }],
	['data:application/json;base64,eyJuYW1lIjoiPj8%2BPj8ifQ%3D%3D', { name: '>?>>?' }],
	['data:application/json;utf8,{"name":"100% # real"}', { name: '100% # real' }],
	['DATA:application/json;charset=utf-8;base64,eyJuYW1lIjoiw6kifQ==', { name: 'é' }],
	[
		'data:,{"image":"data:image/svg+xml,%3Csvg a=%22b%22/%3E"}',
		{ image: 'data:image/svg+xml,%3Csvg a=%22b%22/%3E' },
	],
	['data:application/json', 'The data: address has no content'],
	['data:text/plain,hello', 'The content is not a JSON object'],
	['data:application/json,[1]', 'The content is not a JSON object'],
	['data:application/json;base64,@@@', 'The content is not a JSON object'],
	[`data:,{"a":"${'x'.repeat(1_000_000)}"}`, 'The metadata is larger than 1 MB'],
	[`data:,${'x'.repeat(4_000_000)}`, 'The contract gives no address of the metadata'],
	[' ', 'The contract gives no address of the metadata'],
];

test.each(EMBEDDED.map(named))(
	'what is in the address itself needs no request: %s',
	async (_, uri, outcome) => {
		const { items } = await metadataAt([uri]);
		expect(outcomes(items)).toEqual([outcome]);
		expect(asked()).toEqual([]);
	},
);

test('a token that says what is no metadata harms neither the others nor n8n', async () => {
	const deep = `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
	const levels = `{"a":${'['.repeat(2000)}${']'.repeat(2000)}}`;
	files = {
		'/ipfs/QmExact': text(`{"a":"${'x'.repeat(1_000_000 - 8)}"}`),
		'/ipfs/QmBomb': (response) =>
			response
				.writeHead(200, { 'content-encoding': 'gzip' })
				.end(gzipSync(Buffer.alloc(50_000_000, ' '))),
		'/ipfs/QmShort': text('{"name":"Short"}', 200, { 'content-length': '5' }),
		'/ipfs/QmLevels': text(levels),
		'/ipfs/QmDeep': text(deep),
		'/ipfs/QmProto': text('{"__proto__":{"polluted":true},"name":"Proto"}'),
		'/ipfs/QmNull': text('null'),
		'/ipfs/QmText': text('"text"'),
		'/ipfs/QmEmpty': text(''),
	};
	const paths = Object.keys(files).flatMap((path) => [path, path]);
	const { items, error } = await metadataAt(paths.map((path) => `ipfs://${path.slice(6)}`));
	expect(error).toBeUndefined();
	const none = 'The content is not a JSON object';
	const found = outcomes(items).map((one) =>
		typeof one === 'string' ? one : Object.keys(one ?? {}),
	);
	expect(found.filter((_, at) => at % 2 === 0)).toEqual([
		['a'],
		'The file is larger than 1 MB',
		none,
		['a'],
		none,
		['__proto__', 'name'],
		none,
		none,
		none,
	]);
	expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

const CLOSED =
	'The requested address leads into an internal network, and n8n blocks such addresses (SSRF protection)';

const INTERNAL = 'The address is an internal one, and is not asked';

describe('what cannot be had is null, with the reason, and the item does not fail', () => {
	const lost: ReadonlyArray<readonly [string, string]> = [
		['ipfs://Qm0', 'The server answered 404'],
		['ipfs://Qm302', 'The server answered 302, and redirects are not followed'],
		['ipfs://QmHtml', 'The content is not a JSON object'],
		['ipfs://QmLarge', 'The file is larger than 1 MB'],
		['ipfs://QmEndless', 'The file is larger than 1 MB'],
		['ipfs://QmReset', 'The server could not be reached (ECONNRESET)'],
		['ipfs://Qm1/../../admin', 'The IPFS address leads out of the gateway'],
		['ipfs://..\\..\\admin', 'The IPFS address leads out of the gateway'],
		['ipfs://Qm1/%2e%2e/%2E./admin', 'The IPFS address leads out of the gateway'],
		['ipfs://Qm1/..%2F..%2Fadmin', 'The IPFS address leads out of the gateway'],
		['http://example.com/1.json', 'The address is neither https:// nor ipfs:// nor data:'],
		['ftp://example.com/1.json', 'The address is neither https:// nor ipfs:// nor data:'],
		['https://', 'The address is neither https:// nor ipfs:// nor data:'],
		[`https://example.com/${'1'.repeat(8000)}`, 'The address is longer than 8000 characters'],
		['https://127.0.0.1/1.json', CLOSED],
		['https://2130706433/1.json', CLOSED],
		['https://[::1]/1.json', INTERNAL],
		['https://[::ffff:127.0.0.1]/1.json', CLOSED],
		['https://169.254.169.254/latest/meta-data', CLOSED],
		['https://localhost/1.json', CLOSED],
		['https://[::]/1.json', INTERNAL],
		['https://100.100.100.200/latest/meta-data', INTERNAL],
	];

	test.each(lost.map(named))('%s', async (_, uri, reason) => {
		files = {
			'/ipfs/Qm302': text('', 302, { location: '/ipfs/elsewhere' }),
			'/ipfs/elsewhere': json({ name: 'reached' }),
			'/ipfs/QmHtml': text('<html>'),
			'/ipfs/QmLarge': text(`{"a":"${'x'.repeat(5_000_000)}"}`),
			'/ipfs/QmEndless': (response) => {
				// The next piece is written only if the connection is still open. Otherwise the loop would block everything
				// else.
				const more = (error?: Error | null) =>
					void (error || response.destroyed || response.write('x'.repeat(100_000), more));
				more();
			},
			'/ipfs/QmReset': (response) => void response.destroy(),
		};
		const { items, error } = await metadataAt([uri]);
		expect(error).toBeUndefined();
		expect(items[0]).toMatchObject({ metadata: null, metadataError: reason, tokenUri: uri });
		expect(asked().filter(({ path }) => !path.startsWith('/ipfs/Qm'))).toEqual([]);
		await waitUntil(() => server.open() === 0);
	});

	test('IPFS without a gateway', async () => {
		const { items } = await metadataAt(['ipfs://Qm1'], { ipfsGateway: '' });
		expect(outcomes(items)).toEqual([
			"The address is one of IPFS: set the option 'IPFS Gateway' to have it fetched",
		]);
	});

	test('a server that never ends its answer, after ten seconds', async () => {
		const real = AbortSignal.timeout;
		const soon = jest.spyOn(AbortSignal, 'timeout');
		soon.mockImplementation((wait) => real(wait === 10_000 ? 100 : wait));
		files = {
			'/ipfs/QmDrip': (response) => void response.writeHead(200).write('{'),
			'/ipfs/QmMute': () => {},
		};
		const { items } = await metadataAt(['ipfs://QmDrip', 'ipfs://QmMute']);
		soon.mockRestore();
		const late = 'The server did not give the whole file within 10 s';
		expect(outcomes(items)).toEqual([late, late]);
		await waitUntil(() => server.open() === 0);
	});

	test('what a gateway echoes of the secret in its address', async () => {
		const ipfsGateway = `${server.url}/ipfs?key=${SECRET}`;
		files = { '/ipfs/Qm403': text(`no ${SECRET}`, 403), '/ipfs/Qm1': json({ name: 'One' }) };
		const { items } = await metadataAt(['ipfs://Qm1', 'ipfs://Qm403'], { ipfsGateway });
		expect(outcomes(items)).toEqual([{ name: 'One' }, 'The server answered 403']);
		expect(asked().map(({ request }) => request.url)).toEqual(
			['/ipfs/Qm1', '/ipfs/Qm403'].map((path) => `${path}?key=${SECRET}`),
		);
		expect(JSON.stringify(items)).not.toContain(SECRET);
	});
});

test("n8n's protection, where it is on for all requests, holds for the gateway", async () => {
	const protection = Container.get(SsrfProtectionService);
	const closed = protection.validateIp('127.0.0.1');
	const open = { ok: true, result: undefined } as const;
	// The fake protection forbids only the gateway's URLs. The real protection would also forbid the node, which runs
	// on this machine.
	const atAddress = jest.spyOn(protection, 'validateIp').mockReturnValue(open);
	const atUrl = jest.spyOn(protection, 'validateUrl');
	atUrl.mockImplementation(async (url) => (String(url).includes('/ipfs/') ? closed : open));
	Container.get(SsrfProtectionConfig).enabled = true;
	const { items } = await metadataAt(['ipfs://Qm1']);
	Container.get(SsrfProtectionConfig).enabled = false;
	for (const spy of [atAddress, atUrl]) spy.mockRestore();
	expect(outcomes(items)).toEqual([CLOSED]);
	expect(asked()).toEqual([]);
});

test("n8n's Stop ends what is being fetched", async () => {
	files = { '/ipfs/QmMute': () => {} };
	const stopAfter = async () => await waitUntil(() => asked().length > 0);
	const { status } = await metadataAt(['ipfs://QmMute'], {}, { stopAfter });
	expect(status).toBe('canceled');
	await waitUntil(() => server.open() === 0);
});

test.each([
	'ipfs.example.com',
	'http://ipfs.example.com',
	'https://user:secret-1@example.com/ipfs',
])('a gateway that is no address is refused without being shown: %s', async (ipfsGateway) => {
	const { error } = await metadataAt(['ipfs://Qm1'], { ipfsGateway });
	expect(error?.message).toContain("'IPFS Gateway' must be a full address such as https://");
	expect(JSON.stringify([error?.message, error?.description])).not.toContain('secret-1');
});
