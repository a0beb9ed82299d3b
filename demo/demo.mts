import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Api, type Login, n8nApi } from './api.mts';
import { claimData } from './claim.mjs';
import { type ChainFacts, seedChain } from './chain.mts';
import { installN8n } from './install.mjs';
import { type Installed, startN8n } from './n8nServer.mts';
import { packPackage, placePackage } from './package.mjs';
import { logFile, packageName, root, userFolder } from './paths.mjs';
import { freePort } from './ports.mts';
import { run } from './processes.mjs';
import { step } from './progress.mjs';
import { type Sandbox, startSandbox } from './sandbox.mts';
import { type Signer, startSigner } from './signer.mts';

export interface Demo {
	url: string;
	login: Login;
	api: Api;
	sandbox: Sandbox;
	signer: Signer;
	chain: ChainFacts;
	/** What n8n has printed lately. */
	log: string[];
	/** Settles when n8n or the sandbox ends without being asked to. */
	ended: Promise<unknown>;
	/** Kills n8n and starts it again with the same data. */
	crash: () => Promise<void>;
	stop: () => Promise<void>;
}

const login = { email: 'demo@example.com', password: 'Demo-Owner-1' };

/** A real n8n with the packed package in it, logged in, and the sandbox behind its credentials. */
export async function startDemo({ port }: { port?: number } = {}): Promise<Demo> {
	claimData();
	await rm(logFile, { force: true });
	const n8nPort = await freePort(port);
	const installed = (await installN8n()) as Installed;
	const backing = startBacking();
	// Whoever waits for it below learns of its failure; until then it must not end the process.
	backing.catch(() => {});
	await packPackage();
	await placePackage();
	return await step('Starting n8n and the sandbox', async () => {
		let server = await startN8n(installed, n8nPort, await freePort());
		const api = n8nApi(server.url);
		await api.logIn(login);
		await registerPackage(installed, api);
		const { sandbox, signer, chain } = await backing;
		await saveCredentials(api, sandbox);
		return {
			...{ url: server.url, login, api, sandbox, signer, chain, log: server.output },
			ended: Promise.race([server.exited, sandbox.exited]),
			crash: async () => {
				await server.kill();
				server = await startN8n(installed, n8nPort, await freePort());
			},
			stop: async () => {
				signer.close();
				await Promise.all([server.stop(), sandbox.stop()]);
			},
		};
	});
}

async function startBacking() {
	const sandbox = await startSandbox();
	return { sandbox, chain: await seedChain(sandbox), signer: await startSigner() };
}

interface NodeType {
	name: string;
	displayName: string;
	version: number;
}

/** n8n loads what lies in its folder, and lists what its database knows; the second is done here. */
async function registerPackage(installed: Installed, api: Api): Promise<void> {
	const types = await api.nodeTypes<NodeType>();
	const nodes = types
		.filter(({ name }) => name.startsWith(`${packageName}.`) && !name.endsWith('Tool'))
		.map(({ name, displayName, version }) => ({ type: name, displayName, version }));
	if (nodes.length === 0) throw new Error('n8n has not loaded the package.');
	const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as object;
	const script = join(import.meta.dirname, 'registration.mjs');
	const database = join(userFolder, '.n8n', 'database.sqlite');
	await run(installed.node, [script, database, JSON.stringify({ ...manifest, nodes })]);
}

/** Under the names that the examples refer to. */
async function saveCredentials(api: Api, sandbox: Sandbox): Promise<void> {
	const { platformUrl, nodeUrl, apiKey, authToken, username, password } = sandbox;
	const credentials = [
		['Chain Platform API', 'chainPlatformApi', { baseUrl: platformUrl, apiKey }],
		['Chain Node Token API', 'chainNodeTokenApi', { nodeUrl, authToken }],
		['Chain Node Basic Auth API', 'chainNodeBasicAuthApi', { nodeUrl, username, password }],
	] as const;
	for (const [name, type, data] of credentials) await api.saveCredential(name, type, data);
}
