import { join } from 'node:path';
import { project, settings } from '../../jest.config.mjs';

/**
 * The configuration of `npm run long`, for tests that take minutes or measure something. No other command runs them.
 */
export default {
	...settings,
	...project,
	rootDir: join(import.meta.dirname, '..', '..'),
	testMatch: ['**/test/long/**/*.long.mts'],
	testTimeout: 24 * 3_600_000,
};
