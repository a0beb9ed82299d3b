import { callOf, createGrpcSandbox, waitUntil } from '../support/grpcSandbox.mts';

const sandbox = createGrpcSandbox();

const jsonOf = ({ items }: { items: ReadonlyArray<{ json: object }> }) =>
	items.map(({ json }) => json);

test('the services are listed, without those that describe them', async () => {
	expect(jsonOf(await sandbox.run({ operation: 'listServices' }))).toEqual([
		{ service: 'chain.v1.ArchiveService' },
		{ service: 'chain.v1.ChainService' },
		{ service: 'chain.v1.EchoService' },
		{ service: 'chain.v1.TroubleService' },
	]);
});

test('a service is described, one item per method', async () => {
	const service = { __rl: true, mode: 'list', value: 'chain.v1.ChainService' };
	const methods = jsonOf(await sandbox.run({ operation: 'describe', service }));
	expect(methods).toMatchObject([
		{ method: 'GetBlock', kind: 'unary' },
		{ method: 'StreamBlocks', kind: 'serverStreaming' },
		{ method: 'CountBlocks', kind: 'clientStreaming' },
		{ method: 'Watch', kind: 'bidirectional' },
	]);
	expect(methods[0]).toMatchObject({
		service: 'chain.v1.ChainService',
		request: { fields: [{ name: 'number', type: 'uint64', oneof: 'by' }, { name: 'hash' }] },
		types: { 'chain.common.v1.Status': { values: expect.arrayContaining(['STATUS_FAILED']) } },
	});
});

test('a type that contains itself is described once, and well-known types by their JSON', async () => {
	const [echo, stream] = jsonOf(
		await sandbox.run({ operation: 'describe', service: 'chain.v1.EchoService' }),
	);
	const everything = { type: 'chain.v1.Everything', fields: expect.any(Array) };
	expect(echo).toMatchObject({ request: everything, response: everything });
	const { types } = echo as { types: Record<string, object> };
	expect(Object.keys(types).filter((name) => name.startsWith('chain'))).toEqual([
		'chain.v1.Kind',
		'chain.v1.Everything.Point',
	]);
	expect(types['google.protobuf.Int64Value']).toEqual({ json: 'int64 or null' });
	expect(echo).toMatchObject({
		request: {
			fields: expect.arrayContaining([
				{ name: 'optionalInt32', type: 'int32', optional: true },
				{ name: 'children', type: 'chain.v1.Everything', repeated: true },
				{ name: 'textsByNumber', type: 'map<int64, string>' },
				{ name: 'choiceKind', type: 'chain.v1.Kind', oneof: 'choice' },
				{ name: 'timestamp', type: 'google.protobuf.Timestamp' },
			]),
		},
	});
	expect(stream).toMatchObject({
		kind: 'serverStreaming',
		request: { fields: [{ name: 'message' }, { name: 'times' }] },
	});
});

test('a plain method gives one item, and every call carries the token', async () => {
	const { items } = await sandbox.run(callOf('ChainService', 'GetBlock', { number: '5' }));
	expect(jsonOf({ items })).toEqual([
		expect.objectContaining({
			number: '5',
			time: '2020-09-13T12:26:50.005Z',
			labels: { network: 'sandbox', parity: 'odd' },
		}),
	]);
	const { calls } = await sandbox.seen();
	expect(calls.map(({ method }) => method)).toEqual([
		'/grpc.reflection.v1.ServerReflection/ServerReflectionInfo',
		'/chain.v1.ChainService/GetBlock',
	]);
	expect(calls.every(({ metadata }) => metadata['x-token'] === sandbox.xToken)).toBe(true);
});

test('a stream gives an item per message', async () => {
	const asked = callOf('ChainService', 'StreamBlocks', { from: 7, count: 3 });
	const { items } = await sandbox.run(asked);
	expect(items.map(({ json, pairedItem }) => [json.number, pairedItem])).toEqual(
		['7', '8', '9'].map((number) => [number, { item: 0 }]),
	);
});

test('without TLS the endpoint of this computer is reached too', async () => {
	const { error, items } = await sandbox.run(
		{ operation: 'listServices' },
		{ credential: sandbox.plain },
	);
	expect(error).toBeUndefined();
	expect(items).toHaveLength(4);
});

test('all items of a run share one connection and one description, and it is closed afterwards', async () => {
	const items = Array.from({ length: 250 }, (_, number) => ({ json: { number } }));
	const parameters = {
		...callOf('ChainService', 'GetBlock'),
		request: '={{ { number: $json.number } }}',
	};
	const found = await sandbox.run(parameters, { items });
	expect(found.items.map(({ json }) => json.number)).toEqual(items.map((_, index) => `${index}`));
	const { calls, connections } = await sandbox.seen();
	expect(connections).toBe(1);
	expect(calls.filter(({ method }) => /reflection/.test(method))).toHaveLength(1);
	await waitUntil(async () => (await sandbox.seen()).openConnections === 0);
});

test('the connection is closed after a failure as well', async () => {
	await sandbox.run(callOf('TroubleService', 'Fail', { code: 5 }));
	await waitUntil(async () => (await sandbox.seen()).openConnections === 0);
	expect((await sandbox.seen()).connections).toBe(1);
});

test('an older reflection serves as well', async () => {
	await sandbox.set({ reflection: ['v1alpha'] });
	const { items } = await sandbox.run(callOf('ChainService', 'GetBlock', { number: 1 }));
	expect(items).toHaveLength(1);
});

test('an item that fails does not stop the others, when the node continues', async () => {
	const { items } = await sandbox.run(
		{ ...callOf('ChainService', 'GetBlock'), request: '={{ $json }}' },
		{
			items: [{ json: { number: 1 } }, { json: { nope: 1 } }, { json: { number: 3 } }],
			onError: 'continueRegularOutput',
		},
	);
	expect(jsonOf({ items })).toEqual([
		expect.objectContaining({ number: '1' }),
		{
			error:
				"'Request' does not fit chain.v1.GetBlockRequest: nope is not a field of chain.v1.GetBlockRequest",
			message: expect.any(String),
		},
		expect.objectContaining({ number: '3' }),
	]);
});
