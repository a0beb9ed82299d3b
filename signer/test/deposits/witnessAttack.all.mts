import { encodeFunctionData, parseAbi, type Hex } from 'viem';
import { TronWeb } from 'tronweb';
import { parseUnsignedWitness } from '../../../nodes/core';
import { getSeed } from '../../../test/harness/caseCount.mts';
import { createRandom, type Random } from '../../../test/harness/random.mts';
import { createSandbox } from '../../../test/harness/sandbox.mts';
import { openDepositsSigner, type DepositsSigner } from '../../nodes/core/depositsSigner';
import { deposit, DEPOSITS, DESTINATION } from '../support/deposits.mts';
import { STRANGER } from '../support/signerNode.mts';
import { asBase58, asWitness, builder } from '../support/witness.mts';
import { deployWitnessToken } from '../sweep/witnessNode.mts';

/**
 * Random TRON requests, similar to those that the key of deposit addresses signs. Signed requests are sent to a chain. All that an address
 * loses there must be at the destination, except a fee of at most Witness Max Fee.
 */

const sandbox = createSandbox({ chain: true });

const COUNT = 20_000;
const INDEXES = [0, 1, 2, 3, 4];
const MAX_FEE = 30_000_000n;
const SUN_PER_BYTE = 1000n;
const BYTES_BESIDE_RAW_DATA = 134;
const FUNDS = 1_000_000;
const TOKENS = 10n ** 9n;

const abi = parseAbi([
	'function transfer(address to, uint256 amount)',
	'function transferFrom(address from, address to, uint256 amount)',
	'function approve(address spender, uint256 amount)',
	'function increaseAllowance(address spender, uint256 added)',
	'function multicall(bytes[] calls)',
]);

interface Scene {
	readonly signer: DepositsSigner;
	readonly client: TronWeb;
	readonly wallets: readonly string[];
	readonly tokens: ReadonlyArray<Awaited<ReturnType<typeof deployWitnessToken>>>;
}

/** Gives coins and two tokens to the addresses. One token is listed in the rules, and the other is not. */
async function buildScene(): Promise<Scene> {
	await sandbox.control('PUT', '/wallet', { blockTime: 20, defaultBalance: FUNDS });
	const tokens = [await deployWitnessToken(sandbox), await deployWitnessToken(sandbox)];
	for (const token of tokens) for (const index of INDEXES) await token.give(index, TOKENS);
	const [listed] = tokens;
	return {
		signer: await openDepositsSigner({ ...DEPOSITS, tokens: String(listed?.address) }),
		client: new TronWeb({ fullHost: `${sandbox.nodeUrl}/${sandbox.authToken}` }),
		wallets: INDEXES.map(deposit),
		tokens,
	};
}

const OTHER_KINDS = [
	'delegate',
	'undelegate',
	'freeze',
	'unfreeze',
	'vote',
	'asset',
	'permissions',
	'withdraw',
] as const;

type Kind = 'coins' | 'call' | (typeof OTHER_KINDS)[number];

/** Draws a request. Most parts are as the rules allow, and some are changed. */
function draw({ oneOf, upTo, bytes, number }: Random, { wallets, tokens }: Scene) {
	const often = <T,>(usual: T, ...others: readonly T[]) => (upTo(5) === 0 ? oneOf(others) : usual);
	const index = oneOf(INDEXES);
	const own = wallets[index] ?? '';
	const contracts = tokens.map(({ hex }) => `0x${hex.slice(2)}`);
	const people = [STRANGER, oneOf(wallets), oneOf(contracts), `0x${'0'.repeat(40)}`];
	const somebody = () => often<string>(DESTINATION, ...people) as Hex;
	const amount = () => often(BigInt(1 + upTo(10_000)), 0n, 1n, TOKENS, 2n ** 256n - 1n, number(9));
	const [listed = ''] = contracts;
	const calls: ReadonlyArray<readonly [string, readonly unknown[]]> = [
		['transfer', [somebody(), amount()]],
		['transferFrom', [oneOf([own, oneOf(wallets)]), somebody(), amount()]],
		['approve', [somebody(), amount()]],
		['increaseAllowance', [somebody(), amount()]],
		['multicall', [[bytes(upTo(40))]]],
	];
	const [functionName, args] = often(calls[0] ?? oneOf(calls), ...calls);
	const encoded = encodeFunctionData({ abi, functionName, args } as never);
	return {
		index,
		kind: oneOf<Kind>(['coins', 'coins', 'call', 'call', oneOf(OTHER_KINDS)]),
		owner: asWitness(often(own, oneOf(wallets), STRANGER)),
		to: asWitness(somebody()),
		sun: Number(often(BigInt(300_000 + upTo(5_000_000)), 1n, 200_000n, 264_999n, 10n ** 9n)),
		contract: asWitness(often(listed, ...contracts, DESTINATION, own)),
		data: often<string>(encoded, `${encoded}00`, encoded.slice(0, -2), bytes(upTo(100))),
		feeLimit: Number(often(15_000_000n, 0n, 29_000_000n, 29_700_000n, 10n ** 10n)),
		callValue: Number(often(0n, 1n, 10n ** 6n)),
		permissionId: often(undefined, 1, 2),
		memo: often('', 'hello', 'a'.repeat(3000)),
		lifeMs: often(60_000, 3_500_000, 3_700_000, 86_000_000, -1),
		roundMs: upTo(1_000_000),
	};
}

type Drawn = ReturnType<typeof draw>;

/** Builds the transaction with tronweb. Returns undefined if tronweb cannot encode it. */
async function build(drawn: Drawn) {
	const { kind, owner, to, sun, contract, data, feeLimit, callValue, permissionId, memo } = drawn;
	const blockHeader = {
		ref_block_bytes: 'ab12',
		ref_block_hash: '0123456789abcdef',
		expiration: Date.now() + drawn.lifeMs,
		timestamp: Date.now() - drawn.roundMs,
	};
	const local = { blockHeader, txLocal: true, ...(permissionId !== undefined && { permissionId }) };
	const builders = {
		coins: async () => await builder.sendTrx(to, sun, owner, local),
		call: async () => {
			const terms = { ...local, input: data.slice(2), feeLimit, callValue } as never;
			return (await builder.triggerSmartContract(contract, '', terms, [], owner)).transaction;
		},
		delegate: async () =>
			await builder.delegateResource(sun + 1_000_000, to, 'ENERGY', owner, false, 0, local),
		undelegate: async () => await builder.undelegateResource(sun, to, 'ENERGY', owner, local),
		freeze: async () => await builder.freezeBalanceV2(sun + 1_000_000, 'ENERGY', owner, local),
		unfreeze: async () => await builder.unfreezeBalanceV2(sun, 'ENERGY', owner, local),
		vote: async () => await builder.vote({ [to]: 1 }, owner, local),
		asset: async () => await builder.sendToken(to, sun, '1000001', owner, local),
		withdraw: async () => await builder.withdrawBlockRewards(owner, local),
		permissions: async () => {
			const keys = [{ address: to, weight: 1 }];
			const rule = { type: 0, permission_name: 'owner', threshold: 1, keys };
			const active = { ...rule, type: 2, operations: '7fff1fc0033e0000'.padEnd(64, '0') };
			return await builder.updateAccountPermissions(
				owner,
				rule as never,
				undefined,
				active as never,
				local,
			);
		},
	} as const;
	try {
		const built = await builders[kind]();
		return memo === '' ? built : await builder.addUpdateData(built, memo, 'utf8', local);
	} catch {
		return undefined;
	}
}

interface SignedWitness {
	readonly raw_data: {
		readonly fee_limit?: number;
		readonly contract: ReadonlyArray<{
			readonly type: string;
			readonly parameter: { readonly value: { readonly amount?: number } };
		}>;
	};
	readonly raw_data_hex: string;
}

/** Signs a random transaction. Returns undefined if it is refused. */
async function sign({ signer }: Scene, drawn: Drawn): Promise<SignedWitness | undefined> {
	const built = await build(drawn);
	if (!built) return undefined;
	try {
		const {
			visible = false,
			txID,
			raw_data,
			raw_data_hex,
		} = JSON.parse(JSON.stringify(built)) as Record<string, unknown>;
		const given = parseUnsignedWitness({ visible, txID, raw_data, raw_data_hex });
		return (await signer.sign(drawn.index, {
			kind: 'witnessTransaction',
			given,
		})) as never as SignedWitness;
	} catch {
		return undefined;
	}
}

async function readHoldings({ client, wallets, tokens }: Scene) {
	const readCoins = async (owner: string) =>
		BigInt(await client.trx.getUnconfirmedBalance(asBase58(owner)));
	const sum = async (read: (owner: string) => Promise<bigint>) =>
		(await Promise.all([...wallets, DESTINATION].map(read))).reduce((all, one) => all + one, 0n);
	return {
		coins: await sum(readCoins),
		tokens: await Promise.all(tokens.map(async (token) => await sum(token.of))),
		stranger: [
			await readCoins(STRANGER),
			...(await Promise.all(tokens.map(async (token) => await token.of(STRANGER)))),
		],
		destination: await readCoins(DESTINATION),
	};
}

test('whatever is signed goes to the destination, or burns at most its fee', async () => {
	const scene = await buildScene();
	const random = createRandom(getSeed(78));
	const start = await readHoldings(scene);
	const counts = { coins: 0, tokens: 0 };
	let [highestFees, sent] = [0n, 0n];
	for (let round = 0; round < COUNT; round++) {
		const signed = await sign(scene, draw(random, scene));
		if (!signed) continue;
		const { fee_limit = 0, contract } = signed.raw_data;
		const [{ type, parameter } = { type: '', parameter: { value: {} } }] = contract;
		const bytes = signed.raw_data_hex.length / 2 + BYTES_BESIDE_RAW_DATA;
		const fee = BigInt(fee_limit) + BigInt(bytes) * SUN_PER_BYTE;
		expect(fee).toBeLessThanOrEqual(MAX_FEE);
		const amount = BigInt(parameter.value.amount ?? 0);
		expect(['TransferContract', 'TriggerSmartContract']).toContain(type);
		if (type === 'TransferContract') expect(amount).toBeGreaterThanOrEqual(fee);
		counts[type === 'TransferContract' ? 'coins' : 'tokens']++;
		const answer = await scene.client.trx.sendRawTransaction(signed as never);
		if (answer.result) [highestFees, sent] = [highestFees + fee, sent + amount];
	}
	const end = await readHoldings(scene);
	expect(end.tokens).toEqual(start.tokens);
	expect(end.stranger).toEqual(start.stranger);
	expect(start.coins - end.coins).toBeLessThanOrEqual(highestFees);
	expect(end.destination - start.destination).toBe(sent);
	expect(sent).toBeGreaterThan(0n);
	for (const count of Object.values(counts)) expect(count).toBeGreaterThan(COUNT / 50);
}, 3_600_000);
