import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	createPublicClient,
	custom,
	encodeDeployData,
	encodeFunctionData,
	getAddress,
	parseAbi,
	parseSignature,
	type Abi,
	type Hex,
} from 'viem';
import {
	ADDRESS,
	FRIEND,
	signed,
	signWith,
	STRANGER,
} from '../../signer/test/support/signerNode.mts';
import {
	authorizationOf,
	cancellationOf,
	PERMIT2,
	permitBatchTransferOf,
	permitOf,
	permitSingleOf,
	permitTransferOf,
	signTypedData,
	type TypedData,
} from '../../signer/test/support/typedData.mts';
import { parseSimulatedTransaction } from '../../nodes/core/evm/simulate/transaction';
import { simulateTransaction } from '../../nodes/core/evm/simulate/simulate';
import { createReader } from '../engine/evmRpc/simulate/chainReader.mts';
import { createSandbox } from '../harness/sandbox.mts';

/** A token with OpenZeppelin's code. It counts the nonces of EIP-3009 from 0 for each key. */
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.26;
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
import {ERC20Permit} from "@openzeppelin/contracts/token/ERC20/extensions/ERC20Permit.sol";
import {ERC3009} from "@openzeppelin/contracts/token/ERC20/extensions/draft-ERC3009.sol";

contract Coin is ERC20Permit, ERC3009 {
	constructor(address owner) ERC20("USD Coin", "USDC") ERC20Permit("USD Coin") { _mint(owner, 1000); }
}
`;

const LIMIT = 100n;
/** A deadline far in the future. */
const LATER = 2 ** 40;

const sandbox = createSandbox({ chain: true });
let coin: { readonly abi: Abi; readonly address: Hex };
let sender = '';
let deadline = 0;

const permit2Abi = parseAbi([
	'struct PermitDetails { address token; uint160 amount; uint48 expiration; uint48 nonce; }',
	'struct PermitSingle { PermitDetails details; address spender; uint256 sigDeadline; }',
	'struct TokenPermissions { address token; uint256 amount; }',
	'struct PermitTransferFrom { TokenPermissions permitted; uint256 nonce; uint256 deadline; }',
	'struct PermitBatchTransferFrom { TokenPermissions[] permitted; uint256 nonce; uint256 deadline; }',
	'struct SignatureTransferDetails { address to; uint256 requestedAmount; }',
	'function permit(address owner, PermitSingle permitSingle, bytes signature)',
	'function transferFrom(address from, address to, uint160 amount, address token)',
	'function permitTransferFrom(PermitTransferFrom permit, SignatureTransferDetails transferDetails, address owner, bytes signature)',
	'function permitTransferFrom(PermitBatchTransferFrom permit, SignatureTransferDetails[] transferDetails, address owner, bytes signature)',
]);

beforeAll(async () => {
	[sender = ''] = (await sandbox.chain('eth_accounts')) as string[];
	const { abi, bytecode } = await compile();
	const data = encodeDeployData({ abi, bytecode, args: [ADDRESS] });
	const { contractAddress } = await sandbox.mined({ from: sender, data });
	coin = { abi, address: String(contractAddress) as Hex };
	await sandbox.chain('anvil_setCode', PERMIT2, readPermit2());
	await sandbox.chain('anvil_impersonateAccount', ADDRESS);
	await sandbox.mined({ from: ADDRESS, to: coin.address, data: encode('approve', PERMIT2, 1000n) });
	const { timestamp } = (await sandbox.chain('eth_getBlockByNumber', 'latest', false)) as {
		timestamp: string;
	};
	deadline = Math.min(Number(timestamp), Math.floor(Date.now() / 1000)) + 80_000;
});

const folder = () => process.env.FOREIGN_MODULES ?? '';

async function compile() {
	const { default: solc } = await import('solc');
	const outputSelection = { '*': { '*': ['abi', 'evm.bytecode.object'] } };
	const settings = { optimizer: { enabled: true }, outputSelection };
	const sources = { 'Coin.sol': { content: SOURCE } };
	const read = (path: string) => ({ contents: readFileSync(join(folder(), path), 'utf8') });
	const input = JSON.stringify({ language: 'Solidity', sources, settings });
	const output = JSON.parse(solc.compile(input, { import: read }) as string);
	const found = output.contracts?.['Coin.sol']?.Coin;
	if (!found) throw new Error(JSON.stringify(output));
	return { abi: found.abi as Abi, bytecode: `0x${found.evm.bytecode.object}` as Hex };
}

const asWord = (value: number) => value.toString(16).padStart(64, '0');

/**
 * Reads the code of Permit2 from a package of its makers. The code stores a domain (EIP-712) for the chain 31337 and an
 * address other than that of the test. This function changes the stored chain ID to 1, so that the code computes the
 * domain itself.
 */
function readPermit2(): string {
	const path = '@uniswap/v4-periphery/lib/permit2/test/utils/DeployPermit2.sol';
	const [, code] = /hex"([0-9a-f]+)"/.exec(readFileSync(join(folder(), path), 'utf8')) ?? [];
	if (code === undefined) throw new Error(`There is no code in ${path}`);
	return `0x${code.replace(asWord(31337), asWord(1))}`;
}

const encode = (functionName: string, ...args: readonly unknown[]) =>
	encodeFunctionData({ abi: coin.abi, functionName, args });

const read = async (functionName: string, ...args: readonly unknown[]) => {
	const request = async ({ method, params }: { method: string; params?: unknown }) =>
		await sandbox.chain(method, ...((params ?? []) as unknown[]));
	const client = createPublicClient({ transport: custom({ request }, { retryCount: 0 }) });
	return await client.readContract({ ...coin, functionName, args });
};

/** Signs typed data within the rules. Rules that allow one unit less must refuse the data. */
async function sign(data: TypedData): Promise<Hex> {
	const rules = (most: bigint) => ({
		chainIds: '31337',
		tokenLimits: `${coin.address} ${most}`,
		recipients: FRIEND,
		spenders: sender,
		typedDataKinds: ['permit', 'transferWithAuthorization', 'permit2'],
	});
	const [result] = await signed(signTypedData(data), { rules: rules(LIMIT) });
	if (data.primaryType !== 'CancelAuthorization') {
		const { error } = await signWith(signTypedData(data), { rules: rules(LIMIT - 1n) });
		expect(error?.message).toMatch(/^The rule Token Limits forbids it: /);
	}
	return result?.signature as Hex;
}

const versioned = (data: TypedData) => ({
	...data,
	domain: { ...data.domain, version: '1', verifyingContract: coin.address },
});

/**
 * Sends a call from another account. Returns the amount that the signer has lost and the amount that the friend has
 * received.
 */
async function moved(to: string, data: Hex) {
	const before = [await read('balanceOf', ADDRESS), await read('balanceOf', FRIEND)] as bigint[];
	await sandbox.mined({ from: sender, to, data });
	const after = [await read('balanceOf', ADDRESS), await read('balanceOf', FRIEND)] as bigint[];
	return { left: before[0]! - after[0]!, came: after[1]! - before[1]! };
}

/** Returns whether the chain refuses a call. */
const refused = async (to: string, data: Hex) =>
	await sandbox.chain('eth_call', { from: sender, to, data }, 'latest').then(
		() => false,
		() => true,
	);

const transferFrom = (amount: bigint) => encode('transferFrom', ADDRESS, FRIEND, amount);

test('a permit lets the spender take what the rules saw, and no unit more', async () => {
	const data = versioned(permitOf(LIMIT, sender, { deadline }));
	const { r, s, v } = parseSignature(await sign(data));
	await sandbox.mined({
		from: sender,
		to: coin.address,
		data: encode('permit', ADDRESS, sender, LIMIT, BigInt(deadline), Number(v), r, s),
	});
	expect(await read('allowance', ADDRESS, sender)).toBe(LIMIT);
	expect(await refused(coin.address, transferFrom(LIMIT + 1n))).toBe(true);
	expect(await moved(coin.address, transferFrom(LIMIT))).toEqual({ left: LIMIT, came: LIMIT });
	expect(await refused(coin.address, transferFrom(1n))).toBe(true);
});

const word = (digit: string) => `0x${digit.repeat(48)}${'0'.repeat(16)}`;

/** Signs an authorization by which the friend receives the amount `LIMIT`. Returns the encoded call that uses it. */
async function authorize(nonce: string) {
	const data = versioned(authorizationOf(LIMIT, FRIEND, { validBefore: deadline, nonce }));
	const { r, s, v } = parseSignature(await sign(data));
	const times = [0n, BigInt(deadline)];
	return (to: string, amount: bigint) =>
		encode('transferWithAuthorization', ADDRESS, to, amount, ...times, nonce, Number(v), r, s);
}

test('a transfer with authorization brings the receiver what the rules saw, once', async () => {
	const use = await authorize(word('1'));
	expect(await refused(coin.address, use(FRIEND, LIMIT + 1n))).toBe(true);
	expect(await refused(coin.address, use(STRANGER, LIMIT))).toBe(true);
	expect(await moved(coin.address, use(FRIEND, LIMIT))).toEqual({ left: LIMIT, came: LIMIT });
	expect(await refused(coin.address, use(FRIEND, LIMIT))).toBe(true);
});

test('a cancellation moves nothing, and keeps what it cancels from moving', async () => {
	const nonce = word('2');
	const use = (await authorize(nonce))(FRIEND, LIMIT);
	expect(await refused(coin.address, use)).toBe(false);
	const given = cancellationOf();
	const cancellation = versioned({ ...given, message: { ...given.message, nonce } });
	const { r, s, v } = parseSignature(await sign(cancellation));
	const cancel = encode('cancelAuthorization', ADDRESS, nonce, Number(v), r, s);
	expect(await moved(coin.address, cancel)).toEqual({ left: 0n, came: 0n });
	expect(await refused(coin.address, use)).toBe(true);
});

test('an allowance of Permit2 lets the spender take what the rules saw', async () => {
	const details = { token: coin.address, amount: String(LIMIT), expiration: LATER, nonce: 0 };
	const data = permitSingleOf(LIMIT, sender, { details, sigDeadline: deadline });
	const signature = await sign(data);
	const permit = {
		details: { ...details, amount: LIMIT },
		spender: sender as Hex,
		sigDeadline: BigInt(deadline),
	};
	await sandbox.mined({
		from: sender,
		to: PERMIT2,
		data: encodeFunctionData({
			abi: permit2Abi,
			functionName: 'permit',
			args: [ADDRESS, permit, signature],
		}),
	});
	const take = (amount: bigint) =>
		encodeFunctionData({
			abi: permit2Abi,
			functionName: 'transferFrom',
			args: [ADDRESS, FRIEND, amount, coin.address],
		});
	expect(await refused(PERMIT2, take(LIMIT + 1n))).toBe(true);
	expect(await moved(PERMIT2, take(LIMIT))).toEqual({ left: LIMIT, came: LIMIT });
	expect(await refused(PERMIT2, take(1n))).toBe(true);
});

describe('a preview of Permit2', () => {
	const abi = parseAbi([
		'struct TokenSpenderPair { address token; address spender; }',
		'function approve(address token, address spender, uint160 amount, uint48 expiration)',
		'function lockdown(TokenSpenderPair[] approvals)',
		'function invalidateNonces(address token, address spender, uint48 newNonce)',
	]);
	const END = 2 ** 32;
	const MOST = 2n ** 160n - 1n;
	const approve = (amount: bigint) =>
		encodeFunctionData({
			abi,
			functionName: 'approve',
			args: [coin.address, FRIEND, amount, END],
		});

	const preview = async (data: Hex) => {
		const transaction = parseSimulatedTransaction({ from: ADDRESS, to: PERMIT2, data });
		return await simulateTransaction(createReader(sandbox), transaction, 'latest');
	};

	const approval = (more: object) => ({
		...{ token: getAddress(coin.address), owner: ADDRESS, spender: FRIEND, contract: PERMIT2 },
		...{ isUnlimited: false, expiration: new Date(END * 1000).toISOString(), ...more },
	});

	test.each([
		['500', 500n, { value: '500', amount: '0.0000000000000005' }],
		['no end', MOST, { value: String(MOST), isUnlimited: true }],
	])('says what an approval of %s leaves', async (_of, amount, expected) => {
		expect(await preview(approve(amount))).toMatchObject({
			...{ success: true, changes: [], approvals: [approval(expected)] },
			events: [{ contract: PERMIT2, event: 'Approval' }],
		});
	});

	test('says that a lockdown takes it back', async () => {
		await sandbox.mined({ from: ADDRESS, to: PERMIT2, data: approve(500n) });
		const pair = { token: coin.address, spender: FRIEND } as const;
		const data = encodeFunctionData({ abi, functionName: 'lockdown', args: [[pair]] });
		const { approvals } = await preview(data);
		expect(approvals).toMatchObject([{ spender: FRIEND, value: '0', contract: PERMIT2 }]);
	});

	test('names the approval whose signatures end', async () => {
		const args = [coin.address, FRIEND, 3] as const;
		const { approvals } = await preview(
			encodeFunctionData({ abi, functionName: 'invalidateNonces', args }),
		);
		expect(approvals).toMatchObject([{ spender: FRIEND, contract: PERMIT2, isUnlimited: false }]);
	});
});

test('a transfer of Permit2 moves what the rules saw', async () => {
	const permitted = { token: coin.address, amount: String(LIMIT) };
	const signature = await sign(permitTransferOf(LIMIT, sender, { permitted, nonce: 7, deadline }));
	const use = (requestedAmount: bigint) =>
		encodeFunctionData({
			abi: permit2Abi,
			functionName: 'permitTransferFrom',
			args: [
				{
					permitted: { token: coin.address, amount: LIMIT },
					nonce: 7n,
					deadline: BigInt(deadline),
				},
				{ to: FRIEND, requestedAmount },
				ADDRESS,
				signature,
			],
		});
	expect(await refused(PERMIT2, use(LIMIT + 1n))).toBe(true);
	expect(await moved(PERMIT2, use(LIMIT))).toEqual({ left: LIMIT, came: LIMIT });
	expect(await refused(PERMIT2, use(1n))).toBe(true);
});

test('a batch of Permit2 moves the sum that the rules saw', async () => {
	const amounts = [LIMIT - 30n, 30n];
	const given = permitBatchTransferOf(
		amounts.map((amount) => [coin.address, amount] as const),
		sender,
	);
	const data = { ...given, message: { ...given.message, nonce: 8, deadline } };
	const signature = await sign(data);
	const use = encodeFunctionData({
		abi: permit2Abi,
		functionName: 'permitTransferFrom',
		args: [
			{
				permitted: amounts.map((amount) => ({ token: coin.address, amount })),
				nonce: 8n,
				deadline: BigInt(deadline),
			},
			amounts.map((requestedAmount) => ({ to: FRIEND, requestedAmount }) as const),
			ADDRESS,
			signature,
		],
	});
	expect(await moved(PERMIT2, use)).toEqual({ left: LIMIT, came: LIMIT });
});
