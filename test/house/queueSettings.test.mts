import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADVISED_SETTINGS } from '../../demo/queue/advised.mts';

const root = join(__dirname, '..', '..');
const readText = (file: string) => readFileSync(join(root, file), 'utf8');

describe.each(Object.entries(ADVISED_SETTINGS))('%s', (name, value) => {
	test('is set in compose.yaml as in npm run start:queue', () => {
		expect(readText('compose.yaml')).toContain(`\n    ${name}: '${value}'\n`);
	});

	test('is explained in docs/scaling.md', () => {
		expect(readText('docs/scaling.md')).toContain(`\`${name}\``);
	});
});

test.each(['compose.yaml', 'compose.single.yaml'])(
	'%s installs packages in n8n 3.0, and keeps files on disk',
	(file) => {
		expect(readText(file)).toContain("N8N_UNVERIFIED_PACKAGES_ENABLED: 'true'");
		expect(readText(file)).toContain("N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem'");
	},
);

const REMOVED_IN_N8N_3 = [
	/getPairedItem/,
	/\$evaluateExpression/,
	/"mode": "each"/,
	/n8n-nodes-base\.(function|functionItem|itemLists|aiTransform)"/,
	/N8N_DEFAULT_BINARY_DATA_MODE[^\n]*\bdefault\b/,
];

test.each(readdirSync(join(root, 'examples')).filter((name) => name.endsWith('.json')))(
	'examples/%s has nothing that n8n 3.0 removes',
	(name) => {
		for (const pattern of REMOVED_IN_N8N_3)
			expect(readText(`examples/${name}`)).not.toMatch(pattern);
	},
);
