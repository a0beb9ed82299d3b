import { takeTransaction } from '../../chain/item';
import { raise } from '../../errors/raise';
import { parseHexBytes } from '../../values/hex';
import { parseUniqueJson } from '../../values/json';
import { optionalParser, parseUint256, uint64Parser } from '../../values/numbers';
import { InvalidValue, isRecord, parseField, type Parse } from '../../values/parse';
import { parseEvmAddress } from '../address';
import { MAX_NONCE, type AccessList, type GasPrice, type UnsignedTransaction } from './unsigned';

/** A parsed transaction that is not signed yet. Addresses and data are in lower case. */
export interface ParsedTransaction {
	readonly transaction: Omit<UnsignedTransaction, 'from'>;
	/** The sender that the transaction gives. */
	readonly from: string | undefined;
	/** The serialized transaction as 0x-hex in lower case, if the item contains it in addition to the fields. */
	readonly unsigned: string | undefined;
	readonly signingHash: string | undefined;
}

/**
 * The members that a transaction may have. Others are refused, because people would see them although they are not
 * signed.
 */
const TRANSACTION_KEYS = [
	'type',
	'chainId',
	'from',
	'to',
	'nonce',
	'gas',
	'value',
	'data',
	'maxFeePerGas',
	'maxPriorityFeePerGas',
	'gasPrice',
	'accessList',
];

type JsonRecord = Readonly<Record<string, unknown>>;

/** Creates a parser for the output item of the operation Prepare, or for the `transaction` in it. */
export function transactionParser(label: string): Parse<ParsedTransaction> {
	return (raw) => {
		const item = parseUniqueJson(raw);
		if (!isRecord(item)) throw new InvalidValue(EXPECTED_TRANSACTION);
		const given = takeTransaction(item, 'transaction');
		if (!isRecord(given)) throw new InvalidValue(EXPECTED_TRANSACTION);
		return {
			...parseTransaction(given, label),
			unsigned: parseHexBeside(item.unsignedTransaction, label, 'unsignedTransaction'),
			signingHash: parseHexBeside(item.signingHash, label, 'signingHash'),
		};
	};
}

const EXPECTED_TRANSACTION =
	'a transaction as Prepare gives it: a JSON object with chainId, nonce, gas and more';

function parseHexBeside(given: unknown, label: string, name: string): string | undefined {
	if (given === undefined) return undefined;
	return parseField(`${label} > ${name}`, given, parseHexBytes).toLowerCase();
}

function parseTransaction(given: JsonRecord, label: string) {
	const foreign = Object.keys(given).find((name) => !TRANSACTION_KEYS.includes(name));
	if (foreign !== undefined) {
		throw new InvalidValue(
			`a transaction without '${foreign}', which the signature would not cover`,
		);
	}
	const field = <T>(name: string, read: Parse<T>) =>
		parseField(`${label} > ${name}`, given[name], read);
	const fees = parseFees(given, field);
	const to = field('to', parseOptionalAddress);
	const data = field('data', parseData);
	if (to === undefined && data === '0x') {
		throw new InvalidValue(
			'a transaction with a receiver (to), or with data that deploys a contract',
		);
	}
	const transaction = {
		...fees,
		chainId: field('chainId', parseChainId),
		nonce: field('nonce', parseUint64),
		gas: field('gas', parseUint64),
		value: field('value', (raw) => (raw === undefined ? 0n : parseUint256(raw))),
		to,
		data,
	};
	return { transaction, from: field('from', parseOptionalAddress) };
}

const parseUint64 = uint64Parser(MAX_NONCE);

/** Limits the data of a transaction, in bytes. Nodes accept far less, and hashing or decoding more would block n8n. */
const MAX_DATA_BYTES = 500_000;
const MAX_DATA_CHARS = 2 + 2 * MAX_DATA_BYTES;

const parseData: Parse<string> = (given) => {
	if (given === undefined) return '0x';
	const data = parseHexBytes(given);
	return data.length <= MAX_DATA_CHARS
		? data.toLowerCase()
		: raise(new InvalidValue(`data of at most ${MAX_DATA_BYTES} bytes`));
};

const parseChainId: Parse<bigint> = (given) => {
	const value = parseUint256(given);
	return value > 0n
		? value
		: raise(
				new InvalidValue('1 or more: without a chain ID, a transaction is valid on all chains'),
			);
};

/**
 * The address may be missing or null for a deployment. An empty text is refused, because it comes from an expression that
 * found nothing.
 */
const parseOptionalAddress: Parse<string | undefined> = (given) =>
	given === undefined || given === null ? undefined : parseEvmAddress(given).toLowerCase();

const REFUSED_TYPES: Readonly<Record<string, string>> = {
	3: 'a transaction with blobs (EIP-4844)',
	4: 'a transaction that hands the account to a contract (EIP-7702)',
};

type ParseField = <T>(name: string, read: Parse<T>) => T;

/** Parses the fees, which differ between the three types of transactions. */
function parseFees(
	given: JsonRecord,
	field: ParseField,
): { price: GasPrice; accessList?: AccessList } {
	const type = field('type', transactionTypeParser(given));
	const unfit = (type === 2n ? ['gasPrice'] : ['maxFeePerGas', 'maxPriorityFeePerGas'])
		.concat(type === 0n ? ['accessList'] : [])
		.find((name) => given[name] !== undefined);
	if (unfit !== undefined)
		throw new InvalidValue(`a transaction of type ${type} without '${unfit}'`);
	const accessList = field('accessList', optionalParser(parseAccessList));
	if (type === 0n) return { price: { gasPrice: field('gasPrice', parseUint256) } };
	if (type === 1n) {
		return { price: { gasPrice: field('gasPrice', parseUint256) }, accessList: accessList ?? [] };
	}
	const maxFeePerGas = field('maxFeePerGas', parseUint256);
	const maxPriorityFeePerGas = field('maxPriorityFeePerGas', parseUint256);
	if (maxPriorityFeePerGas > maxFeePerGas) {
		throw new InvalidValue('a transaction whose maxPriorityFeePerGas is at most its maxFeePerGas');
	}
	return { price: { maxFeePerGas, maxPriorityFeePerGas }, ...(accessList && { accessList }) };
}

/** Parses the type of a transaction. If it is missing, it follows from the fees and the access list. */
function transactionTypeParser({ maxFeePerGas, accessList }: JsonRecord): Parse<bigint> {
	return (given) => {
		if (given === undefined) return maxFeePerGas !== undefined ? 2n : accessList ? 1n : 0n;
		const type = parseUint256(given);
		const known = '0x0 (legacy), 0x1 (EIP-2930) or 0x2 (EIP-1559)';
		const kind = REFUSED_TYPES[String(type)];
		return type <= 2n ? type : raise(new InvalidValue(kind ? `${known}, not ${kind}` : known));
	};
}

const parseAccessList: Parse<AccessList> = (given) => {
	const entries: readonly unknown[] = Array.isArray(given)
		? given
		: raise(new InvalidValue(EXPECTED_ACCESS_LIST));
	if (countAccessed(entries) > MAX_ACCESSED) throw new InvalidValue(EXPECTED_SHORT_ACCESS_LIST);
	return entries.map((entry) => {
		if (!isRecord(entry) || !Array.isArray(entry.storageKeys))
			throw new InvalidValue(EXPECTED_ACCESS_LIST);
		const keys = entry.storageKeys.map((key) => key as unknown);
		return {
			address: parseEvmAddress(entry.address).toLowerCase(),
			storageKeys: keys.map((key) => {
				const slot = parseHexBytes(key).toLowerCase();
				return slot.length === SLOT_CHARS ? slot : raise(new InvalidValue(EXPECTED_ACCESS_LIST));
			}),
		};
	});
};

/** Limits the length of access lists. No transaction has more, and checking many thousands of addresses would block n8n. */
const MAX_ACCESSED = 2000;
const EXPECTED_SHORT_ACCESS_LIST = `a list of at most ${MAX_ACCESSED} addresses and storage keys`;

function countAccessed(entries: readonly unknown[]): number {
	return entries.reduce<number>((count, entry) => {
		const keys = isRecord(entry) && Array.isArray(entry.storageKeys) ? entry.storageKeys.length : 0;
		return count + 1 + keys;
	}, 0);
}

/** The length of 32 bytes as 0x-hex, in characters. */
const SLOT_CHARS = 66;
const EXPECTED_ACCESS_LIST =
	'a list of objects with address and storageKeys, of 32 bytes each as 0x-hex';
