import { join } from 'node:path';
import { project, settings } from '../../jest.config.mjs';

/** For `npm run test:faults`: what waits for faults takes too long for every change. */
export default {
	...settings,
	...project,
	rootDir: join(import.meta.dirname, '..', '..'),
	testMatch: ['**/*.faults.mts'],
	testTimeout: 600_000,
	// Most of a cell is waiting.
	maxConcurrency: 3,
};
