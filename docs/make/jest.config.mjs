import { join } from 'node:path';
import config from '../../jest.config.mjs';

/** For `npm run docs`: what runs in n8n's engine to be shown on a page. */
export default {
	...config,
	rootDir: join(import.meta.dirname, '..', '..'),
	roots: ['<rootDir>/docs/make'],
	testMatch: ['**/*.docs.mts'],
	testTimeout: 600_000,
};
