import { join } from 'node:path';

const folder = join(import.meta.dirname, '..', '..', '.cache', 'e2e');
export const screenshots = join(folder, 'screenshots');

/** The demo's modules read it when they are loaded: this one comes before them. */
process.env.CHAIN_INFRA_DATA = join(folder, 'data');
