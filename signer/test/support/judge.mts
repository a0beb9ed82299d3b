import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import {
	concat,
	decodeAbiParameters,
	encodeAbiParameters,
	parseAbi,
	parseTransaction,
	recoverTransactionAddress,
	size,
	slice,
	toFunctionSelector,
	toFunctionSignature,
	zeroAddress,
	type Hex,
} from 'viem';
import { ADDRESS } from './accounts.mts';

const OWN = ADDRESS.toLowerCase();

/**
 * The functions that the judge in this file knows. The judge decides with viem whether rules allow a transaction, without code of the
 * rules.
 */
export const abi = parseAbi([
	'function transfer(address to, uint256 amount)',
	'function transferFrom(address from, address to, uint256 amount)',
	'function approve(address spender, uint256 amount)',
	'function increaseAllowance(address spender, uint256 added)',
	'function decreaseAllowance(address spender, uint256 less)',
	'function setApprovalForAll(address operator, bool approved)',
	'function safeTransferFrom(address from, address to, uint256 id)',
	'function safeTransferFrom(address from, address to, uint256 id, bytes data)',
	'function safeTransferFrom(address from, address to, uint256 id, uint256 quantity, bytes data)',
	'function mint(address to, uint256 amount)',
	'function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] quantities, bytes data)',
]);

export interface Given {
	readonly chainId: number;
	readonly nonce: bigint;
	readonly to: string | undefined;
	readonly value: bigint;
	readonly data: Hex;
	readonly gas: bigint;
	readonly maxFeePerGas: bigint;
	readonly accessList: ReadonlyArray<{ address: string; storageKeys: readonly Hex[] }>;
}

export interface Ruled {
	readonly chainIds: readonly number[];
	readonly maxAmount: bigint;
	readonly maxFee: bigint;
	readonly recipients: readonly string[];
	readonly spenders: readonly string[];
	/** The list may contain `*`. */
	readonly contracts: readonly string[];
	/** The signatures and selectors of a contract's entry; without them, all of its functions. */
	readonly functions: ReadonlyMap<string, readonly string[]>;
	/** The first nonce that is allowed only tomorrow. Undefined if no rule limits the number of transactions. */
	readonly endOfNonces: bigint | undefined;
	readonly limits: ReadonlyMap<string, bigint>;
	readonly allowDeployments: boolean;
}

/** Formats the rules in the form of a credential. */
export function credentialOf(rules: Ruled): ICredentialDataDecryptedObject {
	const coins = (wei: bigint) => (Number(wei) / 1e18).toFixed(6);
	return {
		chainIds: rules.chainIds.join(', '),
		maxAmount: coins(rules.maxAmount),
		maxFee: coins(rules.maxFee),
		recipients: rules.recipients.join(' '),
		spenders: rules.spenders.join(' '),
		contracts: rules.contracts
			.map((one) => [one, ...(rules.functions.get(one) ?? [])].join(' '))
			.join('\n'),
		...(rules.endOfNonces !== undefined && {
			dailyTransactions: '1',
			firstNonce: String(rules.endOfNonces - 1n),
			firstDay: new Date(Date.now()).toISOString().slice(0, 10),
		}),
		tokenLimits: [...rules.limits].map((line) => line.join(' ')).join('\n'),
		allowDeployments: rules.allowDeployments,
	};
}

export function leastGas({
	to,
	data,
	accessList,
}: Pick<Given, 'to' | 'data' | 'accessList'>): bigint {
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
export function brokenBy(given: Given, rules: Ruled): ReadonlySet<string> {
	const { chainId, nonce, to, value, data, gas, maxFeePerGas } = given;
	const broken = new Set<string>();
	const want = (rule: string, holds: boolean) => void (holds || broken.add(rule));
	const isRecipient = (one: string) =>
		rules.recipients.length === 0 || rules.recipients.includes(one);
	const mayReceive = (one: string) => one === OWN || isRecipient(one);
	const mayTake = (one: string) =>
		rules.spenders.length === 0 ? isRecipient(one) : rules.spenders.includes(one);
	want('Daily Transactions', rules.endOfNonces === undefined || nonce < rules.endOfNonces);
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
		want('Recipients', mayReceive(to));
		return broken;
	}
	const functions = rules.functions.get(to);
	const isMintRead = rules.contracts.includes(to) && functions?.includes(MINT) === true;
	const isMint = data.startsWith(MINT_SELECTOR);
	const call = isMint && !isMintRead ? undefined : decoded(data);
	const selector = slice(data, 0, Math.min(4, size(data)));
	const isNamed =
		rules.contracts.includes(to) &&
		(functions === undefined ||
			functions.some(
				(one) => one === selector || (typeof call === 'object' && one === call.signature),
			));
	const isRestricted = rules.contracts.includes(to) && functions !== undefined;
	const isAllowed = isNamed || (!isRestricted && rules.contracts.includes('*') && to !== OWN);
	want('Recipients', value === 0n || isNamed || call === 'unclear' || mayReceive(to));
	if (call === 'unclear') want('the canonical encoding', false);
	else if (call === undefined) want('Contracts', isAllowed);
	else if (call.name === 'mint') want('Contracts', isAllowed);
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
		const isApproval = /^(approve|increaseAllowance|setApprovalForAll)$/.test(name);
		const isSpender = isApproval && rules.spenders.length > 0;
		want(
			isSpender ? 'Spenders' : 'Recipients',
			takesBack || (isApproval ? mayTake(receiver) : mayReceive(receiver)),
		);
		want('Token Limits', limit === undefined || amountOf(name, args) <= limit);
	}
}

/** A function outside the token standards. Its arguments are read only if the rules contain its signature. */
const MINT = 'mint(address,uint256)';
const MINT_SELECTOR = toFunctionSelector(`function ${MINT}`);

interface Call {
	readonly name: string;
	readonly args: readonly unknown[];
	readonly signature: string;
}

type Item = (typeof abi)[number];

/** The selectors of all functions, computed once because viem would hash each signature again for each call. */
const SELECTORS = new Map<Item, Hex>(abi.map((item) => [item, toFunctionSelector(item)]));

export function encodeCall(item: Item, args: readonly unknown[]): Hex {
	return concat([SELECTORS.get(item)!, encodeAbiParameters(item.inputs, args as never)]);
}

/** Decodes a call, with text in lower case. Returns `unclear` if viem would encode the call differently. */
function decoded(data: Hex): Call | 'unclear' | undefined {
	const item = abi.find((one) => data.startsWith(SELECTORS.get(one)!));
	if (!item) return undefined;
	try {
		const args: readonly unknown[] = decodeAbiParameters(item.inputs, slice(data, 4));
		if (encodeCall(item, args) !== data) return 'unclear';
		const lowered = args.map((one) => (typeof one === 'string' ? one.toLowerCase() : one));
		return { name: item.name, args: lowered, signature: toFunctionSignature(item) };
	} catch {
		return 'unclear';
	}
}

function amountOf(name: string, args: readonly unknown[]): bigint {
	if (name === 'decreaseAllowance') return 0n;
	if (name === 'setApprovalForAll') return args[1] === true ? 2n ** 300n : 0n;
	if (name === 'safeBatchTransferFrom')
		return (args[3] as bigint[]).reduce((sum, one) => sum + one, 0n);
	if (name === 'safeTransferFrom') return args.length === 5 ? (args[3] as bigint) : 1n;
	return args.at(-1) as bigint;
}

export function written({ to, ...given }: Given): object {
	const numbers = { value: given.value, gas: given.gas, maxFeePerGas: given.maxFeePerGas };
	const texts = Object.entries(numbers).map(([name, value]) => [name, String(value)]);
	return {
		...given,
		...Object.fromEntries(texts),
		type: '0x2',
		from: ADDRESS,
		nonce: String(given.nonce),
		maxPriorityFeePerGas: '0',
		...(to !== undefined && { to }),
	};
}

/** Expects that viem reads the given values and the expected signer from the signed transaction. */
export async function expectSigned(serializedTransaction: Hex, given: Given): Promise<void> {
	const { to, data, value, gas, chainId, nonce, maxFeePerGas, accessList } =
		parseTransaction(serializedTransaction);
	expect({
		to: to?.toLowerCase() ?? undefined,
		data: data ?? '0x',
		value: value ?? 0n,
		gas,
		chainId,
		nonce: BigInt(nonce ?? 0),
		maxFeePerGas,
		accessList: accessList ?? [],
	}).toEqual(given);
	const signer = { serializedTransaction: serializedTransaction as `0x02${string}` };
	expect(await recoverTransactionAddress(signer)).toBe(ADDRESS);
}
