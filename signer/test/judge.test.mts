import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import {
	decodeFunctionData,
	encodeFunctionData,
	parseAbi,
	parseEther,
	parseTransaction,
	recoverTransactionAddress,
	size,
	slice,
	toFunctionSelector,
	zeroAddress,
	type Hex,
} from 'viem';
import { createRandom, type Random } from '../../test/harness/random.mts';
import {
	ADDRESS,
	CONTRACT,
	FRIEND,
	signed,
	signTransaction,
	STRANGER,
	TOKEN,
} from './support/signerNode.mts';
import { refuserIn } from './support/takenOut.mts';

/** Rules and transactions are random: viem's view of each decides whether it had to be signed. */
const SETS_OF_RULES = 40;
const TRANSACTIONS_EACH = 50;

const OWN = ADDRESS.toLowerCase();
const PEOPLE = [OWN, FRIEND, STRANGER, zeroAddress].map((one) => one.toLowerCase());
const CONTRACTS = [TOKEN, CONTRACT, STRANGER].map((one) => one.toLowerCase());
const AMOUNTS = [0n, 1n, 99n, 100n, 101n, 2n ** 255n, 2n ** 256n - 1n];
const COINS = [0n, 0n, 0n, 1n, parseEther('0.5'), parseEther('0.5') + 1n, parseEther('1')];

const abi = parseAbi([
	'function transfer(address to, uint256 amount)',
	'function transferFrom(address from, address to, uint256 amount)',
	'function approve(address spender, uint256 amount)',
	'function increaseAllowance(address spender, uint256 added)',
	'function decreaseAllowance(address spender, uint256 less)',
	'function setApprovalForAll(address operator, bool approved)',
	'function safeTransferFrom(address from, address to, uint256 id)',
	'function safeTransferFrom(address from, address to, uint256 id, bytes data)',
	'function safeTransferFrom(address from, address to, uint256 id, uint256 quantity, bytes data)',
	'function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] quantities, bytes data)',
]);

interface Given {
	readonly chainId: number;
	readonly to: string | undefined;
	readonly value: bigint;
	readonly data: Hex;
	readonly gas: bigint;
	readonly maxFeePerGas: bigint;
	readonly accessList: ReadonlyArray<{ address: string; storageKeys: readonly Hex[] }>;
}

interface Ruled {
	readonly chainIds: readonly number[];
	readonly maxAmount: bigint;
	readonly maxFee: bigint;
	readonly recipients: readonly string[];
	/** The list may contain `*`. */
	readonly contracts: readonly string[];
	readonly limits: ReadonlyMap<string, bigint>;
	readonly allowDeployments: boolean;
}

function someOf<T>(random: Random, all: readonly T[]): T[] {
	return all.filter(() => random.upTo(1) === 0);
}

function rulesFrom(random: Random): Ruled {
	const limited = random.oneOf([[], [TOKEN], [TOKEN], [TOKEN, CONTRACT]]);
	return {
		chainIds: random.oneOf([[31337], [31337, 1]]),
		maxAmount: random.oneOf([parseEther('0.5'), parseEther('1')]),
		maxFee: random.oneOf([parseEther('0.001'), parseEther('0.01')]),
		recipients: random.oneOf([[], someOf(random, [...PEOPLE, CONTRACT.toLowerCase()])]),
		contracts: [...someOf(random, CONTRACTS), ...(random.upTo(3) === 0 ? ['*'] : [])],
		limits: new Map(limited.map((one) => [one.toLowerCase(), random.oneOf([0n, 100n])])),
		allowDeployments: random.upTo(1) === 0,
	};
}

/** Formats the rules as a credential holds them. */
function credentialOf(rules: Ruled): ICredentialDataDecryptedObject {
	const coins = (wei: bigint) => (Number(wei) / 1e18).toFixed(6);
	return {
		chainIds: rules.chainIds.join(', '),
		maxAmount: coins(rules.maxAmount),
		maxFee: coins(rules.maxFee),
		recipients: rules.recipients.join(' '),
		contracts: rules.contracts.join('\n'),
		tokenLimits: [...rules.limits].map((line) => line.join(' ')).join('\n'),
		allowDeployments: rules.allowDeployments,
	};
}

function callFrom(random: Random): Hex {
	const { name, inputs } = random.oneOf(abi);
	const valueOf: Readonly<Record<string, () => unknown>> = {
		address: () => random.oneOf(PEOPLE),
		uint256: () => random.oneOf(AMOUNTS),
		'uint256[]': () => [random.oneOf(AMOUNTS), random.oneOf([0n, 1n])],
		bool: () => random.upTo(1) === 0,
		bytes: () => random.oneOf(['0x', '0x12']),
	};
	const args = inputs.map(({ type }) => valueOf[type]!());
	const data = encodeFunctionData({ abi, functionName: name, args } as never) as string;
	return random.oneOf([
		data,
		data,
		data,
		data,
		data,
		data,
		data,
		data,
		`${data}00`,
		data.slice(0, -2),
		data.slice(0, 10),
		`${data.slice(0, 10)}01${data.slice(12)}`,
	]) as Hex;
}

function transactionFrom(random: Random): Given {
	const to = random.oneOf([...CONTRACTS, ...CONTRACTS, TOKEN.toLowerCase(), ...PEOPLE, undefined]);
	const isPayment = to !== undefined && random.upTo(4) === 0;
	const others = ['0x12', '0x12345678'] as const;
	const call = random.upTo(5) === 0 ? random.oneOf(others) : callFrom(random);
	const data: Hex = isPayment ? '0x' : call;
	const accessList = random.oneOf([
		[],
		[],
		[{ address: random.oneOf(PEOPLE), storageKeys: [`0x${'12'.repeat(32)}` as const] }],
	]);
	const given = { to, data, accessList };
	const least = leastGas(given);
	return {
		...given,
		chainId: random.upTo(19) === 0 ? 1 : 31337,
		value: random.oneOf(COINS),
		gas: random.oneOf([least, least, least + 50_000n, 1_000_000n, least - 1n]),
		maxFeePerGas: random.oneOf([1n, 1_000_000_000n, 10_000_000_000n]),
	};
}

function leastGas({ to, data, accessList }: Pick<Given, 'to' | 'data' | 'accessList'>): bigint {
	const pairs = data.slice(2).match(/../g) ?? [];
	const others = pairs.filter((pair) => pair !== '00').length;
	const zeros = pairs.length - others;
	const code = to === undefined ? 32_000 + 2 * Math.ceil(pairs.length / 32) : 0;
	const listed = accessList.reduce(
		(sum, { storageKeys: { length } }) => sum + 2400 + 1900 * length,
		0,
	);
	const usual = 16 * others + 4 * zeros + code + listed;
	return BigInt(21_000 + Math.max(usual, 40 * others + 10 * zeros));
}

/** Lists the rules that a transaction breaks. */
function brokenBy(given: Given, rules: Ruled): ReadonlySet<string> {
	const { chainId, to, value, data, gas, maxFeePerGas } = given;
	const broken = new Set<string>();
	const want = (rule: string, holds: boolean) => void (holds || broken.add(rule));
	const mayReceive = (one: string) =>
		rules.recipients.length === 0 || rules.recipients.includes(one);
	want('Chain IDs', rules.chainIds.includes(chainId));
	want('Max Amount', value <= rules.maxAmount);
	want('Max Fee', gas * maxFeePerGas <= rules.maxFee);
	want('the gas', gas >= leastGas(given));
	if (to === undefined) {
		want('Allow Deployments', rules.allowDeployments);
		want('Recipients', value === 0n || rules.recipients.length === 0);
		return broken;
	}
	if (size(data) === 0) {
		want('Recipients', mayReceive(to) || (to === OWN && value === 0n));
		return broken;
	}
	const isNamed = rules.contracts.includes(to);
	const isAllowed = isNamed || rules.contracts.includes('*');
	want('Recipients', value === 0n || isNamed || mayReceive(to));
	const call = decoded(data);
	if (call === 'unclear') want('the canonical encoding', false);
	else if (call === undefined) want('Contracts', isAllowed);
	else judgeCall(call);
	return broken;

	function judgeCall({ name, args }: Call) {
		const limit = rules.limits.get(to!);
		const isOfErc20 = /^(transfer|transferFrom|approve|\w+Allowance)$/.test(name);
		const isOfOthers = name === 'transferFrom' && args[0] !== OWN;
		want('Contracts', isAllowed || (limit !== undefined && isOfErc20 && !isOfOthers));
		const receiver = String(/from$/i.test(name) ? args[1] : args[0]);
		const takesBack =
			name === 'decreaseAllowance' ||
			(name === 'setApprovalForAll' && args[1] === false) ||
			(name === 'approve' && receiver === zeroAddress) ||
			(name === 'approve' && args[1] === 0n && limit !== undefined);
		want('Recipients', takesBack || mayReceive(receiver));
		want('Token Limits', limit === undefined || amountOf({ name, args }) <= limit);
	}
}

interface Call {
	readonly name: string;
	readonly args: readonly unknown[];
}

const SELECTORS = abi.map((item) => toFunctionSelector(item));

/** Decodes to lower case; `unclear` where viem would encode it differently. */
function decoded(data: Hex): Call | 'unclear' | undefined {
	if (!SELECTORS.includes(slice(data, 0, Math.min(4, size(data))))) return undefined;
	try {
		const { functionName, args } = decodeFunctionData({ abi, data });
		if (encodeFunctionData({ abi, functionName, args } as never) !== data) return 'unclear';
		const lowered = args.map((one) => (typeof one === 'string' ? one.toLowerCase() : one));
		return { name: functionName, args: lowered };
	} catch {
		return 'unclear';
	}
}

function amountOf({ name, args }: Call): bigint {
	if (name === 'decreaseAllowance') return 0n;
	if (name === 'setApprovalForAll') return args[1] === true ? 2n ** 300n : 0n;
	if (name === 'safeBatchTransferFrom')
		return (args[3] as bigint[]).reduce((sum, one) => sum + one, 0n);
	if (name === 'safeTransferFrom') return args.length === 5 ? (args[3] as bigint) : 1n;
	return args.at(-1) as bigint;
}

test(`of ${SETS_OF_RULES * TRANSACTIONS_EACH} transactions, those are signed that break no rule, and no others`, async () => {
	const said = new Map<string, number>();
	for (let seed = 1; seed <= SETS_OF_RULES; seed++) {
		const random = createRandom(7000 + seed);
		const rules = rulesFrom(random);
		const all = Array.from({ length: TRANSACTIONS_EACH }, () => transactionFrom(random));
		const items = all.map((given) => ({ json: { transaction: written(given) as never } }));
		const parameters = { ...signTransaction({}), transaction: '={{ $json.transaction }}' };
		const onError = 'continueRegularOutput' as const;
		const results = await signed(parameters, { items, rules: credentialOf(rules), onError });
		for (const [index, result] of results.entries()) {
			const given = all[index]!;
			const broken = brokenBy(given, rules);
			const refuser = result.error === undefined ? undefined : refuserIn(String(result.error));
			const about = JSON.stringify({ given: written(given), rules: credentialOf(rules), result });
			expect([about, result.error === undefined]).toEqual([about, broken.size === 0]);
			if (result.error === undefined) await expectSigned(result.signedTransaction as Hex, given);
			else expect([about, [...broken]]).toEqual([about, expect.arrayContaining([refuser])]);
			said.set(refuser ?? 'signed', (said.get(refuser ?? 'signed') ?? 0) + 1);
		}
	}
	// Each rule has refused at least once.
	for (const name of REFUSERS) expect([name, said.get(name)]).toEqual([name, expect.any(Number)]);
	expect(said.get('signed')).toBeGreaterThan(300);
});

const REFUSERS = [
	'Chain IDs',
	'Max Amount',
	'Max Fee',
	'Recipients',
	'Contracts',
	'Token Limits',
	'Allow Deployments',
	'the canonical encoding',
	'the gas',
];

function written({ to, ...given }: Given): object {
	const numbers = { value: given.value, gas: given.gas, maxFeePerGas: given.maxFeePerGas };
	const texts = Object.entries(numbers).map(([name, value]) => [name, String(value)]);
	return {
		...given,
		...Object.fromEntries(texts),
		type: '0x2',
		from: ADDRESS,
		nonce: 3,
		maxPriorityFeePerGas: '0',
		...(to !== undefined && { to }),
	};
}

/** viem must read the given values from it, and the expected signer. */
async function expectSigned(serializedTransaction: Hex, given: Given): Promise<void> {
	const { to, data, value, gas, chainId, maxFeePerGas, accessList } =
		parseTransaction(serializedTransaction);
	expect({
		to: to?.toLowerCase() ?? undefined,
		data: data ?? '0x',
		value: value ?? 0n,
		gas,
		chainId,
		maxFeePerGas,
		accessList: accessList ?? [],
	}).toEqual(given);
	const signer = { serializedTransaction: serializedTransaction as `0x02${string}` };
	expect(await recoverTransactionAddress(signer)).toBe(ADDRESS);
}
