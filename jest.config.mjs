/** @type {import('jest').Config} */
export default {
	testEnvironment: 'node',
	roots: ['<rootDir>/test', '<rootDir>/grpc/test'],
	testMatch: ['**/*.test.mts'],
	testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/e2e/'],
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
	globalTeardown: '<rootDir>/test/harness/cleanUp.mjs',
	testTimeout: 120_000,
};
