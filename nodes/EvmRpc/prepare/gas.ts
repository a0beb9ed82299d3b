import type { Abi } from '../../core/abi/abi';
import { decodeError } from '../../core/abi/call';
import { exactQuantity, hexString } from '../../core/chain/objects';
import { isRefusal, RequestFailure } from '../../core/errors/requestFailure';
import { revertData } from '../../core/responses/reverts';
import type { Chain } from '../../core/rpc/chain';
import type { GasPrice } from '../../core/transactions/unsigned';
import { decimalText, ETHER, toQuantity } from '../../core/values/numbers';
import type { Intent } from './kind';

/** What a plain transfer to an account costs. */
const TRANSFER = 21_000n;
/** Some servers estimate by halving, and end one above it. */
const NEARLY = 21_001n;

/** The gas to buy. What the account cannot pay for, or the chain says would fail, is refused. */
export async function checkedGas(
	chain: Chain,
	from: string,
	intent: Intent,
	price: GasPrice,
	buffer: number,
): Promise<bigint> {
	const [held, estimated] = await Promise.allSettled([
		readBalance(chain, from),
		estimatedGas(chain, from, intent, buffer),
	]);
	// An account without funds fails the estimate as well, in the words of the node.
	if (held.status === 'fulfilled') checkFunds(from, held.value, intent.value);
	const [balance, gas] = await Promise.all([unsettled(held), unsettled(estimated)]);
	checkFunds(from, balance, highestCost(intent.value, gas, price));
	return gas;
}

async function unsettled<T>(result: PromiseSettledResult<T>): Promise<T> {
	return result.status === 'fulfilled' ? result.value : await Promise.reject(result.reason);
}

async function readBalance(chain: Chain, account: string): Promise<bigint> {
	return exactQuantity('a balance')(await chain.call('eth_getBalance', [account, 'latest']));
}

function checkFunds(from: string, held: bigint, needed: bigint): void {
	if (held >= needed) return;
	const [has, wants] = [held, needed].map((wei) => decimalText(wei, ETHER));
	throw new RequestFailure(
		`The funds do not suffice: ${wants} coins are needed, ${has} are there`,
		{
			description: `Needed are the amount and the highest fee; there is the balance of ${from}.`,
		},
	);
}

/** What the transaction may cost at most, in wei. */
export function highestCost(value: bigint, gas: bigint, price: GasPrice): bigint {
	return value + gas * ('gasPrice' in price ? price.gasPrice : price.maxFeePerGas);
}

async function estimatedGas(
	chain: Chain,
	from: string,
	intent: Intent,
	buffer: number,
): Promise<bigint> {
	const { to, value, data } = intent;
	const call = { from, ...(to !== undefined && { to }), value: toQuantity(value), data };
	const [code, gas] = await Promise.all([
		to === undefined ? undefined : readCode(chain, to),
		chain.call('eth_estimateGas', [call, 'latest']).catch(explainedBy(intent.abi)),
		intent.mayReturnFalse && checkReturned(chain, call),
	]);
	const estimate = exactQuantity('an amount of gas')(gas);
	const isAccount = code === '0x';
	if (isAccount && intent.isCall) return noContract(to);
	if (isAccount && data === '0x' && estimate <= NEARLY) return TRANSFER;
	// Rounded up.
	return (estimate * BigInt(100 + buffer) + 99n) / 100n;
}

async function readCode(chain: Chain, address: string): Promise<string> {
	return hexString('code as 0x-hex')(await chain.call('eth_getCode', [address, 'latest']));
}

/** A revert is told in the words of the ABI. */
function explainedBy(abi: Abi | undefined) {
	return async (failure: unknown): Promise<never> => {
		if (!isRefusal(failure)) return await Promise.reject(failure);
		const reason = abi && decodeError(abi.errors, revertData(failure.answer));
		return await Promise.reject(
			new RequestFailure(`The transaction would fail: ${reason?.text ?? failure.message}`, failure),
		);
	};
}

const FALSE = `0x${'0'.repeat(64)}`;

async function checkReturned(chain: Chain, call: object): Promise<void> {
	// A failure is told by the estimate.
	const returned = await chain.call('eth_call', [call, 'latest']).catch(() => null);
	if (returned !== FALSE) return;
	throw new RequestFailure('The transaction would fail: the token returns false', {
		description: 'Some tokens refuse so. The balance or the allowance may not suffice.',
	});
}

function noContract(address = ''): never {
	throw new RequestFailure(`There is no contract at ${address}`, {
		description:
			'On this chain the address has no code, so that the call would do nothing, and still be paid for.',
	});
}
