const { join, sep } = require('node:path');
const { default: TestSequencer } = require('@jest/test-sequencer');

const root = join(__dirname, '..', '..');

/** The tests in these folders wait for a chain most of the time, some of them for minutes. */
const WAITING = [
	'signer/test/deposits',
	'signer/test/pay/faults',
	'signer/test/pay/pairs',
	'signer/test/sweep',
	'test/engine/settle',
].map((folder) => join(root, folder, sep));

/**
 * The tests that wait begin first, while other workers use the processor. Jest begins with large files, and these are small:
 * at the end, the other workers would have nothing to do.
 */
module.exports = class Sequencer extends TestSequencer {
	sort(tests) {
		const sorted = super.sort(tests);
		const waits = ({ path }) => WAITING.some((folder) => path.startsWith(folder));
		return [...sorted.filter(waits), ...sorted.filter((test) => !waits(test))];
	}
};
