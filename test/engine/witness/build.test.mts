import {
	asItem,
	broadcast,
	create,
	createWallet,
	hexOf,
	hexVote,
	LEADER,
	OWNER,
	SECOND,
	sha256,
	signed,
	vote,
	votes,
} from './support/wallet.mts';

const { sandbox, wallet, first, sent } = createWallet();

describe('a vote', () => {
	test('comes out as the documented transaction', async () => {
		const { summary, transaction, ...beside } = await first(vote());
		expect(transaction).toEqual({
			visible: true,
			txID: sha256(Buffer.from(String(beside.raw_data_hex), 'hex')),
			raw_data: expect.objectContaining({ contract: [expect.anything()] }),
			raw_data_hex: expect.stringMatching(/^[0-9a-f]+$/),
		});
		expect(beside).toEqual(transaction);
		expect(summary).toBe(`Vote with ${OWNER}: 5 for ${LEADER}.`);
	});

	test('is the same in hex, and says so', async () => {
		const transaction = await first(hexVote());
		expect(transaction).toMatchObject({ visible: false, txID: expect.any(String) });
		expect((await sent())[0]?.body).toEqual({
			owner_address: hexOf(OWNER),
			votes: [{ vote_address: hexOf(LEADER), vote_count: 5 }],
			visible: false,
		});
	});

	test.each([5, '5', ' 5 ', '0x5', '={{ 5 }}', '={{ "5" }}'])(
		'count %p is sent as a number',
		async (count) => {
			await first(vote({ votes: votes([LEADER, count]) }));
			expect((await sent())[0]?.body).toMatchObject({ votes: [{ vote_count: 5 }] });
		},
	);

	test('for 30 witnesses is the most', async () => {
		const { items } = await wallet({ operation: 'list', limit: 30 });
		const all = items.map(({ json }): [string, number] => [String(json.address), 1]);
		expect(await first(vote({ votes: votes(...all) }))).toHaveProperty('txID');
	});

	test('can come from the items, with basic authentication', async () => {
		const { items } = await wallet(
			{
				...vote({
					ownerAddress: '={{ $json.owner }}',
					votes: votes([LEADER, '={{ $json.count }}']),
				}),
				authentication: 'basicAuth',
			},
			{
				credentials: sandbox.credentials.basicAuth,
				items: [1, 2, 3].map((count) => ({ json: { owner: OWNER, count } })),
			},
		);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
		const [seen] = await sandbox.record();
		expect(seen?.headers.authorization).toMatch(/^Basic /);
		expect(seen?.url).toBe('/wallet/votewitnessaccount');
	});

	test('that the chain refuses with status 200 fails in its words', async () => {
		const { error } = await wallet(vote({ votes: votes([LEADER, 1001]) }));
		expect(error?.message).toBe(
			'The total number of votes[1001] is greater than the frozen balance[1000]',
		);
		expect(error?.description).toBe(
			'The chain node refused the request (ContractValidateException).',
		);
	});
});

describe('a witness registration', () => {
	const url = 'https://exämple.com/ü?a=1#b';

	test('has its url as hex in the other spelling', async () => {
		await first(create({ url, ownerAddress: hexOf(OWNER), visible: false }));
		expect((await sent())[0]?.body).toEqual({
			owner_address: hexOf(OWNER),
			url: Buffer.from(url).toString('hex'),
			visible: false,
		});
	});

	test.each([true, false])('takes effect when it is broadcast (visible %p)', async (visible) => {
		const ownerAddress = visible ? OWNER : hexOf(OWNER);
		const transaction = await first(create({ ownerAddress, visible }));
		await first(broadcast('={{ $json }}'), asItem(signed(transaction)));
		const { items } = await wallet({ operation: 'list', returnAll: true, visible });
		expect(items.at(-1)?.json).toEqual({
			address: ownerAddress,
			url: 'https://example.com',
			voteCount: 0,
			totalProduced: 0,
			totalMissed: 0,
			isJobs: false,
		});
		const { error } = await wallet(create({ ownerAddress, visible }));
		expect(error?.message).toMatch(/has existed/);
	});

	test.each([
		'http://example.com',
		'https://example.com:8443/a/b?c=%20&d=e#f',
		'https://[::1]/',
		`https://example.com/${'a'.repeat(236)}`,
	])('may have the url %s', async (given) => {
		expect(await first(create({ url: ` ${given} ` }))).toHaveProperty('txID');
		expect((await sent())[0]?.body).toMatchObject({ url: given });
	});
});

describe('the list of witnesses', () => {
	test('is asked for with visible in the query and in the body', async () => {
		await wallet({ operation: 'list', visible: false });
		const [seen] = await sandbox.record();
		expect(seen).toMatchObject({
			method: 'POST',
			path: '/wallet/listwitnesses',
			query: { visible: 'false' },
			body: { visible: false },
		});
	});

	test('has an item for each, whose zero and false fields are there', async () => {
		const { items } = await wallet({ operation: 'list', returnAll: true });
		expect(items).toHaveLength(32);
		expect(items[0]?.json).toMatchObject({ address: LEADER, totalMissed: 0, isJobs: true });
		expect(items[31]?.json).toMatchObject({ voteCount: 0, totalProduced: 0, isJobs: false });
		expect(items.every(({ pairedItem }) => JSON.stringify(pairedItem) === '{"item":0}')).toBe(true);
	});

	test('ends at the limit', async () => {
		const { items } = await wallet({ operation: 'list', limit: 3, visible: false });
		expect(items.map(({ json }) => json.address)).toEqual(
			[LEADER, SECOND, expect.any(String)].map((address) =>
				typeof address === 'string' ? hexOf(address) : address,
			),
		);
	});

	test.each([{}, [], { witnesses: null }, { witnesses: [1] }, 7])('is not %p', async (body) => {
		await sandbox.fault({ do: { status: 200, body: JSON.stringify(body) } });
		const { error } = await wallet({ operation: 'list' });
		expect(error?.message).toBe('The service did not answer with a list of witnesses');
	});
});
