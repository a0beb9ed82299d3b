import { join } from 'node:path';
import { project, settings } from '../../jest.config.mjs';

/** The configuration of `npm run long`: what takes minutes, or is measured, is part of no other run. */
export default {
	...settings,
	...project,
	rootDir: join(import.meta.dirname, '..', '..'),
	testMatch: ['**/test/long/**/*.long.mts'],
	testTimeout: 24 * 3_600_000,
};
