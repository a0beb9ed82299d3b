import { join } from 'node:path';
import { project, settings } from '../../jest.config.mjs';

/** For `npm run figures`: what measures time or memory passes or fails nothing. */
export default {
	...settings,
	...project,
	rootDir: join(import.meta.dirname, '..', '..'),
	testMatch: ['**/*.figure.mts'],
	testTimeout: 600_000,
};
