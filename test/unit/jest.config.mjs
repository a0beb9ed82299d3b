import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { longTests, project, settings } from '../../jest.config.mjs';

/**
 * Configures `npm run test:unit`, which needs neither the sandbox nor n8n-core. The test test/house/unitTests checks
 * that.
 */
export default {
	...settings,
	...project,
	globalSetup: undefined,
	globalTeardown: undefined,
	rootDir: join(import.meta.dirname, '..', '..'),
	testMatch: ['**/test/unit/**/*.test.mts', ...longTests.map((path) => `!${path}`)],
	maxWorkers: availableParallelism(),
};
