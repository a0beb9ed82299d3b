import { rm, writeFile } from 'node:fs/promises';
import { installN8n } from '../demo/install/install.mjs';
import { packPackages, placePackages } from '../demo/install/packages.mjs';
import { createN8nApi } from '../demo/run/api.mts';
import { type Installed, startN8n } from '../demo/run/n8nServer.mts';
import { PATIENT_SETTINGS } from '../demo/run/oneProcess.mts';
import { lockData } from '../tools/dataLock.mjs';
import { certificateFile, userFolder } from '../tools/paths.mjs';
import { findFreePort } from '../tools/ports.mts';
import { filesFolder } from './files.mts';
import { measurePeaks, findProcess } from './memory.mts';

export type MeasuredN8n = Awaited<ReturnType<typeof startMeasuredN8n>>;

const LOGIN = { email: 'bench@example.com', password: 'Bench-Owner-1' };
const AUTH_TOKEN = 'bench-token-0123456789';

/** Starts n8n as `npm start` does, with empty data and with credentials for the measured service. */
export async function startMeasuredN8n(serviceUrl: string) {
	await lockData();
	await rm(userFolder, { recursive: true, force: true });
	const installed = (await installN8n()) as Installed;
	await packPackages();
	await placePackages();
	// The empty file avoids n8n's warning about a missing certificate.
	await writeFile(certificateFile, '');
	const port = await findFreePort();
	const start = async () =>
		await startN8n(installed, port, {
			...PATIENT_SETTINGS,
			N8N_RESTRICT_FILE_ACCESS_TO: filesFolder,
		});
	let server = await start();
	const api = createN8nApi(server.url);
	await api.logIn(LOGIN);
	const save = async (name: string, type: string, data: object) => ({
		[type]: { id: await api.saveCredential(name, type, data), name },
	});
	return {
		api,
		tokenUrl: `${serviceUrl}/${AUTH_TOKEN}`,
		credentials: {
			...(await save('Node', 'chainNodeTokenApi', { nodeUrl: serviceUrl, authToken: AUTH_TOKEN })),
			...(await save('Platform', 'chainPlatformApi', { baseUrl: serviceUrl, apiKey: AUTH_TOKEN })),
			...(await save('Bearer', 'httpBearerAuth', { token: AUTH_TOKEN })),
		},
		/** Restarts n8n, and measures its memory peak during the work, in megabytes above its idle memory. */
		peak: async (work: () => Promise<unknown>) => {
			await server.stop();
			server = await start();
			const [peak = NaN] = await measurePeaks([await findProcess(installed.script)], work);
			return peak;
		},
		stop: async () => await server.stop(),
	};
}
