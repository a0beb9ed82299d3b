import { join } from 'node:path';
import { project, settings } from '../../jest.config.mjs';

/** The configuration of `npm run figures`: measurements of time or memory pass or fail nothing. */
export default {
	...settings,
	...project,
	rootDir: join(import.meta.dirname, '..', '..'),
	testMatch: ['**/*.figure.mts'],
	testTimeout: 600_000,
};
