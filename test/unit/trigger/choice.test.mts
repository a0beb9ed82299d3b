import { formatChoice, isContinued } from '../../../nodes/core/trigger/choice';

test.each([
	['the same choice', formatChoice('a'), formatChoice('a'), true],
	['another one', formatChoice('a'), formatChoice('b'), false],
	['as many', formatChoice('a', 7), formatChoice('a', 7), true],
	['more', formatChoice('a', 7), formatChoice('a', 10), true],
	['fewer', formatChoice('a', 10), formatChoice('a', 7), false],
	['more of something else', formatChoice('a', 7), formatChoice('b', 10), false],
	['what was stored by hand', 'a many', formatChoice('a', 7), false],
	['nothing', '', formatChoice('a', 7), false],
])('after %s a trigger goes on, or does not', (_what, before, present, expected) => {
	expect(isContinued(before, present)).toBe(expected);
});
