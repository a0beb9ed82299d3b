import { beginCell, comment, type Cell } from '@ton/core';
import type { INodeParameters } from 'n8n-workflow';
import { catching } from '../../../nodes/core/values/parse';
import { parsePlainData } from '../../../nodes/core/values/plainData';
import { largeTypedData } from '../../../test/harness/largeTypedData.mts';
import { signTransaction, signWith, TRANSFER } from './signerNode.mts';
import { buildInvoke, runStarkSigner, type Call } from './stark.mts';
import { runTonSigner } from './ton.mts';
import { formatWallet } from './tonWallets.mts';

const MEGABYTE = 1_000_000;
/** An address whose letters have the case that its checksum requires. */
const MIXED_CASE = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const inAnHour = () => Math.floor(Date.now() / 1000) + 3600;

const signInvoke =
	(calls: readonly Call[], change: object = {}) =>
	async () =>
		await runStarkSigner({
			resource: 'starkTransaction',
			operation: 'sign',
			transaction: JSON.stringify(buildInvoke(calls, change)),
		});

const signTransfer = (bodies: readonly Cell[]) => {
	const to = `0:${'1'.repeat(64)}`;
	const messages = bodies.map((body) => ({
		to,
		amount: '1',
		bounce: false,
		body: body.toBoc().toString('base64'),
		stateInit: null,
	}));
	return async () =>
		await runTonSigner(
			{
				resource: 'tonTransfer',
				operation: 'sign',
				transfer: JSON.stringify({
					from: formatWallet('v5r1'),
					walletType: 'v5r1',
					walletId: null,
					seqno: 1,
					validUntil: inAnHour(),
					sendMode: 3,
					messages,
				}),
			},
			{ rules: { maxAmount: 'unlimited', maxFee: '100', contracts: '*' } },
		);
};

const repeat = <T,>(count: number, one: (at: number) => T): T[] =>
	Array.from({ length: count }, (_, at) => one(at));

/** Builds a tree of different cells, with up to four cells below each. `count` is the number of all cells. */
function treeOf(count: number, first = 0): Cell {
	const cells: Cell[] = [];
	for (let at = count - 1; at >= 0; at--) {
		const below = repeat(4, (side) => cells[4 * at + side + 1]).filter(
			(cell) => cell !== undefined,
		);
		const builder = beginCell().storeUint(first + at, 64);
		cells[at] = below.reduce((one, cell) => one.storeRef(cell), builder).endCell();
	}
	return cells[0] as Cell;
}

const sign = (parameters: INodeParameters) => async () => await signWith(parameters);

/** Copies an array of objects. It does not use an expression of n8n, which would take longer. */
const copying = (count: number) => async () => {
	const error = catching(Error, () => parsePlainData(Array<object>(count).fill({})));
	return await Promise.resolve(error instanceof Error ? { error } : {});
};

interface LargeInput {
	/** Runs the signer with it. */
	readonly run: () => Promise<{ readonly error?: Error }>;
	/** The words of the refusal; undefined if it is signed. */
	readonly refusal?: RegExp;
}

/** Inputs of up to a megabyte that take long or once took long, and the largest inputs of common workflows. */
export const largeInputs: Readonly<Record<string, () => LargeInput>> = {
	'a call of a STARK contract with 4,990 felts': () => ({
		run: signInvoke([
			{ to: 5n, name: 'store', calldata: repeat(4990, (at) => 2n ** 250n + BigInt(at)) },
		]),
	}),
	'600 calls in one STARK transaction': () => ({
		run: signInvoke(
			repeat(600, (at) => ({ to: 5n, name: 'transfer', calldata: [6n, BigInt(at), 0n] })),
		),
	}),
	'a megabyte of felts': () => ({
		run: signInvoke([], { calldata: repeat(MEGABYTE / 6, () => '0x1') }),
		refusal:
			/'Transaction' must be a transaction whose calldata is a list of at most 5000 felts \(numbers of STARK rollups\)/,
	}),
	'255 payments on TON with comments': () => ({
		run: signTransfer(repeat(255, (at) => comment(`Invoice ${at}, thank you`))),
	}),
	'255 equal bodies of 64 cells': () => {
		const body = treeOf(64);
		return { run: signTransfer(repeat(255, () => body)) };
	},
	'255 bodies of 200 cells': () => ({
		run: signTransfer(repeat(255, (at) => treeOf(200, 1000 * at))),
		refusal: /whose messages\[\d+\]\.body is a bag of cells .* at most 16384 cells/,
	}),
	'a body of 16,000 cells': () => ({
		run: signTransfer([treeOf(16_000)]),
		refusal: /a message of at most 65535 bytes/,
	}),
	'a body of 60,000 cells': () => ({
		run: signTransfer([treeOf(60_000)]),
		refusal: /whose messages\[0\]\.body is a bag of cells .* at most 16384 cells/,
	}),
	'a transaction of an EVM chain with a megabyte': () => ({
		run: sign(
			signTransaction({ ...TRANSFER, gas: '0x7000000', data: `0x${'ab'.repeat(MEGABYTE / 2)}` }),
		),
	}),
	'a transaction of an EVM chain with two megabytes': () => ({
		run: sign(
			signTransaction({ ...TRANSFER, gas: '0x7000000', data: `0x${'ab'.repeat(MEGABYTE)}` }),
		),
		refusal: /'Transaction > data' must be data of at most 500000 bytes/,
	}),
	'an access list of a megabyte': () => ({
		run: sign(
			signTransaction({
				...TRANSFER,
				type: '0x2',
				gas: '0x7000000',
				accessList: repeat(13_000, () => ({ address: MIXED_CASE, storageKeys: [] })),
			}),
		),
		refusal: /'Transaction > accessList' must be a list of at most 2000 addresses and storage keys/,
	}),
	'an access list that is as long as it may be': () => ({
		run: sign(
			signTransaction({
				...TRANSFER,
				type: '0x2',
				gas: '0x7000000',
				accessList: repeat(2000, () => ({ address: MIXED_CASE, storageKeys: [] })),
			}),
		),
	}),
	'a message of ten megabytes': () => ({
		run: sign({ resource: 'message', operation: 'sign', message: 'm'.repeat(10 * MEGABYTE) }),
		refusal: /'Message' must be text of at most 1000000 bytes/,
	}),
	'a message of a megabyte': () => ({
		run: sign({ resource: 'message', operation: 'sign', message: 'm'.repeat(MEGABYTE) }),
	}),
	'a megabyte of empty objects': () => ({
		run: sign({
			resource: 'transaction',
			operation: 'sign',
			transaction: JSON.stringify(repeat(MEGABYTE / 3, () => ({}))),
		}),
		refusal: /'Transaction' must be/,
	}),
	'a list that costs an expression nothing': () => ({
		run: copying(1_999_990),
		refusal: /data of at most 200000 values/,
	}),
	...Object.fromEntries(
		Object.entries(largeTypedData).map(([what, make]) => [
			`typed data: ${what}`,
			() => ({
				run: sign({
					resource: 'typedData',
					operation: 'sign',
					typedData: JSON.stringify(make(MEGABYTE)),
				}),
				refusal: /^$|'Typed Data/,
			}),
		]),
	),
};
