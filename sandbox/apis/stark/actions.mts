import type { ContractClass } from './machine/contract.mts';
import { getClassKey } from './machine/execution.mts';
import { encodeShortString, toHex } from './machine/felts.mts';
import { getSelector, hashInvoke, inventFelt, signHash } from './machine/hashes.mts';
import { type InvokeJson, parseInvoke } from './machine/transaction.mts';
import type { Prices } from './invoke.mts';
import {
	type Account,
	addAccount,
	addBlock,
	type Block,
	deploy,
	getHead,
	reorganize,
	type Rollup,
} from './rollup.mts';
import { addInvoke, getNonce } from './sending.mts';
import type { StarkSettings } from './settings.mts';
import { isFrom } from './versions.mts';

const formatBlock = ({ number, hash }: Block) => ({ number, hash: toHex(hash) });

const formatAccount = ({ address, privateKey, publicKey, classHash }: Account) => ({
	address: toHex(address),
	privateKey: toHex(privateKey),
	publicKey: toHex(publicKey),
	classHash: toHex(classHash),
});

/** Lists the facts about the chain that tests need. Its private keys are no secrets. */
export function formatRollup(rollup: Rollup) {
	const { world } = getHead(rollup);
	return {
		accounts: rollup.accounts.map(formatAccount),
		contracts: Object.fromEntries(
			Object.entries(rollup.contracts).map(([name, address]) => [
				name,
				{ address: toHex(address), classHash: toHex(world.get(getClassKey(address))!) },
			]),
		),
		head: formatBlock(getHead(rollup)),
		l1Head: rollup.l1Head,
		received: rollup.received.map(({ hash }) => toHex(hash)),
		making: rollup.making.transactions.map(({ hash }) => toHex(hash)),
	};
}

export function addBlocks(
	rollup: Rollup,
	body: { count: number; seconds: number },
	prices: Prices,
) {
	for (let made = 0; made < body.count; made++) addBlock(rollup, prices, body.seconds);
	return formatBlock(getHead(rollup));
}

export function replaceBlocks(rollup: Rollup, depth: number, keeps: boolean, prices: Prices) {
	const removed = reorganize(rollup, depth, keeps, prices);
	return { removed: removed.map(formatBlock), head: formatBlock(getHead(rollup)) };
}

/**
 * The body of a request that adds a contract. The contract has the class of another contract, or a class that cannot
 * run here.
 */
export interface ContractBody {
	address?: string;
	like?: string;
	class?: object;
	storage: Record<string, string>;
}

/** A call that names its function and arguments in words, as the control server takes it. */
export interface CallBody {
	to: string;
	function: string;
	calldata: string[];
}

export const openAccount = (rollup: Rollup, prices: Prices) =>
	formatAccount(addAccount(rollup, prices));

export function addContract(rollup: Rollup, body: ContractBody, prices: Prices) {
	const found = findClass(rollup, body);
	if (!found) return undefined;
	const address = BigInt(
		body.address ?? toHex(inventFelt(['contract', rollup.blocks.length]) >> 2n),
	);
	const entries = Object.entries(body.storage).map(([key, value]) => [key, BigInt(value)] as const);
	deploy(rollup, address, found, Object.fromEntries(entries), prices);
	return { address: toHex(address), classHash: toHex(found.hash) };
}

function findClass(rollup: Rollup, body: ContractBody): ContractClass | undefined {
	const json = body.class;
	if (json) {
		return {
			hash: inventFelt(json),
			json,
			isSierra: 'sierra_program' in json,
			abi: [],
			functions: new Map(),
		};
	}
	const address = body.like === undefined ? undefined : rollup.contracts[body.like];
	const hash = address === undefined ? undefined : getHead(rollup).world.get(getClassKey(address));
	return hash === undefined ? undefined : rollup.classes.get(hash);
}

/** This amount of gas is far more than any transaction here needs, and every account can pay for it. */
const AMPLE_GAS = '0x3b9aca00';

/** Sends calls from an account, signed with its key, as a wallet would. */
export function sendCalls(
	{ address, privateKey, classHash }: Account,
	calls: readonly CallBody[],
	{ rollup, settings }: { rollup: Rollup; settings: StarkSettings },
) {
	const waiting = rollup.received.filter(
		({ transaction }) => transaction.sender === address,
	).length;
	const price = (value: string) => toHex(BigInt(value));
	const { prices, version } = settings;
	const isThreefold = isFrom(version, '0.8');
	const bound = (amount: string, value: string) => ({
		max_amount: amount,
		max_price_per_unit: price(value),
	});
	const json: InvokeJson = {
		type: 'INVOKE',
		version: '0x3',
		sender_address: toHex(address),
		calldata: compileCalls(calls, rollup.classes.get(classHash)?.isSierra ?? true).map(toHex),
		signature: [],
		nonce: toHex(getNonce(address, rollup.making.world) + BigInt(waiting)),
		resource_bounds: {
			l1_gas: bound(isThreefold ? '0x0' : '0xf4240', prices.l1),
			l2_gas: bound(isThreefold ? AMPLE_GAS : '0x0', prices.l2),
			...(isThreefold && { l1_data_gas: bound('0xf4240', prices.l1Data) }),
		},
		tip: '0x0',
		paymaster_data: [],
		account_deployment_data: [],
		nonce_data_availability_mode: 'L1',
		fee_data_availability_mode: 'L1',
	};
	const hash = hashInvoke(parseInvoke(json), encodeShortString(settings.chainId));
	const signed = { ...json, signature: signHash(hash, privateKey).map(toHex) };
	const head = rollup.blocks.length - 1;
	return addInvoke(signed, { rollup, settings, head, indexed: head });
}

function compileCalls(calls: readonly CallBody[], isSierra: boolean): bigint[] {
	const parts = calls.map(({ to, function: name, calldata }) => ({
		head: [BigInt(to), getSelector(name)],
		data: calldata.map(BigInt),
	}));
	const count = BigInt(parts.length);
	if (isSierra) {
		return [count, ...parts.flatMap(({ head, data }) => [...head, BigInt(data.length), ...data])];
	}
	const all = parts.flatMap(({ data }) => data);
	let offset = 0;
	const heads = parts.flatMap(({ head, data }) => {
		const start = offset;
		offset += data.length;
		return [...head, BigInt(start), BigInt(data.length)];
	});
	return [count, ...heads, BigInt(all.length), ...all];
}
