import { encodeFunctionData, parseAbi, parseEther, parseSignature, type Hex } from 'viem';
import {
	deployToken,
	DESTINATION,
	readChain,
	swept,
	type Sweep,
} from '../../../signer/test/sweep/sweepNode.mts';
import { deposit } from '../../harness/accountKey.mts';
import { deployContract } from '../../harness/contract.mts';
import { createAccount, deployDollar } from '../../harness/dollars.mts';
import { figure } from '../../harness/figure.mts';
import { createSandbox } from '../../harness/sandbox.mts';

/**
 * This file measures the cost of sweeping one address on EVM chains, from receipts of the sandbox's chain.
 * The destination already holds the token.
 */

const sandbox = createSandbox({ chain: true });
const chain = readChain(sandbox);

let used = 0;

/** Sweeps the next address. */
async function sweepOne(parameters: object = {}, more: Sweep = {}) {
	const [item] = await swept(sandbox, { indexes: used++, ...parameters }, more);
	const { transactionHash, fundingTransactionHash } = item ?? {};
	const moved = await chain.gas(transactionHash);
	const funded = fundingTransactionHash ? await chain.gas(fundingTransactionHash) : 0n;
	return `${moved} gas for what moves it, ${funded} for the top-up, ${moved + funded} together`;
}

test('coins', async () => {
	await chain.giveCoins(used, parseEther('1'));
	figure(`Coins: ${await sweepOne()}`);
});

test('a token without authorizations', async () => {
	const token = await deployToken(sandbox);
	const run = async () => {
		await token.give(used, 5n);
		const deposits = { tokens: token.address };
		return await sweepOne({ token: token.address }, { deposits });
	};
	await run();
	figure(`A token by topping up: ${await run()}`);
});

test.each([
	['by its authorization', {}],
	['by topping up', { contracts: '' }],
])('a token with authorizations, %s', async (how, rules) => {
	const dollar = await deployDollar(sandbox);
	await dollar.give(DESTINATION, 1n);
	await dollar.give(deposit(used), 5n);
	const { address: token } = dollar;
	figure(
		`A token of EIP-3009 ${how}: ${await sweepOne({ token }, { deposits: { tokens: token }, rules })}`,
	);
});

const abi = parseAbi([
	'struct Call3 { address target; bool allowFailure; bytes callData; }',
	'function aggregate3(Call3[] calls)',
	'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
]);

const AT_ONCE = [1, 2, 5, 20, 100];

test('authorizations in one transaction', async () => {
	const dollar = await deployDollar(sandbox);
	await dollar.give(DESTINATION, 1n);
	const multicall = await deployContract(sandbox, 'Multicall', { file: 'Multicall' });
	for (const count of AT_ONCE) {
		const calls = [];
		for (let at = 0; at < count; at++) {
			const account = createAccount();
			await dollar.give(account.address, 5n);
			const { authorization, signature } = await dollar.sign(account, {
				to: DESTINATION,
				value: 5n,
			});
			const { v = 0n, r, s } = parseSignature(signature);
			const args = [...Object.values(authorization), Number(v), r, s] as never;
			const callData = encodeFunctionData({ abi, functionName: 'transferWithAuthorization', args });
			calls.push({ target: dollar.address, allowFailure: true, callData });
		}
		const data = encodeFunctionData({ abi, functionName: 'aggregate3', args: [calls] });
		const sent = { from: dollar.owner, to: multicall.address as Hex, data, gas: '0xffffff' };
		const { transactionHash } = await sandbox.mined(sent);
		const gas = await chain.gas(transactionHash);
		figure(`${count} authorizations through aggregate3: ${gas / BigInt(count)} gas for each`);
	}
});
