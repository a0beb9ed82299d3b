import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fetchFromN8n } from '../../demo/run/session.mts';
import type { Access } from '../cases/case.mts';
import { signVote } from '../cases/witnessWallet.mts';
import { buildScene } from '../e2e/scene.mts';
import { node, ours, save, TESTED, to, type Parameters } from '../e2e/workflows.mts';
import { control, demo } from '../e2e/world.mts';
import { rows } from './database.mts';

/** An action that must happen at most once. A request to a webhook starts the workflow that does it. */
export interface Spending {
	name: string;
	workflowId: string;
	/** The path of the service that receives the action. */
	request: { room: string; path: string };
	/** Returns an action that has not been requested before. */
	next: () => Promise<object>;
}

const HOOK = 'Webhook';
/** The delay of answers in milliseconds while a process is killed. */
const SLOW = 5000;
const PATIENCE = 60_000;
const LAST_LOOK = 15_000;

const bytes = (count: number) => randomBytes(count).toString('hex');

export async function spendings(): Promise<Spending[]> {
	const json = '={{ JSON.stringify($json.body) }}';
	const faucet = { operation: 'request', chain: 'hoodi', address: '={{ $json.body.address }}' };
	const pin = { operation: 'uploadJson', bucketId: 'BUCK-1', fileName: 'made.json', json };
	const broadcast = { operation: 'broadcast', transaction: json };
	return [
		{
			...(await workflow('faucet', 'platform', faucet)),
			request: { room: 'platform', path: '/v1/faucet/hoodi' },
			next: async () => ({ address: `0x${bytes(20)}` }),
		},
		{
			...(await workflow('ipfsPin', 'platform', pin)),
			request: { room: 'platform', path: '/v1/ipfs/pins/pinfile' },
			next: async () => ({ made: bytes(8) }),
		},
		{
			...(await workflow('witnessWallet', 'token', broadcast)),
			request: { room: 'node', path: '/wallet/broadcasttransaction' },
			next: async () => JSON.parse(await signVote(await buildScene('token'))) as object,
		},
	];
}

async function workflow(type: string, access: Access, parameters: Parameters) {
	const post = { httpMethod: 'POST', path: type };
	const more = { webhookId: randomUUID(), typeVersion: 2 };
	const hook = node(HOOK, 'n8n-nodes-base.webhook', post, more);
	const nodes = [hook, ours(type, access, parameters)];
	const workflowId = await save({ nodes, connections: { [HOOK]: to(TESTED) } });
	await demo.api.activate(workflowId);
	return { name: type, workflowId };
}

/** Starts each action once. It returns when the service has received every request and has answered none of them. */
export async function beginAll(all: readonly Spending[]): Promise<void> {
	const before = await requestsOf(all);
	for (const { request } of all) {
		const { room, path } = request;
		const rule = { room, path: `^${path}$`, times: 1, do: { delay: SLOW } };
		await control('POST', '/faults', rule);
	}
	const bodies = await Promise.all(all.map(async ({ next }) => await next()));
	await Promise.all(all.map(async ({ name }, index) => await begin(name, bodies[index])));
	for (const deadline = Date.now() + PATIENCE; ; await sleep(100)) {
		const now = await requestsOf(all);
		if (now.every((count, index) => count > (before[index] ?? 0))) return;
		assert.ok(Date.now() < deadline, `the service has seen ${now.join(', ')} requests`);
	}
}

async function begin(name: string, body: object | undefined): Promise<void> {
	const answer = await fetchFromN8n(`${demo.url}/webhook/${name}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
	assert.equal(answer.status, 200, await answer.text());
}

/** Counts the requests that the service received for each action. */
export async function requestsOf(all: readonly Spending[]): Promise<number[]> {
	const count = async ({ request }: Spending) => {
		const query = String(new URLSearchParams(request));
		return (await control<{ requests: number }>('GET', `/record/count?${query}`)).requests;
	};
	return await Promise.all(all.map(count));
}

/**
 * Returns the outcome of each workflow's latest execution. After a failure of its database, n8n may leave an execution
 * unfinished for hours.
 */
export async function endsOf(all: readonly Spending[]): Promise<string[]> {
	for (const deadline = Date.now() + LAST_LOOK; ; await sleep(500)) {
		const found = await rows<{ workflowId: string; status: string }>(
			`SELECT DISTINCT ON ("workflowId") "workflowId", status FROM execution_entity
			ORDER BY "workflowId", id DESC`,
		);
		const statuses = new Map(found.map(({ workflowId, status }) => [workflowId, status]));
		const ends = all.map(({ workflowId }) => String(statuses.get(workflowId)));
		const areOver = ends.every((one) => !['new', 'running'].includes(one));
		if (areOver || Date.now() > deadline) return ends;
	}
}
