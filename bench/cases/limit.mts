import type { N8n } from '../n8n.mts';
import { inRounds, replayed, type Row } from '../rounds.mts';
import type { Service } from '../service.mts';
import { authentications, httpRequest, ours, run, save, type Step } from '../workflow.mts';

const READS = 300;
const PER_SECOND = 25;
/** The first calls go at once. */
const IDEAL = (READS / PER_SECOND - 1) * 1000;

/** Reads at a node that allows so many calls a second: the time over the ideal, what was refused, what failed. */
export async function limit(n8n: N8n, service: Service, rounds: number): Promise<Row[]> {
	const items = Array.from({ length: READS }, (_, index) => ({ block: index + 1 }));
	const block = { resource: 'block', operation: 'get', block: '={{ $json.block }}' };
	const jsonBody =
		'={ "jsonrpc": "2.0", "method": "eth_getBlockByNumber", "params": ["{{ \'0x\' + $json.block.toString(16) }}", false], "id": 1 }';
	const steps: Record<string, Step> = {
		ours: ours(n8n, 'evmRpc', block),
		// As the documentation of n8n advises for limits: so many items, then a pause.
		'HTTP Request, batching': httpRequest(n8n, {
			...{
				method: 'POST',
				url: `${service.url}/evm`,
				sendBody: true,
				specifyBody: 'json',
				jsonBody,
			},
			...authentications.predefined,
			options: { batching: { batch: { batchSize: PER_SECOND, batchInterval: 1000 } } },
		}),
	};
	const refused: Record<string, number[]> = {};
	const failed: Record<string, number[]> = {};
	const contenders: Record<string, () => Promise<number>> = {};
	for (const [name, step] of Object.entries(steps)) {
		const workflow = await save(n8n, items, step);
		contenders[name] = async () => {
			await service.set({ perSecond: PER_SECOND });
			const result = await run(n8n, workflow);
			(refused[name] ??= []).push((await service.set()).refused);
			(failed[name] ??= []).push(result.failed);
			return result.milliseconds / IDEAL;
		};
	}
	const work = `${READS} reads at ${PER_SECOND} calls a second`;
	return [
		await inRounds({ work, unit: 'times the ideal', rounds }, contenders),
		await inRounds({ work: `${work}: calls refused`, unit: '', rounds }, replayed(refused)),
		await inRounds({ work: `${work}: items failed`, unit: '', rounds }, replayed(failed)),
	];
}
