import { readBalance, readTokenFacts, readToken } from '../../../nodes/core/evm/tokens';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { rpcError } from '../../../nodes/core/net/responses/rpcErrors';
import { createChain } from '../support/chains.mts';

const TOKEN = `0x${'1'.repeat(40)}`;
/** The highest gas of a transaction since the upgrade Osaka (EIP-7825). Some nodes apply this limit to calls. */
const MOST_GAS = 2n ** 24n;

test('no question to a token asks for more gas than a transaction may use', async () => {
	const gas: bigint[] = [];
	const chain = createChain((_method, [call]) => {
		gas.push(BigInt((call as unknown as { gas: string }).gas));
		return `0x${'0'.repeat(63)}6`;
	});
	await readToken(chain, TOKEN);
	await readTokenFacts(chain, [TOKEN]);
	await readBalance(chain, TOKEN, TOKEN, 'latest');
	expect(gas).not.toEqual([]);
	expect(gas.filter((one) => one > MOST_GAS)).toEqual([]);
});

interface Asked {
	readonly to: string;
	readonly gas?: string;
}

const SIX = `0x${'0'.repeat(63)}6`;
const OTHER = `0x${'2'.repeat(40)}`;

/** Creates a chain whose node answers calls by the given function, and records the calls. */
function chainAsked(answer: (asked: Asked) => unknown) {
	const asked: Asked[] = [];
	const chain = createChain((_method, [call]) => {
		const question = call as unknown as Asked;
		asked.push(question);
		const result = answer(question);
		if (result instanceof Error) throw result;
		return result;
	});
	return { asked, chain };
}

test('the facts of a token are asked once, however often it is met and written', async () => {
	const address = `0x${'ab'.repeat(20)}`;
	const { asked, chain } = chainAsked(() => SIX);
	await readTokenFacts(chain, [address, address.toUpperCase().replace('X', 'x')]);
	const factsOf = await readTokenFacts(chain, [address]);
	expect(factsOf(address)).toMatchObject({ decimals: 6 });
	expect(asked).toHaveLength(2);
});

const refusal = (message: string, code = -32000, data?: unknown) =>
	rpcError('eth_call', { code, message, ...(data !== undefined && { data }) });

describe('a refusal because of the gas', () => {
	test.each([
		['hardhat', 'transaction gas limit (16777216) is greater than the cap (10000000)'],
		['hardhat, of a large call', 'Transaction requires at least 21064 gas but got 21000'],
		['geth', 'err: transaction gas limit too high (cap: 10000000, tx: 16777216)'],
		['geth, of an estimate', 'gas required exceeds allowance (10000000)'],
		['anvil', 'intrinsic gas too high -- CallGasCostMoreThanGasLimit'],
		['Nethermind', 'Block gas limit exceeded'],
		['Besu', 'Transaction gas limit exceeds block gas limit', -32005],
		['another one', 'not today'],
	])('of %s has the token asked again without gas', async (_server, words, code = -32000) => {
		const { asked, chain } = chainAsked(({ gas }) => (gas ? refusal(words, code) : SIX));
		const factsOf = await readTokenFacts(chain, [TOKEN]);
		expect(factsOf(TOKEN)).toMatchObject({ decimals: 6 });
		expect(await readBalance(chain, TOKEN, OTHER, 'latest')).toBe(6n);
		expect(asked.length).toBeLessThanOrEqual(6);
	});

	test('is met once, not for each token', async () => {
		const { asked, chain } = chainAsked(({ gas }) => (gas ? refusal('exceeds gas limit') : SIX));
		await readTokenFacts(chain, [TOKEN]);
		asked.length = 0;
		const factsOf = await readTokenFacts(chain, [OTHER]);
		expect(factsOf(OTHER)).toMatchObject({ decimals: 6 });
		expect(asked.map(({ gas }) => gas)).toEqual([undefined, undefined]);
	});
});

test.each([
	['a gas limit that stays', refusal('Block gas limit exceeded')],
	['a state that is not there', refusal('missing trie node 1a2b (path ) state is not available')],
	['a block that is not there', refusal('header not found')],
	['an error of its own', refusal('Internal error', -32603)],
	['a quota', refusal("You've reached your monthly quota", -32005)],
	['a limit by its words', refusal('Too many requests')],
])('%s is a failure that names the contract, never a null', async (_what, failure) => {
	const { chain } = chainAsked(() => failure);
	const reported = {
		message: failure.message,
		description: expect.stringContaining(`It was asked of the contract ${TOKEN}.`),
	};
	await expect(readTokenFacts(chain, [TOKEN])).rejects.toMatchObject(reported);
	await expect(readToken(chain, TOKEN)).rejects.toMatchObject(reported);
	await expect(readBalance(chain, TOKEN, OTHER, 'latest')).rejects.toMatchObject(reported);
});

describe('a node that takes questions to others', () => {
	const odd = refusal('upstream says: no such luck', -32603);

	test('and refuses one token time and again holds up nothing: its facts are null', async () => {
		const { asked, chain } = chainAsked(({ to }) => (to === TOKEN ? odd : SIX));
		const factsOf = await readTokenFacts(chain, [TOKEN, OTHER]);
		expect(factsOf(TOKEN)).toEqual({ symbol: null, decimals: null });
		expect(factsOf(OTHER)).toMatchObject({ decimals: 6 });
		// Each of the two facts is asked for at most three times in three ways: with gas, without gas, and at another
		// contract. The facts of the other token take two calls.
		expect(asked.length).toBeLessThanOrEqual(2 * 3 * 3 + 2);
	});

	test.each([
		['once', 1],
		['twice', 2],
	])('and refused a token %s has it asked again', async (_how, times) => {
		let refused = 0;
		// The node is asked for two facts, each with gas and without, so a round has four calls.
		const { chain } = chainAsked(({ to }) => (to === TOKEN && refused++ < 4 * times ? odd : SIX));
		const factsOf = await readTokenFacts(chain, [TOKEN]);
		expect(factsOf(TOKEN)).toMatchObject({ decimals: 6 });
	});

	test('and limits how often says nothing of the token', async () => {
		const limit = refusal('Too many requests');
		const { chain } = chainAsked(({ to }) => (to === TOKEN ? limit : SIX));
		await expect(readTokenFacts(chain, [TOKEN])).rejects.toThrow('Too many requests');
	});

	test('is gone meanwhile, which is what is reported', async () => {
		const gone = new RequestFailure('gone', { retry: { because: 'lost' } });
		const { chain } = chainAsked(({ to }) => (to === TOKEN ? odd : gone));
		await expect(readTokenFacts(chain, [TOKEN])).rejects.toThrow('gone');
	});
});

test.each([
	['a limit', new RequestFailure('slow down', { retry: { because: 'limit' } })],
	['an outage', new RequestFailure('gone', { retry: { because: 'lost' }, maybeExecuted: true })],
	['a quota', refusal("You've reached your monthly quota", -32005)],
])('%s is not asked again without gas', async (_what, failure) => {
	const { asked, chain } = chainAsked(() => failure);
	await expect(readTokenFacts(chain, [TOKEN])).rejects.toMatchObject({ message: failure.message });
	expect(asked.every(({ gas }) => gas !== undefined)).toBe(true);
});

/** Messages of several servers for contracts that revert, run out of gas, jump to invalid places, and so on. */
const OWN: Array<[server: string, message: string, code?: number, data?: unknown]> = [
	['geth', 'execution reverted', 3, '0x'],
	['geth', 'execution reverted: transaction gas limit (9) is greater than the cap (1)', 3],
	['geth', 'invalid opcode: INVALID'],
	['geth', 'invalid jump destination'],
	['geth', 'stack underflow (0 <=> 2)'],
	['geth', 'stack limit reached 1024 (1023)'],
	['geth', 'out of gas'],
	['geth', 'gas uint64 overflow'],
	['geth', 'return data out of bounds'],
	['geth', 'write protection'],
	['geth', 'execution aborted (timeout = 5s)'],
	['Reth', 'out of gas: gas required exceeds: 16777216'],
	['Reth', 'EVM error: OpcodeNotFound'],
	['anvil', 'EVM error InvalidFEOpcode', -32603],
	['anvil', 'EVM error OutOfOffset', -32603],
	['anvil', 'EVM error PrecompileError', -32603],
	['Nethermind', 'VM execution error.', -32015, 'revert'],
	['Nethermind', 'StaticCallViolation', -32015],
	['Nethermind', 'BadInstruction', -32015],
	['Besu', 'Execution reverted', -32000, '0x'],
	['Besu', 'Transaction processing could not be completed due to an exception'],
	['hardhat', 'Error: Transaction reverted without a reason string', -32603, { data: '0x' }],
	[
		'hardhat',
		"Error: Transaction reverted: function selector was not recognized and there's no fallback function",
		-32603,
	],
	['hardhat', 'Transaction ran out of gas', -32000, { txHash: null, data: '0x' }],
	['hardhat', 'Error: VM Exception while processing transaction: invalid opcode', -32603],
	['Ganache', 'VM Exception while processing transaction: revert', -32000, '0x'],
	['Ganache', 'VM Exception while processing transaction: value out of range'],
	['Ganache', 'VM Exception while processing transaction: invalid JUMP at 87a7/dc64:2'],
	['Frontier', 'evm error: InvalidCode(Opcode(254))'],
	['java-tron', 'REVERT opcode executed'],
	['java-tron', 'contract validate error : Smart contract is not exist.'],
	['Lotus', 'message execution failed: exit 33, revert reason: 0x', -32603],
	['a gateway', 'response is too big'],
	['one that says it in code', 'no', 3],
	['one that says it in data', 'no', -32000, { result: '0xe450d38c' }],
];

test.each(OWN)(
	"a contract's own failure, as of %s (%s), spoils no list",
	async (...[, message, code, data]) => {
		const own = refusal(message, code, data);
		const { asked, chain } = chainAsked(({ to }) => (to === TOKEN ? own : SIX));
		const factsOf = await readTokenFacts(chain, [TOKEN, OTHER]);
		expect(factsOf(TOKEN)).toEqual({ symbol: null, decimals: null });
		expect(factsOf(OTHER)).toMatchObject({ decimals: 6 });
		// The symbol and the decimals of two tokens take four calls, so no call is repeated.
		expect(asked.length).toBeLessThanOrEqual(4);
		await expect(readToken(chain, TOKEN)).rejects.toThrow('There is no token at');
	},
);
