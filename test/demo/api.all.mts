import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import {
	type ReceivedRequest,
	sendJson,
	type TestServer,
	startServer,
} from '../harness/server.mts';

const root = join(__dirname, '..', '..');
const address = (...path: string[]) =>
	JSON.stringify(pathToFileURL(join(root, 'demo', ...path)).href);

let n8n: TestServer | undefined;
afterEach(async () => await n8n?.stop());

type Answer = (asked: ReceivedRequest) => readonly [status: number, data: unknown];

/**
 * Runs a script that uses the client of n8n's API. A fake n8n gives the given answer. Returns what the script prints.
 */
async function printed(answer: Answer, script: string): Promise<unknown> {
	n8n = await startServer((received, response) => {
		const [status, data] = answer(received);
		sendJson(response, status, { data });
	});
	const whole = `
		import { createN8nApi } from ${address('run', 'api.mts')};
		import { runExamples } from ${address('examples', 'run.mts')};
		const api = createN8nApi(${JSON.stringify(n8n.url)});
		${script}`;
	const options = ['--import', 'tsx', '--input-type=module', '-e', whole];
	const { stdout } = await promisify(execFile)(process.execPath, options, { cwd: root });
	return JSON.parse(stdout.trim().split('\n').at(-1)!);
}

test.each([
	['made', 404, 'POST'],
	['put back', 200, 'PATCH'],
])(
	'a workflow without pinned data is %s with none, which is not null',
	async (_, status, method) => {
		const answer: Answer = ({ request }) => [request.method === 'GET' ? status : 200, { id: 'a' }];
		const workflow = "{ id: 'a', name: 'A', nodes: [], connections: {} }";
		await printed(answer, `console.log(JSON.stringify(await api.saveWorkflow(${workflow})));`);
		const saved = n8n!.received.find(({ request }) => request.method === method);
		expect(saved?.json).toMatchObject({ id: 'a', pinData: {} });
	},
);

describe('an example', () => {
	const id = 'chain-assistant';

	/**
	 * Imports an example into a fake n8n that gives the given answer. Returns the outcome and the requests to save the
	 * example.
	 */
	async function imported(answer: Answer) {
		const script = `
			const [result] = await runExamples({ api }, [{ file: '${id}' }]);
			console.log(JSON.stringify(result));`;
		const isOfWorkflows = ({ path }: ReceivedRequest) => path.startsWith('/rest/workflows');
		const result = await printed((one) => (isOfWorkflows(one) ? answer(one) : [200, []]), script);
		const asked = n8n!.received.filter(isOfWorkflows);
		const saves = asked.filter(({ request }) => request.method !== 'GET');
		return { result, saves: saves.map(({ path, request }) => `${request.method} ${path}`) };
	}

	test('that n8n does not have is made', async () => {
		const isKnown = ({ request }: ReceivedRequest) => request.method !== 'GET';
		expect(await imported((one) => (isKnown(one) ? [200, { id }] : [404, 'gone']))).toMatchObject({
			result: { outcome: 'imported' },
			saves: ['POST /rest/workflows'],
		});
	});

	test('that it has is put back', async () => {
		expect(await imported(() => [200, { id }])).toMatchObject({
			result: { outcome: 'imported' },
			saves: [`PATCH /rest/workflows/${id}`],
		});
	});

	test('of which it cannot say whether it has it fails, and is not made twice', async () => {
		const words = `GET /rest/workflows/${id}: 503 {"data":"Database is not ready!"}`;
		expect(await imported(() => [503, 'Database is not ready!'])).toMatchObject({
			result: { outcome: 'failed', message: words },
			saves: [],
		});
	});
});

test.each([
	[401, 'UserError: n8n refuses the login me@example.com with the password Two-2'],
	[503, 'Refusal: POST /rest/login: 503 {"data":"no"}'],
])('a login that n8n answers with %d', async (status, words) => {
	const userManagement = { showSetupOnFirstLoad: false };
	const answer: Answer = ({ path }) =>
		path === '/rest/login' ? [status, 'no'] : [200, { userManagement }];
	const script = `
		const format = ({ constructor, message }) => constructor.name + ': ' + message;
		const login = { email: 'me@example.com', password: 'Two-2' };
		console.log(JSON.stringify(await api.logIn(login).catch(format)));`;
	expect(await printed(answer, script)).toMatch(words);
});
