import {
	evmAddress,
	hexBytes,
	isRecord,
	json,
	mustBe,
	optional,
	readAs,
	wholeAmount,
	type AccessList,
	type GasPrice,
	type Read,
} from '../../../nodes/core';
import type { GivenTransaction } from './request';

/** All that a transaction may say. What is not among them would be seen, and not be signed. */
const FIELDS = [
	...['type', 'chainId', 'from', 'to', 'nonce', 'gas', 'value', 'data'],
	...['maxFeePerGas', 'maxPriorityFeePerGas', 'gasPrice', 'accessList'],
];

type Given = Readonly<Record<string, unknown>>;

/** What Prepare gives: the whole item, or its `transaction`. */
export function evmTransaction(label: string): Read<GivenTransaction> {
	return (raw) => {
		const item = json(raw);
		if (!isRecord(item)) return mustBe(WANTED);
		const { transaction } = item;
		const given = transaction === undefined ? item : json(transaction);
		if (!isRecord(given)) return mustBe(WANTED);
		return {
			...transactionOf(given, label),
			unsigned: textBeside(item.unsignedTransaction, label, 'unsignedTransaction'),
			signingHash: textBeside(item.signingHash, label, 'signingHash'),
		};
	};
}

const WANTED = 'a transaction as Prepare gives it: a JSON object with chainId, nonce, gas and more';

function textBeside(given: unknown, label: string, name: string): string | undefined {
	if (given === undefined) return undefined;
	return readAs(`${label} > ${name}`, given, hexBytes).toLowerCase();
}

function transactionOf(given: Given, label: string) {
	const foreign = Object.keys(given).find((name) => !FIELDS.includes(name));
	if (foreign !== undefined) {
		return mustBe(`a transaction without '${foreign}', which would not be signed as it stands`);
	}
	const field = <T>(name: string, read: Read<T>) => readAs(`${label} > ${name}`, given[name], read);
	const fees = feesOf(given, field);
	const to = field('to', optionalAddress);
	const data = field('data', (raw) => (raw === undefined ? '0x' : hexBytes(raw).toLowerCase()));
	if (to === undefined && data === '0x') {
		return mustBe('a transaction with a receiver (to), or with the data of a deployment');
	}
	const transaction = {
		...fees,
		chainId: field('chainId', atLeastOne),
		nonce: field('nonce', upTo(MOST_64)),
		gas: field('gas', upTo(MOST_64)),
		value: field('value', (raw) => (raw === undefined ? 0n : wholeAmount(raw))),
		to,
		data,
	};
	return { transaction, from: field('from', optionalAddress) };
}

const MOST_64 = 2n ** 64n - 2n;

function upTo(most: bigint): Read<bigint> {
	return (given) => {
		const value = wholeAmount(given);
		return value <= most ? value : mustBe('a number of at most 64 bits');
	};
}

const atLeastOne: Read<bigint> = (given) => {
	const value = wholeAmount(given);
	return value > 0n
		? value
		: mustBe('1 or more: without a chain a transaction holds on all of them');
};

/** Left out, or null. An empty text is what an expression gives that found nothing, and no deployment. */
const optionalAddress: Read<string | undefined> = (given) =>
	given === undefined || given === null ? undefined : evmAddress(given).toLowerCase();

const TYPES: Readonly<Record<string, string>> = {
	3: 'a transaction with blobs (EIP-4844)',
	4: 'a transaction that hands the account to a contract (EIP-7702)',
};

type ReadField = <T>(name: string, read: Read<T>) => T;

/** The three kinds of transactions differ in these. */
function feesOf(given: Given, field: ReadField): { price: GasPrice; accessList?: AccessList } {
	const type = field('type', typeOf(given));
	const unfit = (type === 2n ? ['gasPrice'] : ['maxFeePerGas', 'maxPriorityFeePerGas'])
		.concat(type === 0n ? ['accessList'] : [])
		.find((name) => given[name] !== undefined);
	if (unfit !== undefined) return mustBe(`a transaction of type ${type} without '${unfit}'`);
	const accessList = field('accessList', optional(accessListOf));
	if (type === 0n) return { price: { gasPrice: field('gasPrice', wholeAmount) } };
	if (type === 1n) {
		return { price: { gasPrice: field('gasPrice', wholeAmount) }, accessList: accessList ?? [] };
	}
	const maxFeePerGas = field('maxFeePerGas', wholeAmount);
	const maxPriorityFeePerGas = field('maxPriorityFeePerGas', wholeAmount);
	if (maxPriorityFeePerGas > maxFeePerGas) {
		return mustBe('a transaction whose maxPriorityFeePerGas is at most its maxFeePerGas');
	}
	return { price: { maxFeePerGas, maxPriorityFeePerGas }, ...(accessList && { accessList }) };
}

/** As it says, or as its fees and its access list say. */
function typeOf({ maxFeePerGas, accessList }: Given): Read<bigint> {
	return (given) => {
		if (given === undefined) return maxFeePerGas !== undefined ? 2n : accessList ? 1n : 0n;
		const type = wholeAmount(given);
		const known = '0x0 (legacy), 0x1 (EIP-2930) or 0x2 (EIP-1559)';
		const kind = TYPES[String(type)];
		return type <= 2n ? type : mustBe(kind ? `${known}, not ${kind}` : known);
	};
}

const accessListOf: Read<AccessList> = (given) => {
	const entries: readonly unknown[] = Array.isArray(given) ? given : mustBe(WANTED_LIST);
	return entries.map((entry) => {
		if (!isRecord(entry) || !Array.isArray(entry.storageKeys)) return mustBe(WANTED_LIST);
		const keys = entry.storageKeys.map((key) => key as unknown);
		return {
			address: evmAddress(entry.address).toLowerCase(),
			storageKeys: keys.map((key) => {
				const slot = hexBytes(key).toLowerCase();
				return slot.length === SLOT ? slot : mustBe(WANTED_LIST);
			}),
		};
	});
};

/** 0x and 32 bytes. */
const SLOT = 66;
const WANTED_LIST = 'a list of objects with address and storageKeys, of 32 bytes each as 0x-hex';
