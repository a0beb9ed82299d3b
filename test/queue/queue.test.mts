// The test runner gets a single file, because all tests share one n8n and one sandbox.
// The file first checks that the needed programs are there, and only then loads the tests.
import './folder.mts';
import { findMissingPrograms } from '../../demo/queue/programs.mts';

const missing = findMissingPrograms();

if (missing.length > 0)
	throw new Error(`Queue mode needs ${missing.join(' and ')}, which cannot be found here`);
process.env.CHAIN_INFRA_QUEUE = 'true';
await import('./everything.mts');
