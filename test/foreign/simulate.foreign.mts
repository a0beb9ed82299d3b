import { encodeFunctionData, getAddress, parseAbi, toHex, type Hex } from 'viem';
import { evmRpcAt } from '../engine/evmRpc/support/scene.mts';
import { deployContract } from '../harness/contract.mts';
import { createSandbox } from '../harness/sandbox.mts';

// Hardhat simulates with other code than anvil. The test compares a simulation with the transaction that is sent
// afterwards.

const sandbox = createSandbox({ chain: true });
const { first } = evmRpcAt(sandbox);

const abi = parseAbi([
	'function takeIfPaid(uint256 amount)',
	'function approve(address spender, uint256 amount)',
	'function mint(address to, uint256 amount)',
	'function balanceOf(address account) view returns (uint256)',
]);
const THIEF = getAddress('0x000000000000000000000000000000000007e1ef');
const AMOUNT = 500n;
const PRICES = { maxFeePerGas: '0x12a05f2000', maxPriorityFeePerGas: '0x77359400' };

test('a contract that takes tokens only where gas has a price does so in the preview, too', async () => {
	const token = await deployContract(sandbox, 'Plain', { file: 'Forecast' });
	const given = [BigInt(token.address)];
	const { address, owner } = await deployContract(sandbox, 'Evasive', { given });
	const tell = async (data: Hex) => await sandbox.mined({ from: owner, to: token.address, data });
	await tell(encodeFunctionData({ abi, functionName: 'mint', args: [owner as Hex, AMOUNT] }));
	await tell(encodeFunctionData({ abi, functionName: 'approve', args: [address as Hex, AMOUNT] }));

	const data = encodeFunctionData({ abi, functionName: 'takeIfPaid', args: [AMOUNT] });
	const call = { from: owner, to: address, data, gas: '0x100000' };
	const simulate = async (transaction: object) =>
		await first({ resource: 'transaction', operation: 'simulate', transaction } as never);
	const whose = { kind: 'erc20', token: getAddress(token.address) };
	expect(await simulate({ ...call, ...PRICES })).toMatchObject({
		success: true,
		changes: [
			{ ...whose, account: getAddress(owner), value: `-${AMOUNT}` },
			{ ...whose, account: THIEF, value: `${AMOUNT}` },
		],
	});
	// This contract hides its transfer if a call has no gas price. The earlier simulation has a price, so it shows the
	// transfer.
	expect(await simulate(call)).toMatchObject({ success: true, changes: [] });

	await sandbox.mined({ ...call, ...PRICES });
	const read = encodeFunctionData({ abi, functionName: 'balanceOf', args: [THIEF] });
	const held = await sandbox.chain('eth_call', { to: token.address, data: read }, 'latest');
	expect(BigInt(String(held))).toBe(AMOUNT);
});

test('an account that cannot pay the highest fee is told, though it could pay the present one', async () => {
	const [, , , , from] = (await sandbox.chain('eth_accounts')) as Hex[];
	const coins = BigInt((await sandbox.chain('eth_getBalance', from, 'latest')) as Hex);
	const [gas, present] = [21_000n, 10n * 10n ** 9n];
	const highest = gas * BigInt(PRICES.maxFeePerGas);
	const simulate = async (value: bigint) => {
		const transaction = { from, to: THIEF, value: toHex(value), gas: toHex(gas), ...PRICES };
		return await first({ resource: 'transaction', operation: 'simulate', transaction } as never);
	};
	expect(await simulate(coins - gas * present)).toMatchObject({
		success: false,
		by: 'debug_traceCall',
		revertReason: expect.stringContaining(`it has ${coins} wei`),
		changes: [],
	});
	expect(await simulate(coins - highest)).toMatchObject({ success: true });
});
