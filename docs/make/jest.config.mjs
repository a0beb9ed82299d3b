import { join } from 'node:path';
import { project, settings } from '../../jest.config.mjs';

/** For `npm run docs`: what runs in n8n's engine to be shown on a page. */
export default {
	...settings,
	...project,
	rootDir: join(import.meta.dirname, '..', '..'),
	roots: ['<rootDir>/docs/make'],
	testMatch: ['**/*.docs.mts'],
	testTimeout: 600_000,
};
