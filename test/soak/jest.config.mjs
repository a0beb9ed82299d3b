import { join } from 'node:path';
import { project, settings } from '../../jest.config.mjs';

/** The configuration of `npm run soak`. */
export default {
	...settings,
	...project,
	rootDir: join(import.meta.dirname, '..', '..'),
	testMatch: ['**/*.soak.mts'],
	testTimeout: 1_200_000,
};
