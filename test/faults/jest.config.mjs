import { join } from 'node:path';
import config from '../../jest.config.mjs';

/** For `npm run test:faults`: what waits for faults takes too long for every change. */
export default {
	...config,
	rootDir: join(import.meta.dirname, '..', '..'),
	testMatch: ['**/*.faults.mts'],
	testTimeout: 600_000,
	// Most of a cell is waiting.
	maxConcurrency: 3,
};
