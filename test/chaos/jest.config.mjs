import { join } from 'node:path';
import config from '../../jest.config.mjs';

/** For `npm run chaos`. */
export default {
	...config,
	rootDir: join(import.meta.dirname, '..', '..'),
	testMatch: ['**/*.chaos.mts'],
	testTimeout: 24 * 3_600_000,
};
