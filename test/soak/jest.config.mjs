import { join } from 'node:path';
import config from '../../jest.config.mjs';

/** For `npm run soak`. */
export default {
	...config,
	rootDir: join(import.meta.dirname, '..', '..'),
	testMatch: ['**/*.soak.mts'],
	testTimeout: 1_200_000,
};
