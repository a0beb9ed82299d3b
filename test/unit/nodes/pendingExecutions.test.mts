import {
	NO_PENDING_EXECUTIONS,
	parsePendingExecutions,
} from '../../../nodes/EvmRpcTrigger/pendingExecutions';

const GOOD = { key: 'a', at: 1, items: [{ number: 7 }] };

test('what was saved is read back, as a copy', () => {
	const stored = { underWay: [GOOD], succeeded: 'b' };
	const read = parsePendingExecutions(stored);
	expect(read).toEqual(stored);
	expect(read.underWay[0]?.items).not.toBe(GOOD.items);
});

test.each<unknown>([undefined, null, 'x', 7, [], {}, { underWay: 'many' }, { underWay: {} }])(
	'%j is nothing',
	(stored) => {
		expect(parsePendingExecutions(stored)).toEqual(NO_PENDING_EXECUTIONS);
	},
);

test.each<unknown>([
	null,
	[],
	{ ...GOOD, key: 1 },
	{ ...GOOD, at: '1' },
	{ ...GOOD, items: 'x' },
	{ ...GOOD, items: [1] },
])('%j is left out, and nothing else', (broken) => {
	expect(parsePendingExecutions({ underWay: [broken, GOOD], succeeded: {} })).toEqual({
		underWay: [GOOD],
	});
});
