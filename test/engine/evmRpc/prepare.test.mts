import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import {
	decodeFunctionData,
	encodeFunctionData,
	encodeDeployData,
	keccak256,
	parseTransaction,
	serializeTransaction,
	type Abi,
	type Hex,
	type TransactionSerializable,
} from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { TRIES_ALL } from '../../harness/caseCount.mts';
import { compileContract, deployContract } from '../../harness/contract.mts';
import { createSandbox } from '../../harness/sandbox.mts';
import { evmRpcAt } from './support/scene.mts';

type Contract = Awaited<ReturnType<typeof deployContract>>;

interface Prepared {
	readonly transaction: Record<string, string>;
	readonly unsignedTransaction: Hex;
	readonly signingHash: Hex;
	readonly maxCost: string;
	readonly contractAddress: string | null;
}

const MNEMONIC = 'test test test test test test test test test test test junk';
const owner = mnemonicToAccount(MNEMONIC);
const payee = '0x00000000000000000000000000000000000000A1';
const ZERO = `0x${'0'.repeat(40)}`;

const sandbox = createSandbox({ chain: true });
let token: Contract;
let till: Contract;
let single: Contract;
let several: Contract;
const { run, first, calls } = evmRpcAt(sandbox);

beforeAll(async () => {
	const put = async (name: string) => await deployContract(sandbox, name, { file: 'Write' });
	[token, single, several] = [await put('Allowed'), await put('Single'), await put('Several')];
	till = await tillOf('Till', 3n);
});

async function tillOf(name: string, firstPaid: bigint): Promise<Contract> {
	const { abi, bytecode } = await compileContract('Write', 'Till');
	const data = encodeDeployData({ abi: abi as Abi, bytecode, args: [name, firstPaid] });
	const { contractAddress } = await sandbox.mined({ from: owner.address, data });
	return { ...token, address: String(contractAddress), abi };
}

const preparing = (parameters: INodeParameters): INodeParameters => ({
	resource: 'transaction',
	operation: 'prepare',
	from: owner.address,
	...parameters,
});

async function prepared(parameters: INodeParameters): Promise<Prepared> {
	const { items, error } = await run(preparing(parameters));
	if (error) throw error;
	return items[0]?.json as unknown as Prepared;
}

/** Prepares a transaction that must be refused. Returns the message, and the number of requests before it. */
async function refusal(parameters: INodeParameters) {
	const { error } = await run(preparing(parameters));
	return { message: error?.message, asked: (await sandbox.record()).length };
}

/** Signs the prepared transaction with viem, sends it through the n8n node, and waits until it is in a block. */
async function carriedOut({ unsignedTransaction, signingHash }: Prepared): Promise<IDataObject> {
	const transaction = parseTransaction(unsignedTransaction) as TransactionSerializable;
	expect(serializeTransaction(transaction)).toBe(unsignedTransaction);
	expect(keccak256(unsignedTransaction)).toBe(signingHash);
	const signedTransaction = await owner.signTransaction(transaction as never);
	const sent = { resource: 'transaction', operation: 'send', signedTransaction };
	const { transactionHash } = (await first(sent)) as { transactionHash: string };
	return (await first({
		resource: 'transaction',
		operation: 'wait',
		transactionHash,
	})) as IDataObject;
}

const called = async ({ address }: Contract, signature: string, ...args: unknown[]) =>
	await first({
		resource: 'contract',
		operation: 'call',
		to: address,
		function: signature,
		argumentsBy: 'json',
		arguments: JSON.stringify(args),
	});

const balanceOf = async (account: string) =>
	BigInt(String(await sandbox.chain('eth_getBalance', account, 'latest')));

describe('what is prepared has its effect once it is signed and sent', () => {
	test('a transfer of coins, for 21,000 gas', async () => {
		const before = await balanceOf(payee);
		const made = await prepared({ to: payee, amount: '0.1' });
		expect(made.transaction).toMatchObject({
			type: '0x2',
			chainId: '0x7a69',
			from: owner.address,
			to: payee,
			gas: '0x5208',
			value: '0x16345785d8a0000',
			data: '0x',
		});
		expect(made.contractAddress).toBeNull();
		expect(await carriedOut(made)).toMatchObject({ status: 'success', gasUsed: 21_000 });
		expect((await balanceOf(payee)) - before).toBe(10n ** 17n);
	});

	test('a transfer of tokens', async () => {
		const made = await prepared({
			kind: 'tokenTransfer',
			token: token.address,
			to: payee,
			amount: 1.25,
		});
		expect(made.transaction).toMatchObject({ to: expect.stringMatching(/^0x/), value: '0x0' });
		await carriedOut(made);
		expect(await called(token, 'balanceOf(address) returns (uint256)', payee)).toEqual({
			result: '1250000',
		});
	});

	test.each([
		['25', '25000000'],
		['25.5', '25500000'],
		['unlimited', String(2n ** 256n - 1n)],
		['0', '0'],
	])('an approval of %s tokens', async (amount, wanted) => {
		await carriedOut(
			await prepared({ kind: 'tokenApproval', token: token.address, spender: payee, amount }),
		);
		const allowance = 'allowance(address,address) returns (uint256)';
		expect(await called(token, allowance, owner.address, payee)).toEqual({ result: wanted });
	});

	test('a transfer of an NFT of either standard', async () => {
		const of = (contract: Contract, more: INodeParameters = {}) => ({
			kind: 'nftTransfer',
			contract: contract.address,
			tokenId: '7',
			to: payee,
			...more,
		});
		await carriedOut(await prepared(of(single)));
		expect(await called(single, 'ownerOf(uint256) returns (address)', 7)).toEqual({
			result: payee,
		});
		await carriedOut(await prepared(of(several, { quantity: '4' })));
		const balance = 'balanceOf(address,uint256) returns (uint256)';
		expect(await called(several, balance, payee, 7)).toEqual({ result: '4' });
	});

	test('a function that is paid', async () => {
		const made = await prepared({
			kind: 'contractFunction',
			to: till.address,
			amount: '5 gwei',
			function: JSON.stringify(till.abi),
			functionName: 'pay',
			argumentFields: { mappingMode: 'defineBelow', value: { atLeast: '7' } },
		});
		const { data } = made.transaction;
		expect(decodeFunctionData({ abi: till.abi as Abi, data: data as Hex })).toEqual({
			functionName: 'pay',
			args: [7n],
		});
		await carriedOut(made);
		expect(await called(till, 'paid() returns (uint256)')).toEqual({ result: '5000000003' });
	});

	test('a deployment, at the predicted address', async () => {
		const { abi, bytecode } = await compileContract('Write', 'Till');
		const made = await prepared({
			kind: 'deployment',
			bytecode,
			function: 'constructor(string name, uint256 paid) payable',
			argumentsBy: 'json',
			arguments: '["Grüße", 9]',
			amount: '1 wei',
		});
		expect(made.transaction).not.toHaveProperty('to');
		expect(made.transaction.data).toBe(
			encodeDeployData({ abi: abi as Abi, bytecode, args: ['Grüße', 9n] }),
		);
		const { contractAddress } = await carriedOut(made);
		expect(String(contractAddress).toLowerCase()).toBe(made.contractAddress?.toLowerCase());
		const there = { ...till, address: String(made.contractAddress) };
		expect(await called(there, 'name() returns (string)')).toEqual({ result: 'Grüße' });
	});

	test('data that is encoded already', async () => {
		const { abi } = till;
		const data = encodeFunctionData({ abi: abi as Abi, functionName: 'close' });
		await carriedOut(await prepared({ kind: 'data', to: till.address, data }));
		expect(await called(till, 'paid() returns (uint256)')).toEqual({ result: '0' });
	});

	test('a transaction of the kind before EIP-1559, by a gas price', async () => {
		const made = await prepared({ to: payee, amount: '1 wei', options: { gasPrice: '30 gwei' } });
		expect(made.transaction).toMatchObject({ type: '0x0', gasPrice: '0x6fc23ac00' });
		expect(made.transaction).not.toHaveProperty('maxFeePerGas');
		expect(made.maxCost).toBe('0.000630000000000001');
		expect(await carriedOut(made)).toMatchObject({ status: 'success' });
	});
});

const count = async () =>
	Number(await sandbox.chain('eth_getTransactionCount', owner.address, 'pending'));
const noncesOf = (items: readonly INodeExecutionData[]) =>
	items.map(({ json }) => {
		const { transaction } = json as { transaction?: { nonce: string } };
		return transaction ? Number(transaction.nonce) : 'failed';
	});

describe('nonces', () => {
	test('of many transfers come in few requests', async () => {
		const length = TRIES_ALL ? 1000 : 200;
		const next = await count();
		const { items, error } = await run(preparing({ to: '={{ $json.to }}', amount: '0.001' }), {
			items: Array.from({ length }, (_, index) => ({
				json: { to: `0x${(index + 0xa000).toString(16).padStart(40, '0')}` },
			})),
		});
		expect(error).toBeUndefined();
		expect(noncesOf(items)).toEqual(Array.from({ length }, (_, index) => next + index));
		const asked = (await calls()).flatMap((request) => request.calls.map(({ method }) => method));
		// The first call counts the transactions in blocks, and the second call also counts pending transactions.
		expect(asked.filter((method) => method === 'eth_getTransactionCount')).toHaveLength(2);
		expect((await sandbox.record()).length).toBeLessThan(40);
	});
});

describe('fees', () => {
	test.each(['slow', 'normal', 'fast'])(
		'%s: what the last blocks paid, over a base fee that may double',
		async (speed) => {
			const fees = (await first({ resource: 'fee', operation: 'get' })) as {
				baseFee: { wei: string };
			} & Record<string, { wei: string }>;
			const { transaction } = await prepared({ to: payee, amount: '1', speed });
			const tip = BigInt(fees[speed]?.wei ?? 0);
			expect(BigInt(transaction.maxPriorityFeePerGas ?? -1)).toBe(tip);
			expect(BigInt(transaction.maxFeePerGas ?? -1)).toBe(2n * BigInt(fees.baseFee.wei) + tip);
		},
	);

	test('that are given are taken', async () => {
		const options = { maxFeePerGas: '50 gwei', maxPriorityFeePerGas: '3', gas: '50000' };
		const { transaction, maxCost } = await prepared({ to: payee, amount: '1', options });
		expect(transaction).toMatchObject({ maxFeePerGas: '0xba43b7400', maxPriorityFeePerGas: '0x3' });
		expect(maxCost).toBe('1.0025');
	});

	test('the highest fee alone lowers the tip to what it leaves', async () => {
		const { transaction } = await prepared({
			to: payee,
			amount: '0',
			options: { maxFeePerGas: '1' },
		});
		expect(BigInt(transaction.maxPriorityFeePerGas ?? -1)).toBeLessThanOrEqual(1n);
	});
});

describe('gas', () => {
	test('is estimated, with a buffer', async () => {
		const of = { kind: 'tokenTransfer', token: token.address, to: payee, amount: '1' };
		const gasWith = async (gasBuffer: number) =>
			Number((await prepared({ ...of, options: { gasBuffer } })).transaction.gas);
		const exact = await gasWith(0);
		expect(await gasWith(50)).toBe(Math.ceil(exact * 1.5));
		expect(Number((await prepared(of)).transaction.gas)).toBe(Math.ceil(exact * 1.2));
	});

	test('that is given is taken, and nothing is refused for it', async () => {
		const more = { kind: 'tokenTransfer', token: token.address, to: payee, amount: '999999999' };
		const made = await prepared({ ...more, options: { gas: '77000' } });
		expect(made.transaction.gas).toBe('0x12cc8');
		const asked = (await calls()).flatMap((request) => request.calls.map(({ method }) => method));
		expect(asked).not.toContain('eth_estimateGas');
	});
});

describe('what would fail is refused', () => {
	const paying = (more: INodeParameters) => ({
		kind: 'contractFunction',
		to: till.address,
		argumentsBy: 'json',
		...more,
	});

	test.each<[what: string, parameters: () => INodeParameters, words: RegExp]>([
		[
			'a revert',
			() => paying({ from: payee, function: 'close()', arguments: '[]' }),
			/would fail: .*not the owner/,
		],
		[
			'a custom error',
			() => paying({ function: JSON.stringify(till.abi), functionName: 'pay', arguments: '[5]' }),
			/would fail: TooLittle\(wanted: 5, given: 0\)/,
		],
		[
			'another function than the one that is declared',
			() => paying({ function: 'close()', functionName: 'pay', arguments: '[]' }),
			/^'Function Name or ID' must be empty or close\(\)/,
		],
		[
			'another function, by an expression',
			() => paying({ function: 'close()', functionName: '={{ "pay" }}', arguments: '[]' }),
			/^'Function Name or ID' must be empty or close\(\)/,
		],
		[
			'an NFT of another owner',
			() => ({ kind: 'nftTransfer', contract: single.address, tokenId: '8', to: payee }),
			/would fail: .*not yours/,
		],
		[
			'a function of an account',
			() => paying({ to: payee, function: 'close()', arguments: '[]' }),
			/^There is no contract at/,
		],
		[
			'a token that is none',
			() => ({ kind: 'tokenTransfer', token: till.address, to: payee, amount: '1' }),
			/does not report its number of decimals/,
		],
		[
			'an NFT of a contract that is none',
			() => ({ kind: 'nftTransfer', contract: till.address, tokenId: '1', to: payee }),
			/no NFT/i,
		],
		[
			'several of an ERC-721',
			() => ({
				kind: 'nftTransfer',
				contract: single.address,
				tokenId: '7',
				to: payee,
				quantity: '2',
			}),
			/'Quantity' must be 1/,
		],
		[
			'more decimals than the token has',
			() => ({ kind: 'tokenTransfer', token: token.address, to: payee, amount: '1.0000001' }),
			/^'Amount' must be an amount with at most 6 decimals/,
		],
	])('%s', async (_, parameters, words) => {
		const { message } = await refusal(parameters());
		expect(message).toMatch(words);
	});

	test('the zero address may receive where the option says so', async () => {
		const { transaction } = await prepared({
			to: ZERO,
			amount: '1 wei',
			options: { allowZeroAddress: true },
		});
		expect(transaction.to).toBe(ZERO);
	});
});
