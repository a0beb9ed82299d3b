// For the files that are not part of the package: they may use Node's modules, which the template's
// rules for nodes forbid. n8n's strict mode wants eslint.config.mjs to equal its template, so this stands apart.
import js from '@eslint/js';
import { globalIgnores } from 'eslint/config';
import typescript from 'typescript-eslint';

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
);
