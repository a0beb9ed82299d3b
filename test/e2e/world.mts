import { isQueue, past, screenshots } from './folder.mts';
import { rm } from 'node:fs/promises';
import { after, before } from 'node:test';
import { createQueueEngine } from '../../demo/queue/queueMode.mts';
import { startDemo, type Demo } from '../../demo/run/demo.mts';
import { oneProcess } from '../../demo/run/oneProcess.mts';
import { stopPrograms } from '../../tools/processes.mjs';
import { placeStranger } from './stranger.mts';

export type CredentialType = keyof typeof NAMES;

const NAMES = {
	chainPlatformApi: 'Chain Platform API',
	chainNodeTokenApi: 'Chain Node Token API',
	chainNodeBasicAuthApi: 'Chain Node Basic Auth API',
	chainNodeXTokenApi: 'Chain Node X-Token API',
	chainSignerDepositsApi: 'Chain Signer Deposits API',
	chainSignerKeyApi: 'Chain Signer Key API',
	chainSignerRemoteApi: 'Chain Signer Remote API',
	chainSignerStarkApi: 'Chain Signer STARK API',
	chainSignerTonApi: 'Chain Signer TON API',
};

/**
 * The settings that make n8n notice dead workers, and polls whose end it could not store, within seconds instead of a
 * minute.
 */
const WATCHFUL = {
	QUEUE_WORKER_LOCK_DURATION: '10000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '5000',
	N8N_SCHEDULER_LEASE_DURATION: '20',
	N8N_SCHEDULER_REAPER_INTERVAL: '5',
};

/**
 * The n8n and the sandbox that all tests share. n8n begins with empty data. A test file gets both by importing this
 * module.
 */
export let demo: Demo;
let ids: Map<string, string>;

before(
	async () => {
		const old = isQueue ? past : [...past, screenshots];
		for (const folder of old) await rm(folder, { recursive: true, force: true });
		await placeStranger();
		demo = await startDemo({ engine: isQueue ? createQueueEngine(WATCHFUL) : oneProcess });
		const saved = await demo.api.ask<Array<{ id: string; name: string }>>('GET', '/credentials');
		ids = new Map(saved.map(({ id, name }) => [name, id]));
	},
	{ timeout: 900_000 },
);

after(async () => {
	await demo?.stop();
	await stopPrograms();
});

/** Returns the demo's credential of a type in the form in which nodes refer to it. */
export function credential(type: CredentialType): { id: string; name: string } {
	const name = NAMES[type];
	return { id: ids.get(name) ?? '', name };
}

export interface Seen {
	room: string;
	path: string;
	url: string;
	status: number | null;
	headers: Record<string, string>;
	body: unknown;
}

/** Sends a request to the sandbox's control server, which changes settings and returns the recorded requests. */
export async function control<T = unknown>(method: string, path: string, body?: object) {
	const answer = await fetch(demo.sandbox.controlUrl + path, {
		method,
		headers: body && { 'content-type': 'application/json' },
		body: body && JSON.stringify(body),
	});
	const text = await answer.text();
	if (!answer.ok) throw new Error(`${method} ${path}: ${text}`);
	return JSON.parse(text || 'null') as T;
}

/** Reads a balance in wei directly from the chain. */
export async function balanceOf(address: string): Promise<string> {
	return String(BigInt(String(await demo.sandbox.chain('eth_getBalance', address, 'latest'))));
}

/** Returns all secrets, in each spelling. They may be visible only in requests to the service. */
export function secrets(): string[] {
	const { apiKey, authToken, username, password, xToken } = demo.sandbox;
	const pair = Buffer.from(`${username}:${password}`).toString('base64');
	return [apiKey, authToken, password, pair, xToken];
}
