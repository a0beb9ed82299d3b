import type { INodeParameters } from 'n8n-workflow';
import { Trace } from '../../nodes/Trace/Trace.node';
import { runNode } from '../harness/engine.mts';
import { answerCalls, startServer, type TestServer } from '../harness/server.mts';

interface Page {
	readonly after?: number;
	readonly count: number;
}

const traces = Array.from({ length: 250 }, (_, index) => ({
	action: {},
	blockNumber: index,
	traceAddress: [],
}));

let server: TestServer;
let read: (page: Page) => unknown[];

beforeAll(async () => {
	server = await startServer((received, response) =>
		answerCalls(received, response, ({ params }) => ({ result: read(params[0] as Page) })),
	);
});
afterAll(async () => await server.stop());
beforeEach(() => server.received.splice(0));

async function filter(parameters: INodeParameters) {
	return await runNode({
		node: new Trace(),
		parameters: { operation: 'filter', simplify: false, ...parameters },
		credentials: server.credentials.token ?? {},
	});
}

const blocks = (items: ReadonlyArray<{ json: { blockNumber?: unknown } }>) =>
	items.map(({ json }) => json.blockNumber);
const expected = (count: number) => Array.from({ length: count }, (_, index) => index);

test.each([1, 7, 100, 249, 250, 1000])(
	'a node that gives %p traces at a time, whatever is asked, loses none and gives none twice',
	async (cap) => {
		read = ({ after = 0, count }) => traces.slice(after, after + Math.min(count, cap));
		const { items } = await filter({ returnAll: true });
		expect(blocks(items)).toEqual(expected(250));
		expect(server.received).toHaveLength(Math.ceil(250 / cap) + 1);
	},
);

test('a limit ends the reading as soon as it is reached', async () => {
	read = ({ after = 0, count }) => traces.slice(after, after + Math.min(count, 20));
	const { items } = await filter({ limit: 50 });
	expect(blocks(items)).toEqual(expected(50));
	expect(server.received).toHaveLength(3);
});

test('a node that knows no pages gives its whole list once', async () => {
	read = () => traces;
	expect(blocks((await filter({ returnAll: true })).items)).toEqual(expected(250));
	expect(server.received).toHaveLength(2);
	expect(blocks((await filter({ limit: 20 })).items)).toEqual(expected(20));
});

test('a node that gives a full page again and again fails, because there may be more', async () => {
	read = ({ count }) => traces.slice(0, count);
	const { error, items } = await filter({ returnAll: true, options: { pageSize: 50 } });
	expect(error?.message).toBe('The service returned the same page twice');
	expect(items).toEqual([]);
});

test('an error among the traces is no trace: the list is incomplete', async () => {
	read = () => [
		traces[0],
		{ error: { code: -32000, message: 'execution aborted (timeout = 5s)' } },
	];
	const { error } = await filter({ returnAll: true });
	expect(error?.message).toBe('execution aborted (timeout = 5s)');
	expect(error?.description).toMatch(/broke off .* after 1 /);
});

test('a trace that failed is one all the same', async () => {
	read = ({ after = 0 }) => (after > 0 ? [] : [{ ...traces[0], error: 'Reverted' }]);
	expect((await filter({})).items.map(({ json }) => json.error)).toEqual(['Reverted']);
});
