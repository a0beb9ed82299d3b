import { execFile } from 'node:child_process';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { filesFolder, type N8n } from '../n8n.mts';
import { inRounds, type Row } from '../rounds.mts';
import type { Service } from '../service.mts';
import { httpRequest, ours, run, save, type Step } from '../workflow.mts';

const MEGABYTE = 1024 * 1024;

/** A file of so many megabytes: how long it takes, and how much memory n8n takes at its peak. */
export async function uploads(
	n8n: N8n,
	service: Service,
	{ megabytes, rounds, peaks }: { megabytes: number; rounds: number; peaks: number },
): Promise<Row[]> {
	const file = await written(megabytes);
	const read = {
		name: 'Read File',
		type: 'n8n-nodes-base.readWriteFile',
		typeVersion: 1,
		parameters: { operation: 'read', fileSelector: file, options: {} },
	};
	const url = `${service.url}/v1/ipfs/pins/pinfile`;
	const form = [
		{ name: 'bucket_id', value: 'BUCK-1' },
		{ parameterType: 'formBinaryData', name: 'file', inputDataFieldName: 'data' },
	];
	const steps: Record<string, Step> = {
		ours: ours(n8n, 'ipfsPin', { operation: 'upload', bucketId: 'BUCK-1' }),
		'HTTP Request, predefined': httpRequest(n8n, {
			method: 'POST',
			url,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'chainPlatformApi',
			sendBody: true,
			contentType: 'multipart-form-data',
			bodyParameters: { parameters: form },
			options: { timeout: 600_000 },
		}),
	};
	const work = `A file of ${megabytes} MB`;
	const times: Record<string, () => Promise<number>> = {};
	const highest: Record<string, () => Promise<number>> = {};
	for (const [name, step] of Object.entries(steps)) {
		const workflow = await save(n8n, [{}], read, step);
		const uploaded = async () => {
			await service.set();
			const { milliseconds } = await run(n8n, workflow);
			const { bytes } = await service.set();
			if (bytes < megabytes * MEGABYTE) throw new Error(`${name}: ${bytes} bytes arrived`);
			return milliseconds;
		};
		times[name] = uploaded;
		highest[name] = async () => await n8n.peak(uploaded);
	}
	times.curl = async () => await withCurl(url, file);
	const rows = [
		await inRounds({ work, unit: 'ms', rounds }, times),
		await inRounds({ work: `${work}: memory over idle`, unit: 'MB', rounds: peaks }, highest),
	];
	await rm(file);
	return rows;
}

async function written(megabytes: number): Promise<string> {
	await mkdir(filesFolder, { recursive: true });
	const file = join(filesFolder, `${megabytes}.bin`);
	const handle = await open(file, 'w');
	const piece = Buffer.alloc(MEGABYTE, 'n8n');
	for (let count = 0; count < megabytes; count++) await handle.write(piece);
	await handle.close();
	return file;
}

async function withCurl(url: string, file: string): Promise<number> {
	const begun = performance.now();
	const form = ['-F', 'bucket_id=BUCK-1', '-F', `file=@${file}`];
	await promisify(execFile)('curl', ['-sS', '-o', '/dev/null', ...form, url]);
	return performance.now() - begun;
}
