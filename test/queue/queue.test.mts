// There is one file for the test runner, because all tests share one n8n and one sandbox. Nothing is loaded before it is
// known that they can run.
import './folder.mts';
import { findMissingPrograms } from '../../demo/queue/programs.mts';

const missing = findMissingPrograms();

if (missing.length > 0)
	throw new Error(`Queue mode needs ${missing.join(' and ')}, which cannot be found here`);
process.env.CHAIN_INFRA_QUEUE = 'true';
await import('./everything.mts');
