import { rm, writeFile } from 'node:fs/promises';
import { type Api, type Login, n8nApi } from './api.mts';
import { claimData } from '../tools/claim.mjs';
import { saveCredentials } from './credentials.mts';
import { type ChainFacts, seedChain } from '../service/chain.mts';
import { installN8n } from '../install/install.mjs';
import { type Installed, startN8n } from './n8nServer.mts';
import { packages, packPackages, placePackages } from '../install/packages.mjs';
import { certificateFile, logFile } from '../tools/paths.mjs';
import { freePort } from '../tools/ports.mts';
import { step } from '../tools/progress.mjs';
import { registerPackage } from './register.mts';
import { type Sandbox, startSandbox } from '../service/sandbox.mts';
import { type Signer, startSigner } from '../service/signer.mts';

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

/** A real n8n with the packed packages in it, logged in, and the sandbox behind its credentials. */
export async function startDemo({ port }: { port?: number } = {}): Promise<Demo> {
	claimData();
	await rm(logFile, { force: true });
	const n8nPort = await freePort(port);
	const installed = (await installN8n()) as Installed;
	const backing = startBacking();
	// Whoever waits for it below learns of its failure; until then it must not end the process.
	backing.catch(() => {});
	await packPackages();
	await placePackages();
	return await step('start', 'Starting n8n and the sandbox', async () => {
		const { sandbox, signer, chain } = await backing;
		await writeFile(certificateFile, sandbox.grpcCertificate);
		let server = await startN8n(installed, n8nPort, await freePort());
		const api = n8nApi(server.url);
		await api.logIn(login);
		for (const { manifest } of packages) await registerPackage(installed, api, manifest);
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
