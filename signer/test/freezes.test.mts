import { measureLongestGap, measureUnit } from '../../test/harness/loopGap.mts';
import { largeInputs } from './support/largeInputs.mts';

/** A unit takes some 80 ms on a usual machine, and 250 ms are allowed there. */
const ALLOWED_UNITS = 3;

test.each(Object.entries(largeInputs))('%s leave n8n its turns', async (_, make) => {
	const { run, refusal } = make();
	const { error } = await run();
	if (refusal) expect(error?.message ?? '').toMatch(refusal);
	else expect(error).toBeUndefined();
	const gap = await measureLongestGap(run);
	expect(gap / measureUnit()).toBeLessThan(ALLOWED_UNITS);
});
