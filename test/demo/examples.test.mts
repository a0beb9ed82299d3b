import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { type Received, sendJson, type Server, serve } from '../harness/server.mts';

const root = join(__dirname, '..', '..');
const address = (...path: string[]) =>
	JSON.stringify(pathToFileURL(join(root, 'demo', ...path)).href);

let n8n: Server | undefined;
afterEach(async () => await n8n?.stop());

/** What comes of an example that needs no run, and how an n8n that has its workflow so was asked to save it. */
async function imported(answer: (asked: Received) => readonly [number, unknown]) {
	const saves: string[] = [];
	n8n = await serve((received, response) => {
		const { path, request } = received;
		const isSave = path.startsWith('/rest/workflows') && request.method !== 'GET';
		if (isSave) saves.push(`${request.method} ${path}`);
		const [status, data] = path.startsWith('/rest/workflows') ? answer(received) : [200, []];
		sendJson(response, status, { data });
	});
	const script = `
		import { n8nApi } from ${address('run', 'api.mts')};
		import { runExamples } from ${address('examples', 'run.mts')};
		const api = n8nApi(${JSON.stringify(n8n.url)});
		const [result] = await runExamples({ api }, [{ file: 'chain-assistant' }]);
		console.log(JSON.stringify(result));`;
	const options = ['--import', 'tsx', '--input-type=module', '-e', script];
	const { stdout } = await promisify(execFile)(process.execPath, options, { cwd: root });
	const result = JSON.parse(stdout.trim().split('\n').at(-1)!) as Record<string, string>;
	return { ...result, saves };
}

const id = 'chain-assistant';

test('an example that n8n does not have is made', async () => {
	const answer = ({ request }: Received) =>
		request.method === 'GET' ? ([404, 'not found'] as const) : ([200, { id }] as const);
	expect(await imported(answer)).toMatchObject({
		outcome: 'imported',
		saves: ['POST /rest/workflows'],
	});
});

test('one that it has is put back', async () => {
	expect(await imported(() => [200, { id }])).toMatchObject({
		outcome: 'imported',
		saves: [`PATCH /rest/workflows/${id}`],
	});
});

test('where n8n cannot say whether it has it, it fails, and nothing is made twice', async () => {
	expect(await imported(() => [503, 'Database is not ready!'])).toMatchObject({
		outcome: 'failed',
		words: `GET /workflows/${id}: 503 {"data":"Database is not ready!"}`,
		saves: [],
	});
});
