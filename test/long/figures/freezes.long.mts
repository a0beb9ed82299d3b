import { largeInputs } from '../../../signer/test/support/largeInputs.mts';
import { figure } from '../../harness/figure.mts';
import { measureLongestGap, measureUnit } from '../../harness/loopGap.mts';

test.each(Object.entries(largeInputs))('%s', async (what, make) => {
	const { run } = make();
	await run();
	const gap = await measureLongestGap(run);
	figure(
		`Sign: ${what}: n8n waits ${gap.toFixed(0)} ms of the processor at most (a megabyte hashed: ${measureUnit().toFixed(0)} ms)`,
	);
});
