import { encodeFunctionData, parseAbi, parseTransaction, type Hex } from 'viem';
import { evmTransactionParser } from '../../../nodes/core';
import { getSeed } from '../../../test/harness/caseCount.mts';
import { deployContract } from '../../../test/harness/contract.mts';
import { deployDollar } from '../../../test/harness/dollars.mts';
import { createRandom, type Random } from '../../../test/harness/random.mts';
import { createSandbox } from '../../../test/harness/sandbox.mts';
import { openDepositsSigner, type DepositsSigner } from '../../nodes/core/depositsSigner';
import { deposit, DEPOSITS, DESTINATION } from '../support/deposits.mts';
import { STRANGER } from '../support/signerNode.mts';

/**
 * Random requests, similar to those that the key of deposit addresses signs. Signed requests are sent to a chain. All that an address loses
 * there must be at the destination, except a fee. The fee is at most Max Fee and never exceeds the coins that arrive.
 */

const sandbox = createSandbox({ chain: true });

const COUNT = 20_000;
const INDEXES = [0, 1, 2, 3, 4];
const MAX_FEE = 10n ** 16n;
const FUNDS = 10n ** 22n;
const TOKENS = 10n ** 9n;

const abi = parseAbi([
	'function transfer(address to, uint256 amount)',
	'function transferFrom(address from, address to, uint256 amount)',
	'function approve(address spender, uint256 amount)',
	'function increaseAllowance(address spender, uint256 added)',
	'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
	'function receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
	'function multicall(bytes[] calls)',
]);

interface Scene {
	readonly signer: DepositsSigner;
	readonly wallets: readonly string[];
	readonly tokens: readonly string[];
	readonly sender: string;
}

const read = async (method: string, ...params: unknown[]) =>
	BigInt(String(await sandbox.chain(method, ...params)));
const readToken = async (token: string, owner: string) =>
	await read(
		'eth_call',
		{ to: token, data: `0x70a08231${owner.slice(2).padStart(64, '0')}` },
		'latest',
	);

/** Gives coins and tokens to the addresses. Two of the tokens are listed in the rules, and one is not. */
async function buildScene(): Promise<Scene> {
	const [dollar, coin, other] = [
		await deployDollar(sandbox),
		await deployContract(sandbox, 'Coin', { file: 'Tokens' }),
		await deployContract(sandbox, 'Coin', { file: 'Tokens' }),
	];
	const wallets = INDEXES.map(deposit);
	const tokens = [dollar, coin, other].map(({ address }) => address);
	for (const wallet of [...wallets, DESTINATION, STRANGER]) {
		await sandbox.chain('anvil_setBalance', wallet, `0x${FUNDS.toString(16)}`);
	}
	for (const token of tokens)
		for (const wallet of wallets) {
			const data = encodeFunctionData({
				abi,
				functionName: 'transfer',
				args: [wallet, TOKENS],
			});
			await sandbox.mined({ from: dollar.owner, to: token, data });
		}
	const signer = await openDepositsSigner({
		...DEPOSITS,
		chainIds: '31337',
		tokens: tokens.slice(0, 2).join(' '),
	});
	return { signer, wallets, tokens, sender: dollar.owner };
}

type Wish = readonly [functionName: string, args: readonly unknown[]];

/** Draws a request. Most parts are as the rules allow, and some are changed. */
function draw({ oneOf, upTo, bytes, number }: Random, { wallets, tokens }: Scene) {
	const often = <T,>(usual: T, ...others: readonly T[]) => (upTo(5) === 0 ? oneOf(others) : usual);
	const index = oneOf(INDEXES);
	const own = wallets[index] ?? '';
	const people = [STRANGER, own, oneOf(wallets), oneOf(tokens), `0x${'0'.repeat(40)}`];
	const somebody = () => often<string>(DESTINATION, ...people) as Hex;
	const gas = often(60_000n, 21_000n, 200_000n, number(4));
	const price = often(2n * 10n ** 9n, 10n ** 9n, 10n ** 12n, number(6));
	const amount = () => often(BigInt(1 + upTo(10_000)), 0n, 1n, TOKENS, 2n ** 256n - 1n, number(9));
	const token = often<string>(oneOf(tokens), DESTINATION, STRANGER, own);
	const calls: readonly Wish[] = [
		['transfer', [somebody(), amount()]],
		['transferFrom', [oneOf([own, oneOf(wallets)]), somebody(), amount()]],
		['approve', [somebody(), amount()]],
		['increaseAllowance', [somebody(), amount()]],
		['multicall', [[bytes(upTo(40))]]],
	];
	const data = () => {
		const [functionName, args] = often(calls[0] ?? oneOf(calls), ...calls);
		const encoded = encodeFunctionData({ abi, functionName, args } as never);
		return often<string>(encoded, `${encoded}00`, encoded.slice(0, -2), bytes(upTo(100)));
	};
	const isCall = upTo(1) === 0;
	const value = isCall
		? often(0n, 1n, number(9))
		: often(gas * price * BigInt(1 + upTo(3)), gas * price - 1n, 0n, 1n, number(9));
	return {
		index,
		own,
		chainId: often(31337, 1, 5, 31338),
		type: often('0x2', '0x0', '0x1'),
		to: isCall ? token : somebody(),
		data: isCall ? data() : often('0x', data()),
		gas,
		price,
		value,
		accessList: often<unknown>(undefined, [], [{ address: token, storageKeys: [bytes(32)] }]),
		authorization: {
			to: somebody(),
			value: amount(),
			validAfter: often(0n, 1n, number(4)),
			seconds: often(3000n, 3599n, 3700n, 86_000n, 2n ** 40n),
			nonce: bytes(32),
			token,
			name: often('Test Dollar', 'Test Coin'),
			primaryType: often(
				'TransferWithAuthorization',
				'ReceiveWithAuthorization',
				'CancelAuthorization',
				'Permit',
			),
			from: often(own, oneOf(wallets), STRANGER),
		},
	};
}

type Drawn = ReturnType<typeof draw>;

function formatTransaction({ chainId, type, to, data, gas, price, value, accessList }: Drawn) {
	const prices =
		type === '0x2' ? { maxFeePerGas: price, maxPriorityFeePerGas: price } : { gasPrice: price };
	const texts = Object.entries({ ...prices, gas, value }).map(([name, one]) => [name, String(one)]);
	return {
		type,
		chainId,
		to,
		data,
		...Object.fromEntries(texts),
		...(accessList !== undefined && type !== '0x0' && { accessList }),
	};
}

/** Signs a random transaction. Returns undefined if it is refused. */
async function signTransaction({ signer }: Scene, drawn: Drawn): Promise<Hex | undefined> {
	const nonce = await read('eth_getTransactionCount', drawn.own, 'latest');
	try {
		const transaction = { ...formatTransaction(drawn), nonce: String(nonce) };
		const given = evmTransactionParser('Transaction')(transaction);
		const signed = await signer.sign(drawn.index, { kind: 'transaction', given });
		return (signed as { signedTransaction: Hex }).signedTransaction;
	} catch {
		return undefined;
	}
}

const MEMBERS = [
	{ name: 'from', type: 'address' },
	{ name: 'to', type: 'address' },
	{ name: 'value', type: 'uint256' },
	{ name: 'validAfter', type: 'uint256' },
	{ name: 'validBefore', type: 'uint256' },
	{ name: 'nonce', type: 'bytes32' },
];

/** Signs an authorization, and returns calls that carry it out in several ways. Returns undefined if it is refused. */
async function signAuthorization(
	scene: Scene,
	drawn: Drawn,
): Promise<readonly object[] | undefined> {
	const { chainId, index, authorization } = drawn;
	const { from, to, value, validAfter, seconds, nonce, token, name, primaryType } = authorization;
	const validBefore = BigInt(Math.floor(Date.now() / 1000)) + seconds;
	const message = { from, to, value, validAfter, validBefore, nonce };
	const given = {
		types: { [primaryType]: MEMBERS },
		primaryType,
		domain: { name, version: '2', chainId, verifyingContract: token },
		message,
	};
	try {
		const signed = await scene.signer.sign(index, { kind: 'authorization', given });
		const { signature } = signed as { signature: string };
		const [r, s, v] = [
			signature.slice(0, 66),
			`0x${signature.slice(66, 130)}`,
			signature.slice(130),
		];
		const args = [...Object.values(message), Number(`0x${v}`), r, s];
		return ['transferWithAuthorization', 'receiveWithAuthorization'].map((functionName) => ({
			from: scene.sender,
			to: token,
			data: encodeFunctionData({ abi, functionName, args } as never),
			gas: '0x30000',
		}));
	} catch {
		return undefined;
	}
}

async function readHoldings({ wallets, tokens }: Scene) {
	const sum = async (readOne: (owner: string) => Promise<bigint>) => {
		const all = await Promise.all([...wallets, DESTINATION].map(readOne));
		return all.reduce((total, one) => total + one, 0n);
	};
	return {
		coins: await sum(async (owner) => await read('eth_getBalance', owner, 'latest')),
		tokens: await Promise.all(
			tokens.map(async (token) => await sum(async (owner) => await readToken(token, owner))),
		),
		stranger: await Promise.all([
			read('eth_getBalance', STRANGER, 'latest'),
			...tokens.map(async (token) => await readToken(token, STRANGER)),
		]),
		destination: await read('eth_getBalance', DESTINATION, 'latest'),
	};
}

test('whatever is signed goes to the destination, or burns at most its fee', async () => {
	const scene = await buildScene();
	const random = createRandom(getSeed(77));
	const start = await readHoldings(scene);
	const counts = { coins: 0, tokens: 0, authorizations: 0 };
	const sent: Array<{ readonly hash: unknown; readonly fee: bigint; readonly value: bigint }> = [];
	for (let round = 0; round < COUNT; round++) {
		const drawn = draw(random, scene);
		const signed = await signTransaction(scene, drawn);
		if (signed !== undefined) {
			const parsed = parseTransaction(signed);
			const fee = (parsed.gas ?? 0n) * (parsed.maxFeePerGas ?? parsed.gasPrice ?? 0n);
			expect(fee).toBeLessThanOrEqual(MAX_FEE);
			const isCoins = (parsed.data ?? '0x') === '0x';
			if (isCoins) expect(parsed.value ?? 0n).toBeGreaterThanOrEqual(fee);
			counts[isCoins ? 'coins' : 'tokens']++;
			// The chain refuses a transaction whose gas price or gas is too low.
			const hash = await sandbox.chain('eth_sendRawTransaction', signed).catch(() => undefined);
			if (hash !== undefined) sent.push({ hash, fee, value: parsed.value ?? 0n });
		}
		const orders = await signAuthorization(scene, drawn);
		if (orders) counts.authorizations++;
		for (const order of orders ?? []) await sandbox.chain('eth_sendTransaction', order);
	}
	// A new block carries out payments that still wait, so that the balances do not change while they are read.
	await sandbox.chain('anvil_mine', '0x1');
	const end = await readHoldings(scene);
	// The chain keeps a transaction that is too cheap for its block, until the next transaction of the account replaces
	// it.
	const mined: typeof sent = [];
	for (const one of sent)
		if (await sandbox.chain('eth_getTransactionReceipt', one.hash)) mined.push(one);
	const highestFees = mined.reduce((sum, { fee }) => sum + fee, 0n);
	const value = mined.reduce((sum, one) => sum + one.value, 0n);
	expect(end.tokens).toEqual(start.tokens);
	expect(end.stranger).toEqual(start.stranger);
	expect(start.coins - end.coins).toBeLessThanOrEqual(highestFees);
	expect(end.destination - start.destination).toBe(value);
	for (const count of Object.values(counts)) expect(count).toBeGreaterThan(COUNT / 50);
}, 3_600_000);
