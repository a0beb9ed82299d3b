import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { project, settings } from '../../jest.config.mjs';

// Tests with thousands of cases try a few here: test/harness/ring.
process.env.FEW_CASES = '1';

/** The configuration of `npm run test:unit`: no sandbox and no n8n-core, which test/house/unitTests checks. */
export default {
	...settings,
	...project,
	globalSetup: undefined,
	globalTeardown: undefined,
	rootDir: join(import.meta.dirname, '..', '..'),
	testMatch: ['**/test/unit/**/*.test.mts'],
	maxWorkers: availableParallelism(),
};
