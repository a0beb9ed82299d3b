const { statSync } = require('node:fs');
const { join, sep } = require('node:path');
const { default: TestSequencer } = require('@jest/test-sequencer');

const root = join(__dirname, '..', '..');

/** The tests in these folders wait for a chain most of the time, some of them for minutes. */
const WAITING = [
	'signer/test/deposits',
	'signer/test/pay',
	'signer/test/sweep',
	'test/engine/settle',
].map((folder) => join(root, folder, sep));

/**
 * Begins with large files, and spreads the tests that wait over most of a run, so that the other workers use the
 * processor meanwhile. Jest itself would begin with the tests that took longest before, and these wait.
 */
module.exports = class Sequencer extends TestSequencer {
	sort(tests) {
		const sizes = new Map(tests.map((test) => [test, statSync(test.path).size]));
		const bySize = [...tests].sort((a, b) => sizes.get(b) - sizes.get(a));
		const waits = ({ path }) => WAITING.some((folder) => path.startsWith(folder));
		const [waiting, working] = [bySize.filter(waits), bySize.filter((test) => !waits(test))];
		const between = Math.floor((working.length * 3) / 4 / Math.max(waiting.length, 1));
		return [
			...waiting.flatMap((test, index) => [
				test,
				...working.slice(index * between, (index + 1) * between),
			]),
			...working.slice(waiting.length * between),
		];
	}
};
