import { ALLOWED_UNITS, measureLeastGap } from '../../test/harness/loopGap.mts';
import { largeInputs } from './support/largeInputs.mts';

test.each(Object.entries(largeInputs))('%s leave n8n its turns', async (_, make) => {
	const { run, refusal } = make();
	const { error } = await run();
	if (refusal) expect(error?.message ?? '').toMatch(refusal);
	else expect(error).toBeUndefined();
	expect(await measureLeastGap(run)).toBeLessThan(ALLOWED_UNITS);
});
