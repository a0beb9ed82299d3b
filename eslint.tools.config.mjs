// n8n's strict mode requires eslint.config.mjs to equal its template, so other rules stand here: those for files that are not
// part of the package, which may use Node's modules, and one more rule for those that are.
import js from '@eslint/js';
import { n8nCommunityNodesPlugin as n8nRules } from '@n8n/eslint-plugin-community-nodes';
import { globalIgnores } from 'eslint/config';
import typescript from 'typescript-eslint';

/** A list that is longer than a call may have arguments, some 125,000, overflows the stack. Constants are short. */
const noSpreadArguments = {
	selector:
		':matches(CallExpression, NewExpression) > SpreadElement.arguments:not([argument.name=/^[A-Z_]+$/])',
	message: 'A list may be longer than a call may have arguments: loop, or hand over the list.',
};

/** What throws says so: `throw` in a statement, `raise` in an expression. */
const noReturnOfThrow = {
	selector: 'ReturnStatement > CallExpression[callee.name=/^throw(?!If)[A-Z]/]',
	message: 'Name the function after the error that it makes, and throw that.',
};

export default typescript.config(
	globalIgnores(['dist', '**/node_modules']),
	{
		files: ['**/*.{mjs,mts}'],
		extends: [js.configs.recommended, typescript.configs.recommended],
		rules: {
			'@typescript-eslint/no-unused-vars': [
				'error',
				{ argsIgnorePattern: '^_', varsIgnorePattern: '^_' },
			],
		},
	},
	{
		files: ['**/*.mjs'],
		languageOptions: {
			globals: {
				process: 'readonly',
				console: 'readonly',
				setInterval: 'readonly',
				clearInterval: 'readonly',
				setTimeout: 'readonly',
				URL: 'readonly',
			},
		},
	},
	{ files: ['**/*.mts'], rules: { 'no-undef': 'off' } },
	{
		files: [
			'{nodes,credentials,{grpc,signer}/{nodes,credentials,rules}}/**/*.ts',
			'{grpc,signer}/library/**/*.mts',
		],
		languageOptions: { parser: typescript.parser },
		// Comments in these files name n8n's rules, which the lint of each package applies.
		plugins: { '@n8n/community-nodes': n8nRules },
		linterOptions: { reportUnusedDisableDirectives: 'off' },
		rules: { 'no-restricted-syntax': ['error', noSpreadArguments] },
	},
	{
		files: ['{nodes,credentials,{grpc,signer}/{nodes,credentials,rules}}/**/*.ts'],
		rules: { 'no-restricted-syntax': ['error', noSpreadArguments, noReturnOfThrow] },
	},
);
