import fc from 'fast-check';
import {
	encodeDeployData,
	encodeFunctionData,
	erc1155Abi,
	erc20Abi,
	erc721Abi,
	formatEther,
	getAddress,
	getContractAddress,
	keccak256,
	parseEther,
	parseGwei,
	parseUnits,
	serializeTransaction,
	toHex,
	type Abi,
	type Address,
	type Hex,
	type TransactionSerializable,
} from 'viem';
import { createRandom, type Random } from '../../harness/random.mts';
import { parameters, values, type Json, type Value } from '../evm/abi/support/anything.mts';
import { numberToHex, prepareOne, toWord, type Answers } from '../support/preparing.mts';
import { getCaseCount, getSeed } from '../../harness/caseCount.mts';

const SEEDS = getCaseCount(500);

/** A user's input, the transaction that viem makes for it, and the answers of the chain. */
interface Case {
	readonly given: Readonly<Record<string, unknown>>;
	readonly wanted: { readonly to?: Address; readonly value: bigint; readonly data: Hex };
	readonly answers?: Answers;
}

type CaseOf = (random: Random, seed: number) => Case;

/** Draws a random address in a spelling that users may enter. It is never the zero address. */
function addressFrom(random: Random) {
	const address = getAddress(`${random.bytes(19)}0${1 + random.upTo(8)}`);
	const spelt = random.oneOf([
		address,
		address.toLowerCase(),
		` ${address} `,
		`0x${address.slice(2).toUpperCase()}`,
	]);
	return { address, spelt };
}

/** Draws a random amount as text, with at most the given number of decimals. */
function amountFrom({ upTo }: Random, decimals: number): string {
	const fraction = Array.from({ length: upTo(decimals) }, () => upTo(9)).join('');
	return fraction === '' ? String(upTo(10 ** 9)) : `${upTo(10 ** 9)}.${fraction}`;
}

/** Draws a random amount of coins as text, and the value that viem computes for it. */
function coinsFrom(random: Random) {
	const [whole, small] = [amountFrom(random, 18), amountFrom(random, 9)];
	return random.oneOf([
		{ amount: whole, value: parseEther(whole) },
		{ amount: `${whole} ether`, value: parseEther(whole) },
		{ amount: `${small} gwei`, value: parseGwei(small) },
	]);
}

function token(random: Random) {
	const decimals = random.upTo(24);
	const { address, spelt } = addressFrom(random);
	const amount = amountFrom(random, decimals);
	return {
		address,
		spelt,
		amount,
		units: parseUnits(amount, decimals),
		answers: tokenOf(decimals),
	};
}

type Called = readonly [{ readonly data: string }];

/** Answers like a token with the given number of decimals. All accounts have a high balance. */
const tokenOf = (decimals: number): Answers => ({
	eth_call: ([{ data }]: Called) => {
		if (data.startsWith('0x70a08231')) return toWord(2n ** 255n);
		return toWord(data.startsWith('0x313ce567') ? decimals : 1);
	},
});

/** Answers like an NFT contract: of ERC-721 if `isSingle` is true, and otherwise of ERC-1155. */
const nftOf = (isSingle: boolean): Answers => ({
	eth_call: ([{ data }]: Called) => toWord(data.includes('80ac58cd') === isSingle ? 1 : 0),
});

const kinds: Readonly<Record<string, CaseOf>> = {
	coinTransfer: (random) => {
		const [to, { amount, value }] = [addressFrom(random), coinsFrom(random)];
		return { given: { to: to.spelt, amount }, wanted: { to: to.address, value, data: '0x' } };
	},
	tokenTransfer: (random) => {
		const [of, to] = [token(random), addressFrom(random)];
		const args = [to.address, of.units] as const;
		return {
			given: { kind: 'tokenTransfer', token: of.spelt, to: to.spelt, amount: of.amount },
			wanted: {
				to: of.address,
				value: 0n,
				data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args }),
			},
			answers: of.answers,
		};
	},
	tokenApproval: (random) => {
		const [of, spender] = [token(random), addressFrom(random)];
		const isUnlimited = random.upTo(3) === 0;
		const args = [spender.address, isUnlimited ? 2n ** 256n - 1n : of.units] as const;
		const amount = isUnlimited ? random.oneOf(['unlimited', ' Unlimited']) : of.amount;
		return {
			given: { kind: 'tokenApproval', token: of.spelt, spender: spender.spelt, amount },
			wanted: {
				to: of.address,
				value: 0n,
				data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args }),
			},
			answers: of.answers,
		};
	},
	'nftTransfer of ERC-721': (random) => {
		const [contract, to, tokenId] = [addressFrom(random), addressFrom(random), random.number(32)];
		return {
			given: {
				kind: 'nftTransfer',
				contract: contract.spelt,
				to: to.spelt,
				tokenId: random.oneOf([String(tokenId), toHex(tokenId)]),
			},
			wanted: {
				to: contract.address,
				value: 0n,
				data: encodeFunctionData({
					abi: erc721Abi,
					functionName: 'safeTransferFrom',
					args: [payerOf(random), to.address, tokenId],
				}),
			},
			answers: nftOf(true),
		};
	},
	'nftTransfer of ERC-1155': (random) => {
		const [contract, to, tokenId] = [addressFrom(random), addressFrom(random), random.number(32)];
		const quantity = 1n + random.number(8);
		return {
			given: {
				kind: 'nftTransfer',
				contract: contract.spelt,
				to: to.spelt,
				tokenId: String(tokenId),
				quantity: String(quantity),
			},
			wanted: {
				to: contract.address,
				value: 0n,
				data: encodeFunctionData({
					abi: erc1155Abi,
					functionName: 'safeTransferFrom',
					args: [payerOf(random), to.address, tokenId, quantity, '0x'],
				}),
			},
			answers: nftOf(false),
		};
	},
	contractFunction: (random, seed) => {
		const [to, { amount, value }, called] = [
			addressFrom(random),
			coinsFrom(random),
			argumentLists[seed],
		];
		const entry = { type: 'function', name: 'act', stateMutability: 'payable', outputs: [] };
		const abi = [{ ...entry, inputs: called?.types }];
		const data = encodeFunctionData({ abi: abi as Abi, functionName: 'act', args: called?.plain });
		return {
			given: {
				kind: 'contractFunction',
				to: to.spelt,
				function: JSON.stringify(abi),
				amount,
				argumentsBy: 'json',
				arguments: called?.given,
			},
			wanted: { to: to.address, value, data },
		};
	},
	deployment: (random, seed) => {
		const [{ amount, value }, made] = [coinsFrom(random), argumentLists[seed]];
		const abi = [{ type: 'constructor', stateMutability: 'payable', inputs: made?.types }];
		const bytecode = random.bytes(1 + random.upTo(300));
		return {
			given: {
				kind: 'deployment',
				bytecode: random.oneOf([bytecode, bytecode.slice(2)]),
				amount,
				function: JSON.stringify(abi),
				argumentsBy: 'json',
				arguments: made?.given,
			},
			wanted: { value, data: encodeDeployData({ abi: abi as Abi, bytecode, args: made?.plain }) },
		};
	},
	data: (random) => {
		const [to, { amount, value }] = [addressFrom(random), coinsFrom(random)];
		const data = random.bytes(random.oneOf([0, 1, 4, 36, 55, 56, 300]));
		return {
			given: { kind: 'data', to: to.spelt, amount, data },
			wanted: { to: to.address, value, data },
		};
	},
};

/** The payer of each test case, stored so that the input and the expected transaction have the same payer. */
const payers = new WeakMap<Random, Address>();

function payerOf(random: Random): Address {
	const known = payers.get(random) ?? addressFrom(random).address;
	payers.set(random, known);
	return known;
}

/** Random types of arguments, with random values. */
const argumentLists = fc
	.sample(
		parameters(2).chain((types) => fc.tuple(fc.constant(types), values(types))),
		{ numRuns: SEEDS, seed: getSeed(20261123) },
	)
	.map(([types, list]: [Json[], Value[]]) => ({
		types,
		plain: list.map(({ plain }) => plain),
		given: JSON.parse(
			JSON.stringify(
				list.map(({ given }) => given),
				inJson,
			),
		) as unknown,
	}));

function inJson(_key: string, value: unknown): unknown {
	return typeof value === 'bigint' ? String(value) : value;
}

/** Builds the answers of a chain for a test case, and the transaction that viem makes. */
function chainFrom(random: Random, { wanted, given, answers }: Case) {
	const [chainId, nonce] = [1n + random.number(4), random.number(6)];
	const [baseFee, tip, gasPrice] = [random.number(6), random.number(6), random.number(6)];
	const estimate = 21_002n + BigInt(random.upTo(10_000_000));
	const isLegacy = random.upTo(2) === 0;
	const gas = (estimate * 120n + 99n) / 100n;
	const price = isLegacy
		? ({ type: 'legacy', gasPrice } as const)
		: ({ type: 'eip1559', maxFeePerGas: 2n * baseFee + tip, maxPriorityFeePerGas: tip } as const);
	return {
		given: { from: payerOf(random), ...given },
		transaction: {
			chainId: Number(chainId),
			nonce: Number(nonce),
			gas,
			...price,
			...wanted,
		} as TransactionSerializable,
		answers: {
			eth_chainId: numberToHex(chainId),
			eth_getTransactionCount: numberToHex(nonce),
			eth_gasPrice: numberToHex(gasPrice),
			eth_feeHistory: isLegacy
				? {}
				: {
						baseFeePerGas: [numberToHex(baseFee)],
						gasUsedRatio: [1],
						reward: [[numberToHex(0), numberToHex(tip), numberToHex(tip * 2n)]],
					},
			eth_getBlockByNumber: {
				number: '0x1',
				...(!isLegacy && { baseFeePerGas: numberToHex(baseFee) }),
			},
			eth_getBalance: numberToHex(2n ** 255n),
			eth_getCode: '0x60',
			eth_estimateGas: numberToHex(estimate),
			...answers,
		},
	};
}

describe.each(Object.entries(kinds))('%s', (_, caseOf) => {
	test(`is serialized and hashed as viem does it, ${SEEDS} times`, async () => {
		for (let seed = 0; seed < SEEDS; seed++) {
			const random = createRandom(seed * 7919 + 1);
			const one = caseOf(random, seed);
			const { given, transaction, answers } = chainFrom(random, one);
			const made = await prepareOne(given, answers);
			const unsignedTransaction = serializeTransaction(transaction);
			const { value = 0n, gas = 0n, gasPrice, maxFeePerGas, to } = transaction;
			const contractAddress = to
				? null
				: getContractAddress({ from: payerOf(random), nonce: BigInt(transaction.nonce ?? -1) });
			expect(made).toMatchObject({
				unsignedTransaction,
				signingHash: keccak256(unsignedTransaction),
				contractAddress,
				maxCost: formatEther(value + gas * (gasPrice ?? maxFeePerGas ?? 0n)),
			});
		}
	});
});
