import type { MeasuredN8n } from '../n8n.mts';
import { measureInRounds, OURS, replayValues, type Row } from '../rounds.mts';
import type { MeasuredService } from '../service.mts';
import {
	authentications,
	httpRequestNode,
	ourNode,
	runWorkflow,
	saveWorkflow,
	type WorkflowStep,
} from '../workflow.mts';

const READ_COUNT = 300;
const CALLS_PER_SECOND = 25;
/** The shortest possible time. The calls of the first second are sent at once, so they need no time. */
const IDEAL_MS = (READ_COUNT / CALLS_PER_SECOND - 1) * 1000;

/**
 * Measures reads at a node with a rate limit: the time in relation to the ideal time, and the refused and failed calls.
 */
export async function measureLimit(
	n8n: MeasuredN8n,
	service: MeasuredService,
	rounds: number,
): Promise<Row[]> {
	const items = Array.from({ length: READ_COUNT }, (_, index) => ({ block: index + 1 }));
	const block = { resource: 'block', operation: 'get', block: '={{ $json.block }}' };
	const jsonBody =
		'={ "jsonrpc": "2.0", "method": "eth_getBlockByNumber", "params": ["{{ \'0x\' + $json.block.toString(16) }}", false], "id": 1 }';
	const steps: Record<string, WorkflowStep> = {
		[OURS]: ourNode(n8n, 'evmRpc', block),
		// The workflow follows the advice of n8n's documentation on rate limits: it sends a batch of items, then pauses.
		'HTTP Request, batching': httpRequestNode(n8n, {
			method: 'POST',
			url: `${service.url}/evm`,
			sendBody: true,
			specifyBody: 'json',
			jsonBody,
			...authentications.predefined,
			options: { batching: { batch: { batchSize: CALLS_PER_SECOND, batchInterval: 1000 } } },
		}),
	};
	const refused: Record<string, number[]> = {};
	const failed: Record<string, number[]> = {};
	const contenders: Record<string, () => Promise<number>> = {};
	for (const [name, step] of Object.entries(steps)) {
		const workflow = await saveWorkflow(n8n, items, step);
		contenders[name] = async () => {
			await service.set({ perSecond: CALLS_PER_SECOND });
			const result = await runWorkflow(n8n, workflow);
			(refused[name] ??= []).push((await service.set()).refused);
			(failed[name] ??= []).push(result.failed);
			return result.milliseconds / IDEAL_MS;
		};
	}
	const work = `Read ${READ_COUNT} blocks at ${CALLS_PER_SECOND} calls a second`;
	return [
		await measureInRounds({ work, unit: 'times the ideal', rounds }, contenders),
		await measureInRounds(
			{ work: `${work}: calls refused`, unit: '', rounds },
			replayValues(refused),
		),
		await measureInRounds(
			{ work: `${work}: items failed`, unit: '', rounds },
			replayValues(failed),
		),
	];
}
