import { join } from 'node:path';
import { project, settings } from '../../jest.config.mjs';

/** The configuration of `npm run chaos`. */
export default {
	...settings,
	...project,
	rootDir: join(import.meta.dirname, '..', '..'),
	testMatch: ['**/*.chaos.mts'],
	testTimeout: 24 * 3_600_000,
};
