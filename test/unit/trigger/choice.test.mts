import { formatChoice, isContinued, withStart } from '../../../nodes/core/trigger/triggerEvent';

const startingAt = (start: string, count?: number) =>
	withStart(formatChoice({ fingerprint: 'a', count }), start);

test.each([
	['the same choice', formatChoice({ fingerprint: 'a' }), formatChoice({ fingerprint: 'a' }), true],
	['another one', formatChoice({ fingerprint: 'a' }), formatChoice({ fingerprint: 'b' }), false],
	[
		'as many',
		formatChoice({ fingerprint: 'a', count: 7 }),
		formatChoice({ fingerprint: 'a', count: 7 }),
		true,
	],
	[
		'more',
		formatChoice({ fingerprint: 'a', count: 7 }),
		formatChoice({ fingerprint: 'a', count: 10 }),
		true,
	],
	[
		'fewer',
		formatChoice({ fingerprint: 'a', count: 10 }),
		formatChoice({ fingerprint: 'a', count: 7 }),
		false,
	],
	[
		'more of something else',
		formatChoice({ fingerprint: 'a', count: 7 }),
		formatChoice({ fingerprint: 'b', count: 10 }),
		false,
	],
	['the same start', startingAt('x'), startingAt('x'), true],
	['another start', startingAt('x'), startingAt('y'), false],
	['a start that is new', formatChoice({ fingerprint: 'a' }), startingAt('x'), false],
	['a start that is gone', startingAt('x'), formatChoice({ fingerprint: 'a' }), true],
	['the same start of more', startingAt('x', 1), startingAt('x', 2), true],
	['the same start of fewer', startingAt('x', 2), startingAt('x', 1), false],
	['what was stored by hand', 'a many', formatChoice({ fingerprint: 'a', count: 7 }), false],
	['nothing', '', formatChoice({ fingerprint: 'a', count: 7 }), false],
])('after %s a trigger goes on, or does not', (_what, before, present, expected) => {
	expect(isContinued(before, present)).toBe(expected);
});
