import type { INodeParameters } from 'n8n-workflow';
import { WitnessWallet } from '../../../nodes/WitnessWallet/WitnessWallet.node';
import { listOf } from '../../harness/lists.mts';
import { createWallet, hexOf, LEADER, SECOND, vote } from './support/wallet.mts';

const { sandbox, first } = createWallet();

const { witnesses } = new WitnessWallet().methods.listSearch;

/** Lists the witnesses that n8n's editor shows for the given parameters. */
async function listed(filter?: string, typed: INodeParameters = {}) {
	const parameters = { authentication: 'token', visible: true, ...typed };
	const credentials = { ...sandbox.credentials.token, ...sandbox.credentials.basicAuth };
	return await listOf(witnesses, { node: new WitnessWallet(), parameters, credentials }, filter);
}

const answers = async (body: object) => await sandbox.fault({ do: { status: 200, body } });
const chosen = (mode: string, value: string) =>
	vote({ votes: { vote: [{ voteAddress: { __rl: true, mode, value }, voteCount: 5 }] } });

describe('the witnesses to choose from', () => {
	test('are those of the chain, with the most votes first', async () => {
		const found = await listed();
		expect(found[0]).toMatchObject({ value: LEADER });
		expect(found.map(({ value }) => value)).toContain(SECOND);
		const votes = found.map(({ name }) =>
			Number(/\(([\d,]+) votes\)$/.exec(name)![1]!.replaceAll(',', '')),
		);
		expect(votes).toEqual([...votes].sort((one, other) => other - one));
	});

	test('are found by a part of their address or website', async () => {
		await answers({
			witnesses: [
				{ address: LEADER, url: 'https://one.example.com', voteCount: 7 },
				{ address: SECOND, url: 'https://two.example.com', voteCount: '123456789012345678' },
			],
		});
		expect(await listed('TWO.')).toEqual([
			{
				name: 'https://two.example.com (123,456,789,012,345,678 votes)',
				value: SECOND,
			},
		]);
		expect((await listed(LEADER.slice(4, 20))).map(({ value }) => value)).toEqual([LEADER]);
	});

	test('are spelled as the addresses of the form are', async () => {
		const [leader] = await listed('', { visible: false });
		expect(leader?.value).toBe(hexOf(LEADER));
	});

	test('are read with the credential that the form names', async () => {
		await listed('', { authentication: 'basicAuth' });
		const [asked] = await sandbox.record();
		expect(asked?.headers.authorization).toMatch(/^Basic /);
	});

	test('are not troubled by entries that are none', async () => {
		await answers({
			witnesses: [{ voteCount: 3 }, { address: LEADER, voteCount: 'many', url: 7 }],
		});
		expect(await listed()).toEqual([{ name: `${LEADER} (0 votes)`, value: LEADER }]);
	});

	test('are no more than can be looked through', async () => {
		const many = Array.from({ length: 2000 }, (_, index) => ({ address: `T${index}` }));
		await answers({ witnesses: many });
		expect(await listed()).toHaveLength(500);
	});

	test('are missing with a sentence, and without the token', async () => {
		await sandbox.fault({ times: -1, do: { echo: true } });
		await expect(listed()).rejects.not.toThrow(sandbox.authToken);
		await answers({ Error: 'class X : no such thing' });
		await expect(listed()).rejects.toThrow();
	});
});

test.each(['list', 'address'])('a witness given by %s is voted for', async (mode) => {
	const built = await first(chosen(mode, LEADER));
	expect(built).toHaveProperty('txID');
	const [sent] = await sandbox.record();
	expect(sent?.body).toMatchObject({ votes: [{ vote_address: LEADER, vote_count: 5 }] });
});

test('a witness may come from an expression, in the locator or in its place', async () => {
	const items = [{ json: { address: LEADER } }];
	for (const voteAddress of [
		'={{ $json.address }}',
		{ __rl: true, mode: 'address', value: '={{ $json.address }}' },
	]) {
		await sandbox.reset();
		await first(vote({ votes: { vote: [{ voteAddress, voteCount: 5 }] } }), { items });
		const [sent] = await sandbox.record();
		expect(sent?.body).toMatchObject({ votes: [{ vote_address: LEADER, vote_count: 5 }] });
	}
});
