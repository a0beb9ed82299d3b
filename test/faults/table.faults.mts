import { mapInParallel } from '../../nodes/core/net/pacing/concurrency';
import { figure } from '../harness/figure.mts';
import { meet } from './cell.mts';
import type { Fault } from './fault.mts';
import { faults } from './faults/all.mts';
import { large } from './faults/answers.mts';
import { faultsIn } from './judge.mts';
import { operations, type Operation } from './operation.mts';

/** This file tests each operation with each fault. The fault says what must happen. */

/** The number of tests of an operation that run at the same time. */
const AT_ONCE = 24;

const failed: string[] = [];
let all = 0;

afterAll(() => {
	figure(`\n${all - failed.length} of ${all} cells held`);
	for (const cell of failed) figure(`did not hold: ${cell}`);
});

const meets = ({ travels, takesAny, takesNothing }: Operation, { only, isJson, isEmpty }: Fault) =>
	(only?.includes(travels) ?? true) && !(takesAny && isJson) && !(takesNothing && isEmpty);

async function hold(operation: Operation, met: readonly Fault[]): Promise<string[]> {
	const cells = await mapInParallel(met.length, AT_ONCE, async (index) => {
		const fault = met[index] as Fault;
		const wrong = faultsIn(operation, fault, await meet(operation, fault));
		return wrong.map((what) => `${fault.name}: ${what}`);
	});
	const wrong = cells.filter(({ length }) => length > 0);
	all += met.length;
	failed.push(...wrong.map((cell) => `${operation.name}, ${cell.join('; ')}`));
	const good = met.length - wrong.length;
	figure(`${operation.name.padEnd(52)} ${operation.travels.padEnd(12)} ${good} of ${met.length}`);
	return wrong.flat();
}

test.concurrent.each(operations.map((operation) => [operation.name, operation] as const))(
	'%s',
	async (_, operation) => {
		const met = faults.filter((fault) => meets(operation, fault));
		expect(await hold(operation, met)).toEqual([]);
	},
);

/** The test takes one operation for each way of sending requests. */
const ways = ['batched', 'rest', 'once', 'onceOverRpc'] as const;

test.each(ways)('an answer of 64 MB, to what travels %s', async (travels) => {
	const operation = operations.find((one) => one.travels === travels) as Operation;
	expect(await hold(operation, [large])).toEqual([]);
});
