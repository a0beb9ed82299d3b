import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import { ChainSignerDepositsApi } from '../credentials/ChainSignerDepositsApi.credentials';
import { ChainSignerStarkApi } from '../credentials/ChainSignerStarkApi.credentials';
import { ChainSignerTonApi } from '../credentials/ChainSignerTonApi.credentials';
import { ruleFields } from '../credentials/families';
import { parseDepositRules } from '../rules/depositRules';
import { parseSecp256k1Rules } from '../rules/rules';
import { parseStarkRules } from '../rules/starkRules';
import { parseTonRules } from '../rules/tonRules';
import { describeWorstCase } from '../rules/worstCase';

const page = readFileSync(join(__dirname, '../../docs/signing.md'), 'utf8');

/** The sets of rules in the documentation, each with the sentence below it. */
const SETS = [...page.matchAll(/\*\*(.+?)\*\*:(?:.+\n)+\n```rules\n([^`]+)```\n+> (.+)\n/g)].map(
	([, name = '', lines = '', said = '']) => ({ name, lines, said }),
);

function parseSet(lines: string, fields: readonly INodeProperties[] = ruleFields) {
	const entries = lines
		.trim()
		.split('\n')
		.map((line) => {
			const [label = '', ...value] = line.split(': ');
			const field = fields.find(({ displayName }) => displayName === label)!;
			const text = value.join(': ');
			return [field.name, field.type === 'multiOptions' ? text.split(', ') : text] as const;
		});
	return Object.fromEntries(entries);
}

test('the page has five sets of rules', () => {
	expect(SETS.map(({ name }) => name)).toEqual([
		'Pay a list',
		'Treasury to one address',
		'Mint',
		'Pay over HTTP',
		'Vote on TRON',
	]);
});

test.each(SETS)(
	'$name: the page says the worst as the test of the credential does',
	({ lines, said }) => {
		expect(describeWorstCase(parseSecp256k1Rules(parseSet(lines)))).toBe(said);
	},
);

test.each([
	[
		'deposit',
		new ChainSignerDepositsApi(),
		(rules: never) => describeWorstCase(parseDepositRules(rules)),
	],
	['ton', new ChainSignerTonApi(), (rules: never) => describeWorstCase(parseTonRules(rules))],
	['stark', new ChainSignerStarkApi(), (rules: never) => describeWorstCase(parseStarkRules(rules))],
] as const)('%s: the page says it of its one set, too', (name, { properties }, describe) => {
	const pattern = new RegExp(`\`\`\`${name}-rules\n([^\`]+)\`\`\`\n+> (.+)\n`);
	const [, lines = '', said] = pattern.exec(page) ?? [];
	expect(said).toBe(describe(parseSet(lines, properties) as never));
});

const MICRO = 1e6;

/** Reads the value of a rule from the text of a set, times a million. Returns 0 if the rule is missing. */
function getMicro(lines: string, label: string): number {
	const [, value = '0'] = new RegExp(`^${label}: (?:0x\\w{40} )?([\\d.]+)`, 'm').exec(lines) ?? [];
	return Math.round(Number(value) * MICRO);
}

test.each(SETS.filter(({ lines }) => lines.includes('Daily Transactions')))(
	'$name: the sums a day are the products of the rules',
	({ lines, said }) => {
		const daily = getMicro(lines, 'Daily Transactions') / MICRO;
		const each = getMicro(lines, 'Max Amount') + getMicro(lines, 'Max Fee');
		const limit = getMicro(lines, 'Token Limits');
		const authorizations = getMicro(lines, 'Daily Authorizations') / MICRO;
		const sums = [...said.matchAll(/(?:spend|take) ([\d.]+) /g)].map(([, sum]) =>
			Math.round(Number(sum) * MICRO),
		);
		const products = [daily * each, daily * limit, authorizations * limit];
		expect(sums).toEqual(products.filter((sum) => sum > 0));
	},
);

test.each<[string, object]>([
	['Someone who controls the workflow gets nothing signed.', {}],
	[
		'gets nothing signed',
		{ dailyTransactions: 1, firstNonce: 0, firstDay: '2026-11-24', witnessKinds: ['vote'] },
	],
	[
		'send all coins of the account on TRON: each transaction sends at most 5. This person can vote',
		{ witnessKinds: ['transfer', 'vote'], witnessMaxAmount: '5' },
	],
	[
		'lend all energy and bandwidth of the account on TRON. Nobody can receive the energy and bandwidth.',
		{ witnessKinds: ['delegate'], recipients: `0x${'1'.repeat(40)}` },
	],
	[
		'can spend all coins of the account on TRON on fees: each transaction costs at most 102 coins, plus the fees that the chain itself sets. This person can vote',
		{ witnessKinds: ['vote'] },
	],
	[
		'send all coins of the account on TRON: each transaction sends at most 5. Only these addresses can receive the coins: the addresses in Contracts, by a call. This',
		{
			witnessKinds: ['contractCall'],
			witnessMaxAmount: '5',
			recipients: `0x${'1'.repeat(40)}`,
			contracts: `41${'1'.repeat(40)}`,
		},
	],
	[
		'each transaction sends at most 3 and costs a fee of at most 0. Nobody can receive the sent coins.',
		{
			chainIds: '1',
			maxAmount: '3',
			maxFee: '0',
			recipients: `41${'1'.repeat(40)}`,
			contracts: `41${'1'.repeat(40)}`,
			typedDataKinds: ['permit'],
		},
	],
	['sign any typed data, and so move every token on any chain.', { allowTypedData: true }],
	[
		'call any function of any contract except the account itself, and so move every token. This person can deploy contracts.',
		{ chainIds: '1', contracts: '*', allowDeployments: true },
	],
	[
		'take all smallest units of 0x1111111111111111111111111111111111111111: at most 7 at a time.',
		{ chainIds: '1', tokenLimits: `0x${'1'.repeat(40)} 7` },
	],
])('says "%s"', (words, rules) => {
	expect(describeWorstCase(parseSecp256k1Rules(rules as never))).toContain(words);
});
