const { default: TestSequencer } = require('@jest/test-sequencer');

/** The tests in these folders wait for a chain most of the time, for up to a minute each. */
const WAITING =
	/[\\/](signer[\\/]test[\\/](pay[\\/](faults|pairs)|sweep)|test[\\/]engine[\\/]settle)[\\/]/;

/**
 * The tests that wait begin first, while other workers use the processor. Jest begins with large files, and these are small:
 * at the end, the other workers would have nothing to do.
 */
module.exports = class Sequencer extends TestSequencer {
	sort(tests) {
		const sorted = super.sort(tests);
		const waits = ({ path }) => WAITING.test(path);
		return [...sorted.filter(waits), ...sorted.filter((test) => !waits(test))];
	}
};
