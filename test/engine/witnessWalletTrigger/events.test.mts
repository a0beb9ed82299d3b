import {
	account,
	call,
	sha256,
	transactionId,
	transfer,
	transferLog,
} from '../../harness/witnessChain.mts';
import { base58, requireItems, startWatch, type Watch } from './support/watch.mts';

let watch: Watch;
beforeEach(async () => {
	watch = await startWatch();
});
afterEach(async () => await watch.server.stop());

const TIME = expect.stringMatching(/^2023-.*Z$/) as unknown;

describe('a payment', () => {
	const watching = { addresses: base58('shop') };

	test('is a transfer of coins, with its memo, once it is irreversible', async () => {
		const { active, chain, settle } = watch;
		const workflow = await active(watching);
		chain.mine(transfer('someone', 'other', 5), {
			...transfer('buyer', 'shop', 1_500_000),
			memo: 'order 7 ✓',
		});
		const number = chain.head;
		chain.mineEmpty(chain.lag - 1);
		expect(requireItems(await workflow.poll())).toEqual([]);
		settle();
		expect(requireItems(await workflow.poll())).toEqual([
			{
				direction: 'in',
				from: base58('buyer'),
				to: base58('shop'),
				amount: '1.5',
				memo: 'order 7 ✓',
				key: expect.stringMatching(/^[0-9a-f]{64}:[0-9a-f]{32}$/),
				chain: 'witness',
				token: null,
				symbol: 'TRX',
				decimals: 6,
				value: '1500000',
				comment: 'order 7 ✓',
				transactionHash: transactionId(number, 1),
				transactionId: transactionId(number, 1),
				blockNumber: number,
				timestamp: TIME,
			},
		]);
		expect(requireItems(await workflow.poll())).toEqual([]);
	});

	test('pays for tokens of an issuer, who gets a report', async () => {
		const { active, chain, settle } = watch;
		const workflow = await active(watching);
		const { value } = transfer('buyer', 'shop', 2_000_000).contract;
		const purchase = { ...value, asset_name: '31303030303031' };
		chain.mine({ contract: { type: 'ParticipateAssetIssueContract', value: purchase } });
		chain.mineEmpty(chain.lag);
		settle();
		expect(requireItems(await workflow.poll())).toMatchObject([
			{ direction: 'in', from: base58('buyer'), to: base58('shop'), amount: '2' },
		]);
	});

	test.each([
		['any', ['in', 'out', 'in']],
		['in', ['in', 'in']],
		['out', ['out', 'out']],
	])(
		'of direction %s; one between two watched addresses comes once',
		async (direction, expected) => {
			const { active, chain, settle } = watch;
			const addresses = [base58('shop'), base58('till')];
			const workflow = await active({ addresses, direction });
			chain.mine(
				transfer('buyer', 'shop', 1),
				transfer('shop', 'supplier', 2),
				transfer('shop', 'till', 3),
			);
			settle();
			const found = requireItems(await workflow.poll());
			expect(found.map((item) => item.direction)).toEqual(expected);
		},
	);

	test('is at least the least that is wanted', async () => {
		const { active, chain, settle } = watch;
		const workflow = await active({ ...watching, minAmount: '1.5' });
		chain.mine(transfer('buyer', 'shop', 1_499_999), transfer('buyer', 'shop', 1_500_000));
		settle();
		expect(requireItems(await workflow.poll()).map(({ amount }) => amount)).toEqual(['1.5']);
	});

	test('has a memo of any bytes', async () => {
		const { active, chain, settle } = watch;
		const workflow = await active(watching);
		chain.mine({ ...transfer('buyer', 'shop', 1), memo: Buffer.from('fffe', 'hex') });
		settle();
		expect(requireItems(await workflow.poll())).toMatchObject([{ memo: '0xfffe' }]);
	});

	test('needs an address to watch', async () => {
		const { workflow } = watch;
		await expect(workflow({ addresses: '' }).activate()).rejects.toThrow(/'Addresses' is required/);
	});
});

describe('a token payment', () => {
	test('is a transfer of a wanted token, in exact amounts', async () => {
		const { active, chain, settle } = watch;
		const workflow = await active({
			event: 'tokenPayment',
			tokens: base58('dollar'),
			addresses: base58('shop'),
			direction: 'in',
		});
		const nft = { ...transferLog('dollar', 'buyer', 'shop', 0), data: '' };
		chain.mine(
			{ ...call('x', 'dollar'), logs: [transferLog('false dollar', 'buyer', 'shop', 7)] },
			{
				...call('buyer', 'dollar'),
				logs: [
					transferLog('dollar', 'shop', 'buyer', 1),
					transferLog('dollar', 'buyer', 'shop', 25_500_000),
					{ ...nft, topics: [...nft.topics, '0'.repeat(64)] },
				],
			},
		);
		const number = chain.head;
		settle();
		expect(requireItems(await workflow.poll())).toEqual([
			{
				key: expect.stringMatching(/^[0-9a-f]{64}:[0-9a-f]{32}$/),
				chain: 'witness',
				comment: null,
				token: base58('dollar'),
				symbol: 'USDX',
				decimals: 6,
				from: base58('buyer'),
				to: base58('shop'),
				value: '25500000',
				amount: '25.5',
				blockNumber: number,
				blockHash: chain.refOf(number).hash,
				transactionHash: transactionId(number, 1),
				logIndex: 2,
				timestamp: TIME,
			},
		]);
	});

	test('comes without facts where the token gives none', async () => {
		const { active, chain, settle } = watch;
		const workflow = await active({ event: 'tokenPayment' });
		chain.mine({ ...call('x', 'token'), logs: [transferLog('token', 'a', 'b', 7)] });
		settle();
		chain.change = (answer, method) =>
			method === 'triggerconstantcontract'
				? { result: { code: 'CONTRACT_VALIDATE_ERROR', message: '' } }
				: answer;
		expect(requireItems(await workflow.poll())).toMatchObject([
			{ symbol: null, decimals: null, amount: null, value: '7' },
		]);
	});

	/** Makes a payment in each of the tokens, all of them irreversible. */
	async function payIn(...tokens: string[]) {
		const { active, chain, settle } = watch;
		const workflow = await active({ event: 'tokenPayment' });
		chain.mine({ ...call('x', 'y'), logs: tokens.map((one) => transferLog(one, 'a', 'b', 7)) });
		settle();
		return { workflow, chain };
	}

	test('comes without facts where the code of the token is too much for the node', async () => {
		const { workflow, chain } = await payIn('bomb', 'dollar');
		chain.change = (answer, _method, { contract_address: asked }) =>
			asked === `41${account('bomb')}` ? undefined : answer;
		expect(requireItems(await workflow.poll())).toMatchObject([
			{ token: base58('bomb'), symbol: null, decimals: null },
			{ token: base58('dollar'), symbol: 'USDX', decimals: 6 },
		]);
	});

	test('waits where the node is gone when it is asked about the token', async () => {
		const { workflow, chain } = await payIn('dollar');
		let isGone = false;
		chain.change = (answer, method) => {
			isGone ||= method === 'triggerconstantcontract';
			return isGone ? undefined : answer;
		};
		const { items, error } = await workflow.poll();
		expect(items).toEqual([]);
		expect(error).toBeDefined();
		chain.change = (answer) => answer;
		expect(requireItems(await workflow.poll())).toMatchObject([{ symbol: 'USDX' }]);
	});
});

describe('an event of a contract', () => {
	const eventSignature = 'Transfer(address indexed from, address indexed to, uint256 value)';

	test('is decoded in base58, and found by its indexed arguments', async () => {
		const { active, chain, settle } = watch;
		const workflow = await active({
			event: 'contractEvent',
			contracts: [base58('token')],
			eventSignature,
			where: JSON.stringify({ to: base58('shop') }),
		});
		chain.mine({
			...call('x', 'token'),
			logs: [
				transferLog('token', 'a', 'b', 1),
				transferLog('other', 'a', 'shop', 2),
				transferLog('token', 'a', 'shop', 3),
			],
		});
		settle();
		const [item, ...others] = requireItems(await workflow.poll());
		expect(others).toEqual([]);
		expect(item).toMatchObject({
			address: base58('token'),
			event: 'Transfer',
			args: { from: base58('a'), to: base58('shop'), value: '3' },
			data: '3'.padStart(64, '0'),
			logIndex: 2,
			timestamp: TIME,
		});
	});

	test('is found by a node that writes addresses in base58 or with 41', async () => {
		const { active, chain, settle } = watch;
		const workflow = await active({ event: 'contractEvent', contracts: base58('token') });
		const log = transferLog('token', 'a', 'b', 1);
		chain.mine({ ...call('x', 'token'), logs: [log] });
		const forms = [account('token'), base58('token'), `41${account('token')}`];
		chain.change = (answer, method) => {
			const [info] = method === 'gettransactioninfobyblocknum' ? (answer as object[]) : [];
			return info ? [{ ...info, log: forms.map((address) => ({ ...log, address })) }] : answer;
		};
		settle();
		const found = requireItems(await workflow.poll());
		expect(found.map(({ address }) => address)).toEqual(Array(3).fill(base58('token')));
	});

	test('needs its declaration for conditions', async () => {
		const { workflow } = watch;
		const given = { event: 'contractEvent', where: '{"to": 1}' };
		await expect(workflow(given).activate()).rejects.toThrow(
			/'Where' needs an event in 'Event Signature'/,
		);
	});
});

describe('by hand', () => {
	test('the latest payment is shown', async () => {
		const { chain, manually, settle } = watch;
		chain.mine(transfer('buyer', 'shop', 1));
		chain.mine(transfer('buyer', 'shop', 2), transfer('buyer', 'shop', 3));
		settle();
		chain.mineEmpty(50);
		const { items } = await manually({ addresses: base58('shop') });
		expect(items.map(({ json }) => json.amount)).toEqual(['0.000003']);
	});

	test('it says how far it has searched', async () => {
		const { chain, manually } = watch;
		chain.mineEmpty(100);
		const { error } = await manually({
			addresses: base58('shop'),
			options: { maxBlocksPerPoll: 30 },
		});
		expect(error?.message).toBe('No payment of these addresses in the last 30 blocks');
	});
});

test('two chains of one trigger are distinguished by their first block', async () => {
	const { active, chain, settle } = watch;
	const workflow = await active({ addresses: base58('shop') });
	const blockID = chain.refOf(1).hash.slice(0, 16) + sha256('another').slice(16);
	chain.change = (answer, method, { num }) =>
		method === 'getblockbynum' && num === 1 ? { ...(answer as object), blockID } : answer;
	chain.mine(transfer('buyer', 'shop', 1));
	settle();
	expect(requireItems(await workflow.poll())).toEqual([]);
	chain.mine(transfer('buyer', 'shop', 2));
	settle();
	expect(requireItems(await workflow.poll())).toHaveLength(1);
});

test.each(['at first', 'later'])(
	'a node that does not keep it %s serves the same chain',
	async (when) => {
		const { active, chain, settle } = watch;
		const withoutFirst: typeof chain.change = (answer, method, { num }) =>
			method === 'getblockbynum' && num === 1 ? {} : answer;
		const honest = chain.change;
		if (when === 'at first') chain.change = withoutFirst;
		const workflow = await active({ addresses: base58('shop') });
		chain.change = when === 'later' ? withoutFirst : honest;
		chain.mine(transfer('buyer', 'shop', 1));
		settle();
		expect(requireItems(await workflow.poll())).toHaveLength(1);
	},
);
