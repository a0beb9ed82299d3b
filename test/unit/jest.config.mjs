import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { longTests, project, settings } from '../../jest.config.mjs';

/** The configuration of `npm run test:unit`: no sandbox and no n8n-core, which test/house/unitTests checks. */
export default {
	...settings,
	...project,
	globalSetup: undefined,
	globalTeardown: undefined,
	rootDir: join(import.meta.dirname, '..', '..'),
	testMatch: ['**/test/unit/**/*.test.mts', ...longTests.map((path) => `!${path}`)],
	maxWorkers: availableParallelism(),
};
