import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import { computeCid, writeFileOfSize } from '../files.mts';
import type { MeasuredN8n } from '../n8n.mts';
import { measureInRounds, OURS, type Row } from '../rounds.mts';
import type { MeasuredService } from '../service.mts';
import {
	httpRequestNode,
	ourNode,
	readFileNode,
	runWorkflow,
	saveWorkflow,
	type WorkflowStep,
} from '../workflow.mts';

const MEGABYTE_BYTES = 1024 * 1024;

/** Measures the upload of a file of the given size: its time and the peak of n8n's memory. */
export async function measureUploads(
	n8n: MeasuredN8n,
	service: MeasuredService,
	{ megabytes, rounds, peaks }: { megabytes: number; rounds: number; peaks: number },
): Promise<Row[]> {
	const file = await writeFileOfSize(megabytes);
	const cid = await computeCid(megabytes);
	const url = `${service.url}/v1/ipfs/pins/pinfile`;
	const form = [
		{ name: 'bucket_id', value: 'BUCK-1' },
		{ parameterType: 'formBinaryData', name: 'file', inputDataFieldName: 'data' },
	];
	const steps: Record<string, WorkflowStep> = {
		[OURS]: ourNode(n8n, 'ipfsPin', { operation: 'upload', bucketId: 'BUCK-1' }),
		'HTTP Request, predefined': httpRequestNode(n8n, {
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
	const work = `Upload a file of ${megabytes} MB`;
	const times: Record<string, () => Promise<number>> = {};
	const highest: Record<string, () => Promise<number>> = {};
	for (const [name, step] of Object.entries(steps)) {
		const workflow = await saveWorkflow(n8n, [{}], readFileNode(file), step);
		const uploaded = async () => {
			await service.set({ cid });
			const { milliseconds } = await runWorkflow(n8n, workflow);
			const { bytes } = await service.set();
			if (bytes < megabytes * MEGABYTE_BYTES) throw new Error(`${name}: ${bytes} bytes arrived`);
			return milliseconds;
		};
		times[name] = uploaded;
		highest[name] = async () => await n8n.peak(uploaded);
	}
	times.curl = async () => await uploadWithCurl(url, file);
	const rows = [
		await measureInRounds({ work, unit: 'ms', rounds }, times),
		await measureInRounds(
			{ work: `${work}: memory over idle`, unit: 'MB', rounds: peaks },
			highest,
		),
	];
	await rm(file);
	return rows;
}

async function uploadWithCurl(url: string, file: string): Promise<number> {
	const begun = performance.now();
	const form = ['-F', 'bucket_id=BUCK-1', '-F', `file=@${file}`];
	await promisify(execFile)('curl', ['-sS', '-o', '/dev/null', ...form, url]);
	return performance.now() - begun;
}
