import { join } from 'node:path';
import { project, settings } from '../../jest.config.mjs';

/** The configuration of `npm run docs`, which runs nodes in n8n's engine to show their output on a page. */
export default {
	...settings,
	...project,
	rootDir: join(import.meta.dirname, '..', '..'),
	roots: ['<rootDir>/docs/make'],
	testMatch: ['**/*.docs.mts'],
	testTimeout: 600_000,
};
