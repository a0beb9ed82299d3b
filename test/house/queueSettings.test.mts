import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ADVISED_SETTINGS } from '../../demo/queue/advised.mts';

const readText = (file: string) => readFileSync(join(__dirname, '..', '..', file), 'utf8');

describe.each(Object.entries(ADVISED_SETTINGS))('%s', (name, value) => {
	test('is set in compose.yaml as in npm run start:queue', () => {
		expect(readText('compose.yaml')).toContain(`\n    ${name}: '${value}'\n`);
	});

	test('is explained in docs/scaling.md', () => {
		expect(readText('docs/scaling.md')).toContain(`\`${name}\``);
	});
});
