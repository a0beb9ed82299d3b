import { join } from 'node:path';
import { project, settings } from '../../jest.config.mjs';

/**
 * The configuration of `npm run test:faults`. These tests are not part of every run, because waiting for faults takes
 * long.
 */
export default {
	...settings,
	...project,
	rootDir: join(import.meta.dirname, '..', '..'),
	testMatch: ['**/*.faults.mts'],
	testTimeout: 600_000,
	// The tests mostly wait, so three of them run at the same time.
	maxConcurrency: 3,
};
