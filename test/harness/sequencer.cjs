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
 * Spreads the tests that wait over the first half of a run, so that the other workers use the processor meanwhile.
 * Jest begins with large files, and these are small: at the end, the other workers would have nothing to do.
 */
module.exports = class Sequencer extends TestSequencer {
	sort(tests) {
		const sorted = super.sort(tests);
		const waits = ({ path }) => WAITING.some((folder) => path.startsWith(folder));
		const [waiting, working] = [sorted.filter(waits), sorted.filter((test) => !waits(test))];
		const between = Math.floor(working.length / 2 / Math.max(waiting.length, 1));
		return [
			...waiting.flatMap((test, index) => [
				test,
				...working.slice(index * between, (index + 1) * between),
			]),
			...working.slice(waiting.length * between),
		];
	}
};
