import { join } from 'node:path';

/** The tests in test/queue set it: then n8n runs in several processes, and beside the one of the other tests. */
export const isQueue = process.env.CHAIN_INFRA_QUEUE === 'true';
/** The tests in quick.mts set it. */
export const isQuick = process.env.CHAIN_INFRA_QUICK === 'true';

const name = process.env.CHAIN_INFRA_TESTS ?? 'e2e';
const folder = join(import.meta.dirname, '..', '..', '.cache', name);
const data = join(folder, 'data');
export const screenshots = join(folder, 'screenshots');
/** What an earlier run has left of n8n and its databases. */
export const past = ['node_modules', 'postgres', 'redis'].map((part) => join(data, part));

/** A test that the quick ring of CI leaves to the full one. */
export const thorough = { skip: isQuick && 'the full ring runs it' };

/** The demo's modules read it when they are loaded: this one comes before them. */
process.env.CHAIN_INFRA_DATA = data;
