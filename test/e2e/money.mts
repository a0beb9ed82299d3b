import { encodeFunctionData, parseAbi, type Hex } from 'viem';
import { balanceOf, demo } from './world.mts';

/** The functions by which balances and transactions are read directly from the chain. */

const ABI = parseAbi([
	'function balanceOf(address) view returns (uint256)',
	'function transfer(address, uint256) returns (bool)',
]);

/** The text that means coins, where otherwise the address of a token stands. */
export const COINS = '';

/** Reads the balance of an account in a token or in coins, in the smallest unit. */
export async function readHeld(token: string, owner: string): Promise<bigint> {
	if (token === COINS) return BigInt(await balanceOf(owner));
	const data = encodeFunctionData({ abi: ABI, functionName: 'balanceOf', args: [owner as Hex] });
	return BigInt(String(await demo.sandbox.chain('eth_call', { to: token, data }, 'latest')));
}

/** Pays an address as a customer would. */
export async function payAsCustomer(token: string, to: string, value: bigint): Promise<void> {
	const { owner, payer } = demo.chain;
	const data = encodeFunctionData({ abi: ABI, functionName: 'transfer', args: [to as Hex, value] });
	await demo.sandbox.mine(
		token === COINS
			? { from: payer, to, value: `0x${value.toString(16)}` }
			: { from: owner, to: token, data },
	);
}

/** Reads the sender of a transaction and the fee that it has paid. */
export async function readCost(hash: string): Promise<{ from: string; fee: bigint }> {
	const receipt = await demo.sandbox.chain('eth_getTransactionReceipt', hash);
	const { from, gasUsed, effectiveGasPrice } = receipt as Record<string, string>;
	return { from: String(from), fee: BigInt(gasUsed ?? 0) * BigInt(effectiveGasPrice ?? 0) };
}
