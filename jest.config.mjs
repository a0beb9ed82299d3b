import { availableParallelism } from 'node:os';

const published = ['nodes', 'credentials', 'grpc/nodes', 'grpc/credentials', 'grpc/library'];

/** @type {import('jest').Config} */
export default {
	testEnvironment: 'node',
	roots: ['test', 'grpc/test', ...published].map((folder) => `<rootDir>/${folder}`),
	testMatch: ['**/*.test.mts'],
	testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/e2e/', '<rootDir>/test/queue/'],
	moduleFileExtensions: ['ts', 'mts', 'js', 'mjs', 'cjs', 'json', 'node'],
	transform: {
		'\\.m?ts$': [
			'@swc/jest',
			{
				jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
				module: { type: 'commonjs' },
			},
		],
	},
	setupFiles: ['<rootDir>/test/harness/environment.mts'],
	globalSetup: '<rootDir>/test/harness/setUp.mjs',
	globalTeardown: '<rootDir>/test/harness/cleanUp.mjs',
	testTimeout: 120_000,
	// One more than there are cores: many tests wait.
	maxWorkers: Math.min(availableParallelism() + 1, 4),
	// Each file leaves some 30 MB of n8n behind in its process: in one process they do not fit.
	workerIdleMemoryLimit: '700MB',
	// Of what is published. Babel's counters cost an eighth of the time, those of V8 as much again.
	coverageProvider: 'babel',
	collectCoverageFrom: published.map((folder) => `${folder}/**/*.{ts,mts}`),
	coverageReporters: ['text-summary'],
};
