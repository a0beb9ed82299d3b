import { TRACED_ADDRESS, traceOf } from '../../../harness/tracesChain.mts';
import { fakeWorkflows, WATCHING } from '../support/fakeWorkflows.mts';
import { payments } from '../support/world.mts';

const { node, active } = fakeWorkflows();

const OTHER = `0x${'2'.repeat(40)}`;
const reward = (value: string) => ({
	...traceOf(11),
	transactionHash: null,
	transactionPosition: null,
	type: 'reward',
	action: { author: TRACED_ADDRESS, rewardType: 'block', value },
});

const unplaced = (from: string, to: string, value: string) => ({
	...traceOf(11),
	traceAddress: undefined,
	action: { from, to, value, callType: 'call' },
});

test.each<[string, object[]]>([
	['two rewards of a block', [reward('0x1'), reward('0x2')]],
	[
		'two calls of a transaction that do not say where in it they were',
		[unplaced(TRACED_ADDRESS, OTHER, '0x1'), unplaced(OTHER, TRACED_ADDRESS, '0x2')],
	],
])('%s are both emitted, once', async (_what, traces) => {
	const workflow = await active(WATCHING);
	node.height = 11;
	node.answers.trace_filter = () => traces;
	const { items, error } = await workflow.poll();
	expect(error).toBeUndefined();
	expect(payments(items)).toEqual(['+1', '+2']);
	expect((await workflow.poll()).items).toEqual([]);
});
