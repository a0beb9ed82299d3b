import { join } from 'node:path';

const folder = join(import.meta.dirname, '..', '..', '.cache', 'e2e');
const data = join(folder, 'data');
/** The tests in test/queue set it: then n8n runs in several processes. */
export const isQueue = process.env.CHAIN_INFRA_QUEUE === 'true';
export const screenshots = join(folder, 'screenshots');
/** What an earlier run has left of n8n and its databases. */
export const past = ['node_modules', 'postgres', 'redis'].map((name) => join(data, name));

/** The demo's modules read it when they are loaded: this one comes before them. */
process.env.CHAIN_INFRA_DATA = data;
