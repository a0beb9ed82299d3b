import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { project, settings } from '../../jest.config.mjs';

// What tries thousands of cases tries a few here, and all in `npm test`: test/unit/support/cases.
process.env.FEW_CASES = '1';

/** For `npm run test:unit`: no sandbox and no n8n-core, which test/house/unitTests holds. */
export default {
	...settings,
	...project,
	globalSetup: undefined,
	globalTeardown: undefined,
	rootDir: join(import.meta.dirname, '..', '..'),
	testMatch: ['**/test/unit/**/*.test.mts'],
	maxWorkers: availableParallelism(),
};
