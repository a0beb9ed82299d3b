import { figure } from '../figures/figure.mts';
import { inParallel } from '../../nodes/core/pacing/inParallel';
import { faultsIn } from './cell.mts';
import { faults, large, type Fault } from './faults.mts';
import { operations, type Operation } from './operations.mts';

/** Operations by faults: what must happen in each cell, and that it does. */

/** So many wait at the same time: most of a cell is waiting. */
const AT_ONCE = 24;

let held = 0;
let all = 0;

afterAll(() => figure(`\n${held} of ${all} cells held`));

const meets = ({ travels }: Operation, { only }: Fault) => only?.includes(travels) ?? true;

async function hold(operation: Operation, met: readonly Fault[]): Promise<string[]> {
	const wrong = await inParallel(met.length, AT_ONCE, async (index) => {
		const fault = met[index] as Fault;
		const found = await faultsIn(operation, fault);
		return found.map((what) => `${fault.name}: ${what}`);
	});
	const good = wrong.filter(({ length }) => length === 0).length;
	held += good;
	all += met.length;
	figure(`${operation.name.padEnd(40)} ${operation.travels.padEnd(12)} ${good} of ${met.length}`);
	return wrong.flat();
}

test.each(operations.map((operation) => [operation.name, operation] as const))(
	'%s',
	async (_, operation) => {
		const met = faults.filter((fault) => meets(operation, fault));
		expect(await hold(operation, met)).toEqual([]);
	},
);

/** One for each way to travel. */
const ways = ['batched', 'rest', 'once', 'onceOverRpc'] as const;

test.each(ways)('an answer of 64 MB, to what travels %s', async (travels) => {
	const operation = operations.find((one) => one.travels === travels) as Operation;
	expect(await hold(operation, [large])).toEqual([]);
});
