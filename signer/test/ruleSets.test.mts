import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import { ChainSignerStarkApi } from '../credentials/ChainSignerStarkApi.credentials';
import { ChainSignerTonApi } from '../credentials/ChainSignerTonApi.credentials';
import { parseStarkRules } from '../rules/starkRules';
import { describeStarkWorst } from '../rules/starkWorst';
import { parseTonRules } from '../rules/tonRules';
import { describeTonWorst } from '../rules/tonWorst';

const page = readFileSync(join(__dirname, '../../docs/signing.md'), 'utf8');

/** Reads the set of rules on the page that the fence names, and the sentence below it. */
function readSet(fence: string, properties: readonly INodeProperties[]) {
	const pattern = new RegExp(`\`\`\`${fence}\n([^\`]+)\`\`\`\n+> (.+)\n`);
	const [, lines = '', said] = pattern.exec(page) ?? [];
	const entries = lines
		.trim()
		.split('\n')
		.map((line) => {
			const [, label = '', value = ''] = /^(.+?): (.+)$/.exec(line) ?? [];
			const { name } = properties.find(({ displayName }) => displayName === label)!;
			return [name, value];
		});
	return { rules: Object.fromEntries(entries) as Record<string, string>, said };
}

test('below the rules for the TON chain stands what the test of the credential says', () => {
	const { rules, said } = readSet('ton-rules', new ChainSignerTonApi().properties);
	expect(said).toBe(describeTonWorst(parseTonRules(rules)));
});

test('below the rules for the STARK rollup stands what the test of the credential says', () => {
	const { rules, said } = readSet('stark-rules', new ChainSignerStarkApi().properties);
	expect(said).toBe(describeStarkWorst(parseStarkRules(rules)));
});
