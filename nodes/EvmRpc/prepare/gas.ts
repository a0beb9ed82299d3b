import type { Abi } from '../../core/abi/abi';
import { decodeError } from '../../core/abi/call';
import { nullIfRefused } from '../../core/chain/blocks';
import { asDecimal, exactQuantity, hexString } from '../../core/chain/objects';
import { isRefusal, RequestFailure } from '../../core/errors/requestFailure';
import { invalidResponse } from '../../core/responses/response';
import { isOfContract, revertData } from '../../core/responses/reverts';
import { namesLimit } from '../../core/responses/rpcErrors';
import type { Chain } from '../../core/rpc/chain';
import { toQuantity } from '../../core/values/numbers';
import { isRecord } from '../../core/values/read';
import type { Intent } from './kind';
import { checkAmount } from './spending';

/** What a plain transfer to an account costs. */
const TRANSFER = 21_000n;
/** Some servers estimate by halving, and end one above it. */
const NEARLY = 21_001n;
/** What a transaction may use on most chains (EIP-7825). */
const USUAL_CAP = 2n ** 24n;

interface Bought {
	readonly gas: bigint;
	/** The balance of the account that pays; undefined where nothing is asked of the chain. */
	readonly held: bigint | undefined;
}

interface Fixed {
	readonly gas: bigint | undefined;
	/** Percent. */
	readonly gasBuffer: number;
}

/** The gas to buy. What the chain says would fail is refused, unless the user fixed it. */
export async function boughtGas(
	chain: Chain,
	from: string,
	intent: Intent,
	{ gas: fixed, gasBuffer }: Fixed,
): Promise<Bought> {
	if (fixed !== undefined) return { gas: fixed, held: undefined };
	const [balance, estimated] = await Promise.allSettled([
		readBalance(chain, from),
		estimatedGas(chain, from, intent, gasBuffer),
	]);
	// An account without funds fails the estimate as well, in the words of the node.
	if (balance.status === 'fulfilled') checkAmount(from, balance.value, intent.value);
	const [held, gas] = await Promise.all([unsettled(balance), unsettled(estimated)]);
	return { gas, held };
}

async function unsettled<T>(result: PromiseSettledResult<T>): Promise<T> {
	return result.status === 'fulfilled' ? result.value : await Promise.reject(result.reason);
}

async function readBalance(chain: Chain, account: string): Promise<bigint> {
	return exactQuantity('a balance')(await chain.call('eth_getBalance', [account, 'latest']));
}

async function estimatedGas(
	chain: Chain,
	from: string,
	intent: Intent,
	buffer: number,
): Promise<bigint> {
	const { to, value, data } = intent;
	const call = { from, ...(to !== undefined && { to }), value: toQuantity(value), data };
	const [code, told, limit] = await Promise.all([
		to === undefined ? undefined : readCode(chain, to),
		chain.call('eth_estimateGas', [call, 'latest']).catch(explainedBy(intent.abi)),
		readBlockLimit(chain),
		intent.mayReturnFalse && checkReturned(chain, call),
	]);
	const estimate = exactQuantity('an amount of gas')(told);
	const isAccount = code === '0x';
	if (isAccount && intent.isCall) return noContract(to);
	if (isAccount && data === '0x' && estimate <= NEARLY) return TRANSFER;
	if (estimate === 0n) return invalidResponse('an amount of gas', told);
	return buffered(estimate, buffer, limit);
}

async function readCode(chain: Chain, address: string): Promise<string> {
	return hexString('code as 0x-hex')(await chain.call('eth_getCode', [address, 'latest']));
}

/** How much gas a block holds; undefined where the node does not tell. */
async function readBlockLimit(chain: Chain): Promise<bigint | undefined> {
	const block = await chain.call('eth_getBlockByNumber', ['latest', false]).catch(nullIfRefused);
	const limit = asDecimal(isRecord(block) ? block.gasLimit : null);
	return limit === null || limit === '0' ? undefined : BigInt(limit);
}

/** Rounded up. Nodes refuse what asks for more than a block holds, or a transaction may use. */
function buffered(estimate: bigint, buffer: number, limit: bigint | undefined): bigint {
	if (limit !== undefined && estimate > limit) return intoNoBlock(estimate, limit);
	const wanted = (estimate * BigInt(100 + buffer) + 99n) / 100n;
	const caps = [limit ?? wanted, USUAL_CAP].filter((cap) => estimate <= cap);
	return caps.reduce((least, cap) => (cap < least ? cap : least), wanted);
}

/** A revert is told in the words of the ABI. */
function explainedBy(abi: Abi | undefined) {
	return async (failure: unknown): Promise<never> => {
		if (!tellsOfTransaction(failure)) return await Promise.reject(failure);
		const reason = abi && decodeError(abi.errors, revertData(failure.answer));
		return await Promise.reject(
			new RequestFailure(`The transaction would fail: ${reason?.text ?? failure.message}`, failure),
		);
	};
}

/** Of JSON-RPC, for a question that is none, or of a method that the node does not have. */
const OF_QUESTION: readonly unknown[] = [-32700, -32600, -32601, -32602];

/** Rather than of the question, or of how much may be asked. */
function tellsOfTransaction(failure: unknown): failure is RequestFailure {
	if (!isRefusal(failure) || failure.maybeExecuted || namesLimit(failure.message)) return false;
	const { answer } = failure;
	return isOfContract(failure) || !(isRecord(answer) && OF_QUESTION.includes(answer.code));
}

const FALSE = `0x${'0'.repeat(64)}`;

async function checkReturned(chain: Chain, call: object): Promise<void> {
	// A revert is told by the estimate.
	const returned = await chain.call('eth_call', [call, 'latest']).catch(nullIfRefused);
	if (returned !== FALSE) return;
	throw new RequestFailure('The transaction would fail: the token returns false', {
		description: 'Some tokens refuse so. The balance or the allowance may not suffice.',
	});
}

function intoNoBlock(estimate: bigint, limit: bigint): never {
	throw new RequestFailure(
		`The transaction would fit into no block: it needs ${estimate} gas, a block holds ${limit}`,
		{ description: 'Split what it does into several transactions.' },
	);
}

function noContract(address = ''): never {
	throw new RequestFailure(`There is no contract at ${address}`, {
		description:
			'On this chain the address has no code, so that the call would do nothing, and still be paid for.',
	});
}
