import { join } from 'node:path';

const published = [
	'nodes',
	'credentials',
	'grpc/nodes',
	'grpc/credentials',
	'grpc/library',
	'signer/nodes',
	'signer/credentials',
	'signer/rules',
	'signer/library',
];

/**
 * Tests with thousands of values, or with long polls, run without coverage: the counters would take a third of their
 * time, and the figure is that of all other tests. `npm run test:unit` leaves them out.
 */
export const longTests = [
	'**/test/unit/evm/abi/{namedTypes,oracle}.test.mts',
	'**/test/unit/{chain/{advance,model},foreignText,ipfs/profiles,nodes/prepareOracle}.test.mts',
	'**/test/unit/{stark/oracle,ton/{accountNews,address,cells,wallets},witness/transaction}.test.mts',
	'**/grpc/test/messages/roundTrip.test.mts',
	'**/signer/test/{judge,properties/*}.test.mts',
];

/** Files that end in `.all.mts` run in `.ci/run all` only: docs/development.md lists their kinds. */
const TEST_FILES = process.env.ALL_CASES ? ['**/*.{test,all}.mts'] : ['**/*.test.mts'];

/** @type {import('jest').Config} */
export const project = {
	testEnvironment: '<rootDir>/test/harness/realm.cjs',
	runtime: '<rootDir>/test/harness/runtime.cjs',
	roots: ['test', 'grpc/test', 'signer/test', ...published].map((folder) => `<rootDir>/${folder}`),
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
};

/** @type {import('jest').Config} */
export const settings = {
	testTimeout: 120_000,
	testSequencer: join(import.meta.dirname, 'test', 'harness', 'sequencer.cjs'),
	// Many tests wait, so six workers are faster even on two cores.
	maxWorkers: 6,
	// Each file leaves some 10 MB of n8n behind in its process, and loading n8n in a new process takes seconds.
	workerIdleMemoryLimit: '1500MB',
	// A worker that has nothing open any more needs a while to give back its memory; jest kills it after half a second by default.
	workerGracefulExitTimeout: 10_000,
	// Coverage counts what is published. The counters of V8 take as much additional time as those of Babel.
	coverageProvider: 'babel',
	collectCoverageFrom: published.map((folder) => `${folder}/**/*.{ts,mts}`),
	coverageReporters: ['text-summary'],
};

/** @type {import('jest').Config} */
export default {
	...settings,
	projects: [
		{
			...project,
			testMatch: [...TEST_FILES, ...longTests.map((path) => `!${path}`)],
		},
		{
			...project,
			testMatch: longTests,
			coveragePathIgnorePatterns: ['.'],
		},
	],
};
