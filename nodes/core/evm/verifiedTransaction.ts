import type { JsonObject } from '../values/json';
import { RequestFailure } from '../errors/requestFailure';
import { invalidResponseError } from '../net/responses/response';
import type { RpcReader } from '../chain/reader';
import { keccak256 } from '../values/keccak';
import { MAX_UINT256 } from '../values/numbers';
import { isBlank, isRecord } from '../values/parse';
import { objectOrNullParser, quantityParser } from './chainObjects';
import {
	MAX_GAS,
	MAX_NONCE,
	serializeTransaction,
	type AccessList,
	type GasPrice,
	type UnsignedTransaction,
} from './transactions/unsigned';
import { raise } from '../errors/raise';

/** A transaction whose fields are those that the account has signed. */
export type VerifiedTransaction = UnsignedTransaction;

interface FoundTransaction {
	readonly transaction: VerifiedTransaction;
	/** The transaction with its signature, as 0x-hex. */
	readonly signed: string;
	/** The block that contains it; undefined while it is pending. */
	readonly block: bigint | undefined;
}

/** Reads a transaction by its hash; undefined if the node does not know it. Throws if the answer does not have that hash. */
export async function readVerifiedTransaction(
	reader: RpcReader,
	hash: string,
): Promise<FoundTransaction | undefined> {
	const [found, receipt] = await Promise.all([
		reader.call('eth_getTransactionByHash', [hash], { isFresh: true }),
		reader.call('eth_getTransactionReceipt', [hash], { isFresh: true }),
	]);
	const answer = objectOrNullParser('a transaction')(found);
	const outcome = objectOrNullParser('a receipt')(receipt);
	if (!answer) return undefined;
	const { transaction, signed } = parseTransaction(answer, hash);
	const block = [outcome?.blockNumber, answer.blockNumber].find((one) => !isBlank(one));
	return {
		transaction,
		signed,
		block: block === undefined ? undefined : quantityParser('a block number')(block),
	};
}

/** The types of transactions that can be rebuilt from the answer of a node. */
const TYPES = [0n, 1n, 2n];
/** The lowest `v` of a transaction of type 0 that names its chain (EIP-155). */
const LEAST_V_WITH_CHAIN = 35n;

function parseTransaction(
	answer: JsonObject,
	hash: string,
): Pick<FoundTransaction, 'transaction' | 'signed'> {
	const read = (name: string, most = MAX_UINT256) => readQuantity(answer, name, most);
	const type = isBlank(answer.type) ? 0n : read('type');
	if (!TYPES.includes(type)) throw otherTypeError(type);
	const v = read(type === 0n || isBlank(answer.yParity) ? 'v' : 'yParity');
	if (type === 0n && v < LEAST_V_WITH_CHAIN) throw withoutChainError();
	const transaction = {
		chainId: type === 0n ? (v - LEAST_V_WITH_CHAIN) / 2n : read('chainId'),
		from: readHex(answer, 'from', ADDRESS_PATTERN),
		to: isBlank(answer.to) ? undefined : readHex(answer, 'to', ADDRESS_PATTERN),
		nonce: read('nonce', MAX_NONCE),
		gas: read('gas', MAX_GAS),
		value: read('value'),
		data: readHex(answer, isBlank(answer.input) ? 'data' : 'input', BYTES_PATTERN),
		price: readPrice(type, read),
		...(type > 0n && { accessList: readAccessList(answer) }),
	};
	const yParity = type === 0n ? (v - LEAST_V_WITH_CHAIN) % 2n : v;
	const signature = { r: read('r'), s: read('s'), yParity: Number(yParity) };
	const bytes = serializeTransaction(transaction, signature);
	const isIt = `0x${keccak256(bytes).toString('hex')}` === hash.toLowerCase();
	return isIt
		? { transaction, signed: `0x${bytes.toString('hex')}` }
		: raise(otherTransactionError(hash));
}

function readPrice(type: bigint, read: (name: string) => bigint): GasPrice {
	if (type < 2n) return { gasPrice: read('gasPrice') };
	return {
		maxFeePerGas: read('maxFeePerGas'),
		maxPriorityFeePerGas: read('maxPriorityFeePerGas'),
	};
}

function readQuantity(answer: JsonObject, name: string, most: bigint): bigint {
	const value = quantityParser(`a transaction whose '${name}' is a number`)(answer[name]);
	return value <= most ? value : raise(unfitError(name, answer[name]));
}

const ADDRESS_PATTERN = /^0x[0-9a-f]{40}$/i;
const KEY_PATTERN = /^0x[0-9a-f]{64}$/i;
const BYTES_PATTERN = /^0x(?:[0-9a-f]{2})*$/i;

function readHex(answer: JsonObject, name: string, pattern: RegExp): string {
	const value = answer[name];
	return typeof value === 'string' && pattern.test(value) ? value : raise(unfitError(name, value));
}

function readAccessList({ accessList: given }: JsonObject): AccessList {
	if (isBlank(given)) return [];
	if (!Array.isArray(given) || !given.every(isRecord)) throw unfitError('accessList', given);
	return given.map((entry) => ({
		address: readHex(entry, 'address', ADDRESS_PATTERN),
		storageKeys: readStorageKeys(entry.storageKeys),
	}));
}

function readStorageKeys(given: unknown): readonly string[] {
	const isKey = (key: unknown): key is string => typeof key === 'string' && KEY_PATTERN.test(key);
	return Array.isArray(given) && given.every(isKey)
		? given
		: raise(unfitError('storageKeys', given));
}

function unfitError(name: string, value: unknown): RequestFailure {
	return invalidResponseError(`a transaction with '${name}' in its form`, value);
}

function otherTypeError(type: bigint): RequestFailure {
	return new RequestFailure(`A transaction of type ${type} cannot be replaced here`, {
		description:
			'Only types 0, 1 and 2 can be replaced here: transactions with a gas price, with an access list, or with the two fees of EIP-1559. Replace other transactions with the software that made them.',
	});
}

function withoutChainError(): RequestFailure {
	return new RequestFailure('A transaction that is valid on every chain cannot be replaced here', {
		description:
			'The signature names no chain (EIP-155). Use the software that made the transaction to replace it.',
	});
}

/**
 * Builds the error for an answer with another transaction than the requested one. A replacement would otherwise copy
 * false values from it.
 */
function otherTransactionError(hash: string): RequestFailure {
	return new RequestFailure(`The chain node answered with another transaction than ${hash}`, {
		description:
			'Its answer does not have this hash. Nothing was prepared, because the chain node cannot be trusted.',
	});
}
