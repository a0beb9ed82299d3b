import type { NodeResult } from '../../harness/engine.mts';
import { SECRET } from '../../harness/server.mts';
import type { Report } from './service.mts';

interface Account {
	readonly answered: number;
	readonly failed: number;
	/** The number of failed items that may have been carried out. */
	readonly unclear: number;
	readonly wrong: readonly string[];
}

const DOUBT = /may still have been carried out/;

/** Checks that every item was answered or failed exactly once, and that the record of the service agrees. */
export function accountOf(
	{ items, error }: NodeResult,
	{ carriedOut }: Report,
	isOnce: boolean,
): Account {
	const outcomes = carriedOut.map(() => [] as string[]);
	for (const { json, pairedItem } of items) {
		const { item } = pairedItem as { item: number };
		const words = `${String(json.error)} ${String(json.message)}`;
		const failure = DOUBT.test(words) ? 'unclear' : 'failed';
		outcomes[item]?.push(json.error === undefined ? 'answered' : failure);
	}
	const count = (what: string) => outcomes.filter(([outcome]) => outcome === what).length;
	const where = (isWrong: (outcome: string | undefined, times: number) => boolean) =>
		outcomes.filter(([outcome], item) => isWrong(outcome, carriedOut[item] ?? 0)).length;
	const wrong = {
		'items without an outcome': outcomes.filter(({ length }) => length === 0).length,
		'items with several outcomes': outcomes.filter(({ length }) => length > 1).length,
		'items answered, and not carried out': isOnce
			? where((is, times) => is === 'answered' && times === 0)
			: 0,
		'items carried out twice': isOnce ? where((_, times) => times > 1) : 0,
		'items carried out, and reported as failed': isOnce
			? where((is, times) => is === 'failed' && times > 0)
			: 0,
		'failures of the node': error ? 1 : 0,
		'echoes of the secret': items.filter((item) => JSON.stringify(item).includes(SECRET)).length,
	};
	return {
		answered: count('answered'),
		failed: count('failed') + count('unclear'),
		unclear: count('unclear'),
		wrong: Object.entries(wrong).flatMap(([what, times]) =>
			times > 0 ? [`${times} ${what}`] : [],
		),
	};
}
