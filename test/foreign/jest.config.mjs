import { join } from 'node:path';
import { project, settings } from '../../jest.config.mjs';

/** The configuration of `npm run test:foreign`. */
export default {
	...settings,
	...project,
	rootDir: join(import.meta.dirname, '..', '..'),
	testMatch: ['**/test/foreign/*.foreign.mts', '**/grpc/test/foreign/*.foreign.mts'],
	maxWorkers: 2,
};
