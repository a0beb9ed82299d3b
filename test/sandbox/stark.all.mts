import * as client10 from 'starknet';
import * as client7 from 'starknet-7';
import { openStarkNode } from './support/starkNode.mts';

const node = openStarkNode();
const { contractOf: addressOf } = node;

beforeAll(() => {
	for (const { config } of [client10, client7]) config.set('logLevel', 'OFF');
});

/** The versions of the library starknet.js. Each supports two versions of the interface and both layouts of calls. */
const CLIENTS = [
	['0.7', '0.7.1', client7],
	['0.8', '0.8.1', client7],
	['0.9', '0.9.0', client10],
	['0.10', '0.10.0', client10],
	['0.10.4', '0.10.4', client10],
] as const;

describe.each(CLIENTS)("the chain's own client, in version %s", (version, specVersion, module) => {
	const client = module as typeof client10;
	let provider: InstanceType<typeof client.RpcProvider>;

	beforeEach(async () => {
		await node.set({ version });
		provider = new client.RpcProvider({
			nodeUrl: node.url(),
			specVersion: specVersion as '0.10.0',
			transactionRetryIntervalFallback: 5,
		});
	});

	function accountOf(index: number) {
		const { address, privateKey: signer } = node.account(index);
		const legacy = new (client7.Account as unknown as new (
			...parts: unknown[]
		) => client10.Account)(
			provider,
			address,
			signer,
			undefined,
			client7.constants.TRANSACTION_VERSION.V3,
		);
		return module === client7 ? legacy : new client.Account({ provider, address, signer });
	}

	test('names the version and the chain', async () => {
		expect(await provider.getSpecVersion()).toBe(specVersion);
		expect(await provider.getChainId()).toBe(client.constants.StarknetChainId.SN_SEPOLIA);
	});

	test.each([0, 2, 3])(
		'estimates, sends, waits and reads what happened, with account %i',
		async (index) => {
			const account = accountOf(index);
			const calls = [
				{
					contractAddress: addressOf('strk'),
					entrypoint: 'transfer',
					calldata: ['0x123', '0x5', '0x0'],
				},
				{ contractAddress: addressOf('everything'), entrypoint: 'emit_many', calldata: ['0x3'] },
			];
			expect(await account.getNonce()).toBe('0x0');
			const estimate = await account.estimateInvokeFee(calls);
			expect(estimate.unit).toBe('FRI');
			const { transaction_hash: hash } = await account.execute(calls);
			const receipt = await provider.waitForTransaction(hash);
			expect(receipt.isSuccess()).toBe(true);
			const { value } = receipt as unknown as { value: ReceiptFields };
			const fee = BigInt(value.actual_fee.amount);
			// The client adds a margin to the estimate of the node, so its estimate may be up to three times the real fee.
			expect(fee).toBeLessThanOrEqual(BigInt(estimate.overall_fee));
			expect(fee * 3n).toBeGreaterThan(BigInt(estimate.overall_fee));
			expect(value.events.map(({ from_address: from }) => from)).toEqual([
				addressOf('strk'),
				...Array<string>(3).fill(addressOf('everything')),
				addressOf('strk'),
			]);
			expect(await account.getNonce()).toBe('0x1');
			expect(await provider.getTransactionByHash(hash)).toMatchObject({ nonce: '0x0' });
			const block = await provider.getBlockWithTxs(value.block_number);
			expect(block.transactions).toMatchObject([{ transaction_hash: hash }]);
			expect(await balanceOf(account.address)).toBe(10n ** 21n - fee - 5n);
			expect(await balanceOf('0x123')).toBe(5n);
		},
	);

	async function balanceOf(account: string): Promise<bigint> {
		const contractAddress = addressOf('strk');
		const [low, high] = await provider.callContract({
			contractAddress,
			entrypoint: 'balanceOf',
			calldata: [account],
		});
		return BigInt(low!) + (BigInt(high!) << 128n);
	}

	interface ReceiptFields {
		actual_fee: { amount: string };
		events: { from_address: string; keys: string[]; data: string[] }[];
		block_number: number;
	}

	test('reads events page by page, each once', async () => {
		for (let count = 0; count < 3; count++) {
			await node.send({ to: addressOf('everything'), function: 'emit_many', calldata: ['0x5'] });
		}
		const seen: string[] = [];
		let token: string | undefined;
		do {
			const page = await provider.getEvents({
				address: addressOf('everything'),
				from_block: { block_number: 0 },
				to_block: 'latest',
				chunk_size: 4,
				...(token && { continuation_token: token }),
			});
			for (const one of page.events) seen.push(`${one.block_number}:${one.keys[1]}`);
			token = page.continuation_token;
		} while (token);
		const expected = [1, 2, 3].flatMap((block) => [0, 1, 2, 3, 4].map((id) => `${block}:0x${id}`));
		expect(seen).toEqual(expected);
	});

	test('decodes events that are plain, nested and flat by the ABI that the chain gives', async () => {
		const { abi } = await provider.getClassAt(addressOf('everything'));
		const to = addressOf('everything');
		await node.send(
			{ to, function: 'emit_plain', calldata: ['0x7', '0x0', '0x6869', '0x2'] },
			{ to, function: 'emit_nested', calldata: ['0x99'] },
			{ to, function: 'emit_flat', calldata: ['0x98'] },
			// The client decodes an event by the name of its struct, so it misses an event whose variant has another name.
			{ to, function: 'emit_renamed', calldata: ['0x8', '0x0', '0x0', '0x0'] },
		);
		const { events } = await provider.getEvents({ address: to, chunk_size: 100 });
		const parsed = client.events.parseEvents(
			events as Parameters<typeof client.events.parseEvents>[0],
			client.events.getAbiEvents(abi),
			client.CallData.getAbiStruct(abi),
			client.CallData.getAbiEnum(abi),
			client10.createAbiParser(abi),
		);
		const account = BigInt(node.account(0).address);
		expect(parsed).toMatchObject([
			{ 'sandbox::everything::Plain': { id: 7n, note: 'hi' } },
			{ 'sandbox::everything::ownable::Transferred': { previous: account, next: 0x99n } },
			{ 'sandbox::everything::flat::Claimed': { by: account, owner: 0x98n } },
		]);
		expect(events[3]?.keys).toEqual([client.hash.getSelectorFromName('Renamed'), '0x8']);
	});

	test('is refused with the reason of a revert', async () => {
		const call = {
			contractAddress: addressOf('everything'),
			entrypoint: 'fail',
			calldata: ['0x1', '0x68656c6c6f'],
		};
		await expect(provider.callContract(call)).rejects.toThrow(/40: Contract error.*hello/);
		await expect(accountOf(0).estimateInvokeFee(call)).rejects.toThrow(/41:.*hello/);
	});

	const INVOKE_TYPE = module === client7 ? client7.TransactionType.INVOKE : 'INVOKE';

	test('simulates, and a revert is part of the answer', async () => {
		const account = accountOf(0);
		const payload = {
			contractAddress: addressOf('strk'),
			entrypoint: 'transfer',
			calldata: ['0x1', '0x1', '0x0'],
		};
		const tooMuch = { ...payload, calldata: ['0x1', '0x0', '0x1'] };
		const [good, bad] = await Promise.all(
			[payload, tooMuch].map(async (one) => {
				const result = await account.simulateTransaction([
					{ type: INVOKE_TYPE, payload: [one] },
				] as unknown as Parameters<typeof account.simulateTransaction>[0]);
				const list = (Array.isArray(result) ? result : result.simulated_transactions) as object[];
				return list[0];
			}),
		);
		expect(good).toHaveProperty(
			'transaction_trace.execute_invocation.calls.0.contract_address',
			addressOf('strk'),
		);
		expect(bad).toHaveProperty(
			'transaction_trace.execute_invocation.revert_reason',
			expect.stringContaining("('u256_sub Overflow')"),
		);
	});
});
