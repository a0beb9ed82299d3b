import { encodeFunctionData, getAddress, parseAbi, type Hex } from 'viem';
import { simulateTransaction } from '../../../../nodes/core/evm/simulate/simulate';
import { parseSimulatedTransaction } from '../../../../nodes/core/evm/simulate/transaction';
import { deployContract } from '../../../harness/contract.mts';
import { createSandbox } from '../../../harness/sandbox.mts';
import { createReader } from './chainReader.mts';

// These tests call contracts that behave differently if they detect a simulation. The operation must show what the
// chain would really do.

const sandbox = createSandbox({ chain: true });
const GWEI = 10n ** 9n;
const hex = (value: bigint): Hex => `0x${value.toString(16)}`;
const THIEF = getAddress('0x000000000000000000000000000000000007e1ef');
const AMOUNT = 500n;

const abi = parseAbi([
	'function takeIfPaid(uint256)',
	'function takeIfPricedAs(uint256, uint256)',
	'function takeUnlessRead(uint256)',
	'function takeUnlessAsked(uint256)',
	'function keepUnlessAsked() payable',
	'function hold(uint256)',
	'function approve(address, uint256)',
	'function mint(address, uint256)',
]);

async function deployThief() {
	const token = await deployContract(sandbox, 'Plain', { file: 'Forecast' });
	const given = [BigInt(token.address)];
	const { address, owner } = await deployContract(sandbox, 'Evasive', { given });
	const send = async (data: Hex) => await sandbox.mined({ from: owner, to: token.address, data });
	const args = [owner as Hex, 1_000_000n] as const;
	await send(encodeFunctionData({ abi, functionName: 'mint', args }));
	const approval = [address as Hex, 1_000_000n] as const;
	await send(encodeFunctionData({ abi, functionName: 'approve', args: approval }));
	return { owner: getAddress(owner), thief: getAddress(address), token: getAddress(token.address) };
}

let found: Awaited<ReturnType<typeof deployThief>>;
beforeAll(async () => {
	found = await deployThief();
});

/** The price `maxFeePerGas` is twice the price that the chain charges now. */
const PRICES = { maxFeePerGas: hex(40n * GWEI), maxPriorityFeePerGas: hex(2n * GWEI) };

async function foresee(data: Hex, more: object = {}, missing?: string) {
	const { owner, thief } = found;
	const transaction = { from: owner, to: thief, data, gas: '0x100000', ...PRICES, ...more };
	const simulated = parseSimulatedTransaction(transaction);
	return await simulateTransaction(createReader(sandbox, missing), simulated, 'latest');
}

/** Adds up what each account gains, by account and token. */
const sums = ({ changes }: Awaited<ReturnType<typeof foresee>>) =>
	Object.fromEntries(changes.map(({ account, token, value }) => [`${account} ${token}`, value]));

describe.each([
	['eth_simulateV1', undefined],
	['debug_traceCall', 'eth_simulateV1'],
])('by %s, a contract that takes tokens is seen', (by, missing) => {
	test.each([
		['only where gas is paid for', 'takeIfPaid', THIEF],
		['unless the code of a reader is there', 'takeUnlessRead', THIEF],
		['unless it was asked for a balance', 'takeUnlessAsked', THIEF],
		['and gives them back when it is asked for a balance', 'hold', undefined],
	] as const)('%s', async (_when, functionName, receiver) => {
		const { owner, thief, token } = found;
		const data = encodeFunctionData({ abi, functionName, args: [AMOUNT] });
		const simulation = await foresee(data, {}, missing);
		expect(simulation).toMatchObject({ success: true, by });
		expect(sums(simulation)).toEqual({
			[`${owner} ${token}`]: `-${AMOUNT}`,
			[`${receiver ?? thief} ${token}`]: `${AMOUNT}`,
		});
	});

	test('and coins unless it was asked for a balance', async () => {
		const { owner } = found;
		const data = encodeFunctionData({ abi, functionName: 'keepUnlessAsked' });
		const simulation = await foresee(data, { value: '7' }, missing);
		expect(sums(simulation)).toEqual({ [`${owner} null`]: '-7', [`${THIEF} null`]: '7' });
	});

	test('only at the price that it will pay', async () => {
		const { token } = found;
		const block = (await sandbox.chain('eth_getBlockByNumber', 'latest', false)) as {
			baseFeePerGas: Hex;
		};
		const price = BigInt(block.baseFeePerGas) + 2n * GWEI;
		const args = [AMOUNT, price] as const;
		const data = encodeFunctionData({ abi, functionName: 'takeIfPricedAs', args });
		expect(sums(await foresee(data, {}, missing))).toMatchObject({
			[`${THIEF} ${token}`]: `${AMOUNT}`,
		});
	});
});

test('an account that cannot pay the highest fee is told, though it could pay the present one', async () => {
	const [, , , , from] = (await sandbox.chain('eth_accounts')) as Hex[];
	const coins = BigInt((await sandbox.chain('eth_getBalance', from, 'latest')) as Hex);
	const gas = 21_000n;
	const value = coins - gas * 10n * GWEI;
	const payment = { from, to: THIEF, value: hex(value), gas: hex(gas) };
	const transaction = parseSimulatedTransaction({ ...payment, ...PRICES });
	const simulation = await simulateTransaction(createReader(sandbox), transaction, 'latest');
	expect(simulation).toMatchObject({
		success: false,
		revertReason: expect.stringContaining(
			`it has ${coins} wei, and ${value + gas * 40n * GWEI} are`,
		),
		changes: [],
	});
});
