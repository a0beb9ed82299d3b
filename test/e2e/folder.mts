import { join } from 'node:path';

/** Whether the tests in test/queue run. n8n then runs in several processes, beside the n8n of the other tests. */
export const isQueue = process.env.CHAIN_INFRA_QUEUE === 'true';
/** Whether only the basic checks run, which basics.mts selects by this variable. */
export const isBasics = process.env.CHAIN_INFRA_BASICS === 'true';

const name = process.env.CHAIN_INFRA_TESTS ?? 'e2e';
const folder = join(import.meta.dirname, '..', '..', '.cache', name);
const data = join(folder, 'data');
export const screenshots = join(folder, 'screenshots');
/** The folders in which an earlier run has left n8n's data and its databases. */
export const past = ['node_modules', 'postgres', 'redis'].map((part) => join(data, part));

/** The options of a test that runs only in `.ci/run all`. */
export const thorough = { skip: isBasics && '.ci/run all runs it' };

/**
 * This assignment comes before the modules of the demo are loaded, because they read the variable when they are loaded.
 */
process.env.CHAIN_INFRA_DATA = data;
