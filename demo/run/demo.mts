import { writeFile } from 'node:fs/promises';
import { type Api, type Login, createN8nApi } from './api.mts';
import { lockData } from '../../tools/dataLock.mjs';
import { saveCredentials } from './credentials.mts';
import { type ChainFacts, seedChain } from '../service/chain.mts';
import { installN8n } from '../install/install.mjs';
import type { Installed } from './n8nServer.mts';
import { type Engine, oneProcess, type RunningN8n } from './oneProcess.mts';
import { packages, packPackages, placePackages } from '../install/packages.mjs';
import { certificateFile } from '../../tools/paths.mjs';
import { findFreePort } from '../../tools/ports.mts';
import { runStep } from '../../tools/progress.mjs';
import { registerPackage } from './register.mts';
import { type Sandbox, startSandbox } from '../service/sandbox.mts';
import { type Signer, startSigner } from '../service/signer.mts';
import { bringStarkToPresent } from '../service/stark.mts';
import { seedTon, type TonFacts } from '../service/ton.mts';

export interface Demo {
	url: string;
	n8n: RunningN8n;
	login: Login;
	api: Api;
	sandbox: Sandbox;
	signer: Signer;
	chain: ChainFacts;
	ton: TonFacts;
	/** Settles if n8n or the sandbox ends unexpectedly. */
	ended: Promise<unknown>;
	/** Kills n8n's main process and starts it again with the same data. */
	crash: () => Promise<void>;
	stop: () => Promise<void>;
}

interface Settings {
	port?: number;
	engine?: Engine;
	/** The promise of an n8n installation that has already begun. */
	installing?: Promise<Installed>;
}

const LOGIN = { email: 'demo@example.com', password: 'Demo-Owner-1' };

/** Starts a real n8n with the packed packages and logs in. Its credentials lead to the sandbox. */
export async function startDemo({
	port,
	engine = oneProcess,
	installing = installN8n(),
}: Settings = {}): Promise<Demo> {
	await lockData();
	const n8nPort = await findFreePort(port);
	const installed = await installing;
	const backing = startServices();
	// A failure of the services is reported where `backing` is awaited. Without this handler, it would end the process.
	backing.catch(() => {});
	await packPackages();
	await placePackages();
	return await runStep('start', 'Starting n8n and the sandbox', async () => {
		const { sandbox, signer, chain, ton } = await backing;
		await writeFile(certificateFile, sandbox.grpcCertificate);
		const n8n = await engine(installed, n8nPort);
		const { url } = n8n.main;
		const api = createN8nApi(url);
		await api.logIn(LOGIN);
		for (const { manifest } of packages) await registerPackage(n8n, api, manifest);
		await saveCredentials(api, sandbox, chain);
		return {
			url,
			n8n,
			login: LOGIN,
			api,
			sandbox,
			signer,
			chain,
			ton,
			ended: Promise.race([n8n.ended, sandbox.exited]),
			crash: async () => {
				await n8n.main.kill();
				await n8n.main.start();
			},
			stop: async () => {
				signer.close();
				await Promise.all([n8n.stop(), sandbox.stop()]);
			},
		};
	});
}

async function startServices() {
	const sandbox = await startSandbox();
	await bringStarkToPresent(sandbox);
	return {
		sandbox,
		chain: await seedChain(sandbox),
		ton: await seedTon(sandbox),
		signer: await startSigner(),
	};
}
