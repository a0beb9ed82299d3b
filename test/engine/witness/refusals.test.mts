import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import {
	broadcast,
	create,
	createWallet,
	GOOD,
	hexOf,
	hexVote,
	LEADER,
	SECOND,
	vote,
	votes,
} from './support/wallet.mts';

const { sandbox, wallet } = createWallet();

/** Runs many bad inputs at once. Each item must fail with a message about its field, and no request may be sent. */
async function allRefused(parameters: INodeParameters, given: readonly unknown[], words: RegExp) {
	const items = given.map((value): INodeExecutionData => ({ json: { value } as IDataObject }));
	const result = await wallet(parameters, { items, onError: 'continueRegularOutput' });
	expect(result.items).toHaveLength(given.length);
	for (const [index, { json }] of result.items.entries()) {
		expect([given[index], json.error]).toEqual([given[index], expect.stringMatching(words)]);
	}
	expect(await sandbox.record()).toEqual([]);
}

describe('refused before anything is sent', () => {
	const badBase58 = [hexOf(LEADER), LEADER.toLowerCase(), `${LEADER} ${SECOND}`, 7, ['T']];
	const badHex = [LEADER, hexOf(LEADER).slice(2), `0x${hexOf(LEADER)}`, 41, ['41']];

	test('owners that are no base58 address', async () => {
		await allRefused(
			vote({ ownerAddress: '={{ $json.value }}' }),
			badBase58,
			/^'From' must be .*; got/,
		);
		await allRefused(
			create({ ownerAddress: '={{ $json.value }}' }),
			badBase58,
			/^'From' must be .*; got/,
		);
	});

	test('owners that are no hex address', async () => {
		const given = { ...hexVote(), ownerAddress: '={{ $json.value }}' };
		await allRefused(given, badHex, /^'From' must be .*; got/);
	});

	test('witnesses that are no address, named by their place', async () => {
		const second = (visible: boolean) => ({
			...(visible ? vote() : hexVote()),
			votes: votes([visible ? LEADER : hexOf(LEADER), 1], ['={{ $json.value }}', 1]),
		});
		const words = /^'Votes > Vote 2 > Witness' must be /;
		await allRefused(second(true), badBase58, words);
		await allRefused(second(false), badHex, words);
	});

	test('counts that are no positive whole number', async () => {
		const given = [0, '0x0', -1, 1.5, 'five', 2 ** 53, '9007199254740993', [5], true, {}];
		await allRefused(
			vote({ votes: votes([LEADER, '={{ $json.value }}']) }),
			given,
			/^'Votes > Vote 1 > Vote Count' (must be|is required)/,
		);
	});

	test.each<[string, unknown, RegExp]>([
		['no votes', {}, /^'Votes' must hold at least one vote$/],
		['an empty list', votes(), /^'Votes' must hold at least one vote$/],
		[
			'31 votes',
			votes(...new Array(31).fill([LEADER, 1])),
			/^'Votes' must hold at most 30 votes; got 31$/,
		],
		[
			'a vote without an address',
			votes(['={{ " " }}', 1]),
			/^'Votes > Vote 1 > Witness' is required$/,
		],
		[
			'a vote without a count',
			votes([LEADER, '={{ null }}']),
			/^'Votes > Vote 1 > Vote Count' is required$/,
		],
		[
			'a count that an expression does not find',
			votes([LEADER, '={{ $json.count }}']),
			/^'Votes > Vote 1 > Vote Count' is required$/,
		],
		[
			'a witness twice',
			votes([LEADER, 1], [SECOND, 1], [` ${LEADER}`, 2]),
			/^'Votes > Vote 3 > Witness' must be another witness than in the earlier votes of the list; got "THP/,
		],
	])('%s', async (_, list, words) => {
		const { error } = await wallet(vote({ votes: list as INodeParameters }));
		expect(error?.message).toMatch(words);
		expect(await sandbox.record()).toEqual([]);
	});

	test('a witness twice, once in capitals', async () => {
		const list = votes([hexOf(LEADER), 1], [hexOf(LEADER).toUpperCase(), 1]);
		const { error } = await wallet({ ...hexVote(), votes: list });
		expect(error?.message).toMatch(
			/^'Votes > Vote 2 > Witness' must be another witness than in the earlier votes of/,
		);
		expect(await sandbox.record()).toEqual([]);
	});

	test('urls that are none', async () => {
		const words =
			'example.com www.example.com/a //example.com http:example.com http:/example.com ' +
			'http:///example.com https:// https://?a https://# ftp://example.com ' +
			'ws://example.com mailto:a@example.com javascript:alert(1) ' +
			'https://example.com/<b> https://example.com/{a} https://example.com/a|b ' +
			'https://example.com/% https://example.com/%zz https://example.com:99999 ' +
			'https://[::1 https://999.1.1.1 https://a..%';
		const given = [
			...words.split(' '),
			'https://exa mple.com',
			'https://example.com/a b',
			'https://example.com\\a',
			'https:\\\\example.com',
			'https://example.com/"',
			'https://example.com/\u0000',
			'https://example.com/\ud800',
			'https://example.com/a\nb',
			`https://example.com/${'a'.repeat(237)}`,
			`https://example.com/${'ü'.repeat(120)}`,
			['https://example.com'],
			{ url: 'https://example.com' },
			true,
			7,
		];
		await allRefused(create({ url: '={{ $json.value }}' }), given, /^'URL' must be /);
	});

	test('what is no signed transaction', async () => {
		const good = JSON.parse(GOOD) as IDataObject;
		const without = (key: string) => ({ ...good, [key]: undefined });
		const given: unknown[] = [
			'{',
			'[]',
			'7',
			'"text"',
			'null',
			`[${GOOD}]`,
			`${GOOD},`,
			'not JSON',
			7,
			true,
			[good],
			without('txID'),
			without('signature'),
			{ ...good, raw_data: undefined, raw_data_hex: undefined },
			{ ...good, txID: 'ab' },
			{ ...good, txID: 7 },
			{ ...good, signature: [] },
			{ ...good, signature: '00' },
			{ ...good, signature: [''] },
			{ ...good, signature: [7] },
			{ ...good, raw_data: 'x', raw_data_hex: '' },
			{ ...good, raw_data: { fee_limit: 2 ** 53 } },
			{ transaction: without('signature') },
		].flatMap((value): unknown[] =>
			typeof value === 'object' ? [value, JSON.stringify(value)] : [value],
		);
		// A large integer is valid as text, because it keeps its digits, so it is left out here.
		const bad = given.filter((value) => typeof value !== 'string' || !value.includes('9007199'));
		await allRefused(broadcast('={{ $json.value }}'), bad, /^'Transaction' must be /);
	});

	test('what is required and missing', async () => {
		const missing: Array<[INodeParameters, string]> = [
			[vote({ ownerAddress: '={{ "" }}' }), 'From'],
			[create({ url: '={{ " " }}' }), 'URL'],
			[create({ ownerAddress: '={{ $json.nothing }}' }), 'From'],
			[broadcast('={{ "" }}'), 'Transaction'],
		];
		for (const [parameters, name] of missing) {
			expect((await wallet(parameters)).error?.message).toBe(`'${name}' is required`);
		}
		expect((await wallet({ operation: 'list', limit: 0 })).error?.message).toMatch(/^'Limit' must/);
		expect((await wallet(vote({ visible: '={{ "yes" }}' }))).error?.message).toMatch(
			/^'Base58 Addresses' must be true or false/,
		);
		expect(await sandbox.record()).toEqual([]);
	});
});
