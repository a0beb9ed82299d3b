import { join } from 'node:path';
import { project, settings } from '../../jest.config.mjs';

/** The configuration of `npm run test:faults`: waiting for faults takes too long for every change. */
export default {
	...settings,
	...project,
	rootDir: join(import.meta.dirname, '..', '..'),
	testMatch: ['**/*.faults.mts'],
	testTimeout: 600_000,
	// Cells mostly wait, so three of them run at the same time.
	maxConcurrency: 3,
};
