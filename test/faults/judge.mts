import type { IDataObject } from 'n8n-workflow';
import type { NodeResult } from '../harness/engine.mts';
import { SECRET } from '../harness/server.mts';
import { VICTIM, type Met } from './cell.mts';
import type { Fault, Outcome } from './fault.mts';
import { countRequests, items, type Operation } from './operation.mts';

const DOUBT = /may still have been carried out/;
/**
 * The highest number of requests for a call without an answer. The call is repeated in batches and alone, but not
 * endlessly.
 */
const MOST_REQUESTS = 16;

const wrong = (what: string, isWrong: boolean) => (isWrong ? [what] : []);

/** Describes the mistakes in the outcome of a fault. The list is empty if there are none. */
export function faultsIn(operation: Operation, fault: Fault, met: Met): string[] {
	const { result, carriedOut, late } = met;
	return [
		...(fault.then === 'stopped' ? stopped(result) : judgeOutcome(operation, fault, met)),
		...wrong(
			`carried out ${carriedOut.join(', ')} times`,
			operation.travels.startsWith('once') && carriedOut.some((times) => times > 1),
		),
		...wrong(`${late} requests set out too late`, late > 0),
		...wrong('a secret is shown', JSON.stringify([result.items, result.error]).includes(SECRET)),
	];
}

function stopped({ status }: NodeResult): string[] {
	return wrong(`the execution is ${status}`, status !== 'canceled');
}

function judgeOutcome(operation: Operation, fault: Fault, { result, requests }: Met): string[] {
	const { travels, sharesRequests } = operation;
	const then = fault.then as Exclude<Fault['then'], string>;
	const expected = then[travels] ?? then.else;
	const outputs = items.map((_, item) => outputOf(result, item));
	const victim = outputs[VICTIM];
	const seen = requests[VICTIM] ?? 0;
	const wanted = fault.requests?.[travels];
	const sent = countRequests(operation);
	const areOthersSpared =
		!sharesRequests && (!fault.isShared || (travels !== 'batched' && !fault.instead));
	return [
		...wrong(
			`it is ${outcomeOf(victim)}, not ${expected}: ${words(victim)}`,
			outcomeOf(victim) !== expected,
		),
		...wrong(
			`the words are ${words(victim)}`,
			expected !== 'good' && fault.words !== undefined && !fault.words.test(words(victim)),
		),
		...wrong(
			`it was in ${seen} requests, not ${wanted} for each of ${sent}`,
			wanted !== undefined && (seen < wanted || seen > wanted * sent),
		),
		...wrong(`it was in ${seen} requests`, (seen < 1 && !fault.instead) || seen > MOST_REQUESTS),
		...outputs.flatMap((output, item) =>
			wrong(
				`item ${item} suffers: ${words(output)}`,
				item !== VICTIM && areOthersSpared && outcomeOf(output) !== 'good',
			),
		),
		...wrong(`${result.items.length} items came`, result.items.length !== items.length),
		...wrong(`the node failed: ${result.error?.message}`, result.error !== undefined),
	];
}

function outputOf({ items: found }: NodeResult, item: number): IDataObject | undefined {
	return found.find(({ pairedItem }) => (pairedItem as { item?: number })?.item === item)?.json;
}

function outcomeOf(json: IDataObject | undefined): Outcome | 'missing' {
	if (!json) return 'missing';
	if (json.error === undefined) return 'good';
	return DOUBT.test(words(json)) ? 'unclear' : 'fails';
}

function words(json: IDataObject | undefined): string {
	return [json?.error, json?.message].filter(Boolean).join(' ');
}
