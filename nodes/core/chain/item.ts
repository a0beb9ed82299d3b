import { formatExcerpt } from '../values/excerpt';
import { parseUniqueJson, tryParseUniqueJson, type JsonObject } from '../values/json';
import { InvalidValue, isBlank, isRecord, type Parse } from '../values/parse';
import { createNameFinder } from '../values/seenNames';

/** The field names under which an item holds a transaction. n8n holds a whole item under `json`. */
const INNER_NAMES = [
	'transaction',
	'transfer',
	'signedTransaction',
	'signedMessage',
	'json',
] as const;

export type InnerName = (typeof INNER_NAMES)[number];

/** The field names of a payment in an item. */
const PAYMENT_FIELDS = ['from', 'to', 'value', 'amount', 'token', 'comment'] as const;

/**
 * The names of transaction fields in all families. If one of them stands beside a transaction, people read it as a
 * field of the transaction.
 */
const TRANSACTION_FIELDS: readonly string[] = [
	...[...PAYMENT_FIELDS, 'memo', 'recipient', 'receiver', 'sender_address'],
	...['toAddress', 'fromAddress', 'destination', 'payee', 'beneficiary'],
	...['type', 'version', 'chainId', 'nonce', 'data', 'input', 'accessList', 'calldata'],
	...['gas', 'gasLimit', 'gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas'],
	...['txID', 'raw_data', 'raw_data_hex', 'visible'],
	...['walletType', 'walletId', 'seqno', 'validUntil', 'sendMode', 'messages'],
	...['bounce', 'body', 'stateInit'],
	...['resource_bounds', 'tip', 'paymaster_data', 'account_deployment_data'],
	...['nonce_data_availability_mode', 'fee_data_availability_mode', 'proof_facts', 'proof'],
];

const findField = createNameFinder(TRANSACTION_FIELDS);
const findInnerName = createNameFinder(INNER_NAMES);

/** Makes a parser for a transaction alone, or for an item that holds it under the name. */
export function itemParser<T>(name: InnerName, parse: Parse<T>): Parse<T> {
	return (given) => parse(takeTransaction(given, name));
}

/**
 * Takes a transaction out of its item; a transaction alone is returned as it is. People may read the item's other
 * fields as fields of the transaction. So a field that is in the item and in the transaction must have the same
 * value.
 */
export function takeTransaction(given: unknown, name: InnerName): unknown {
	const item = parseUniqueJson(given);
	const inner = takeInner(item, [name]);
	if (!inner) return item;
	const transaction = parseUniqueJson(inner.value);
	return isRecord(transaction) ? takeChecked(inner, transaction, () => true) : transaction;
}

/** The field names under which an item holds a signed transaction or message. */
const SIGNED_NAMES = ['signedTransaction', 'signedMessage', 'transaction'] as const;

/**
 * Takes a signed transaction out of its item, and leaves its text unchanged. The payment fields of the item are not
 * compared here, because only the chain's family can read the payment from the signed bytes.
 */
export function takeSigned(given: unknown): unknown {
	const inner = takeInner(parseItem(given), SIGNED_NAMES);
	if (!inner) return given;
	const json = parseItem(inner.value);
	if (!isRecord(json)) return inner.value;
	const taken = takeChecked(inner, json, (field) => !isPaymentField(field));
	return taken === json ? inner.value : taken;
}

/** The fields of an item beside the signed transaction that it contains. */
export interface StatedFields {
	readonly name: InnerName;
	readonly fields: JsonObject;
}

/**
 * Reads the item's fields that `takeSigned` does not compare with the transaction: the payment fields, and all fields
 * if the transaction is bytes.
 */
export function readStatedFields(given: unknown): StatedFields | undefined {
	const inner = takeInner(parseItem(given), SIGNED_NAMES);
	if (!inner) return undefined;
	const areBytes = !isRecord(parseItem(inner.value));
	const fields = [...inner.said].filter(([field]) => areBytes || isPaymentField(field));
	return { name: inner.name, fields: Object.fromEntries(fields) };
}

function parseItem(given: unknown): unknown {
	return typeof given === 'string' ? tryParseUniqueJson(given) : given;
}

function isPaymentField(name: string): boolean {
	return PAYMENT_FIELDS.some((one) => one === name);
}

/** Refuses a transaction, given without an item, if it has fields of another type of transaction. */
export function refuseOtherFields(transaction: JsonObject, known: readonly string[]): void {
	const other = Object.keys(transaction).find(
		(name) => findField(name) !== undefined && !known.includes(name) && !isBlank(transaction[name]),
	);
	if (other !== undefined)
		throw new InvalidValue(
			`a transaction without '${other}', which this kind of transaction does not have`,
		);
}

/** The transaction that an item holds under a name, and the other fields of the item. */
interface Inner {
	readonly name: InnerName;
	readonly value: unknown;
	readonly beside: JsonObject;
	/** The other fields of the item that are named like fields of a transaction, such as `to`. */
	readonly said: ReadonlyMap<string, unknown>;
}

function takeInner(item: unknown, names: readonly InnerName[]): Inner | undefined {
	if (!isRecord(item)) return undefined;
	const [given, other] = listInnerNames(item);
	if (given === undefined) return undefined;
	if (other !== undefined)
		throw new InvalidValue(
			`one transaction, but this item has two, '${given}' and '${other}'`,
			ALONE_ADVICE,
		);
	const name = names.find((one) => one === given);
	if (name === undefined)
		throw new InvalidValue(
			`a transaction alone, or an item with the transaction as '${names.join("' or '")}'; this item has '${given}' instead`,
		);
	const beside = Object.entries(item).filter(([key]) => key !== name);
	return { name, value: item[name], beside: Object.fromEntries(beside), said: readFields(beside) };
}

/** An item with more fields is refused, because checking all names would block n8n. */
const MAX_NAMES = 10_000;

/**
 * Lists the names under which an item holds something that people read as a transaction, in the order of
 * `INNER_NAMES`.
 */
function listInnerNames(item: JsonObject): string[] {
	const names = Object.keys(item);
	if (names.length > MAX_NAMES)
		throw new InvalidValue(`a transaction as JSON with at most ${MAX_NAMES} fields`);
	const found = names.flatMap((given) => {
		const name = item[given] === undefined ? undefined : findInnerName(given);
		return name === undefined ? [] : [{ given, place: INNER_NAMES.indexOf(name) }];
	});
	return found.sort((one, two) => one.place - two.place).map(({ given }) => given);
}

function readFields(beside: ReadonlyArray<readonly [string, unknown]>): Map<string, unknown> {
	const fields = new Map<string, unknown>();
	for (const [name, said] of beside) {
		const field = findField(name);
		if (field === undefined || isBlank(said)) continue;
		if (fields.has(field) && !isSameField(field, fields.get(field), said))
			throw new InvalidValue(
				`one transaction, but this item has two different values for '${field}'`,
				ALONE_ADVICE,
			);
		fields.set(field, said);
	}
	return fields;
}

const ALONE_ADVICE =
	'Enter only the transaction, such as {{ $json.transaction }}: other fields of the item are not used.';

/** STARK rollups name the paying account `sender_address`, while items name it `from`. */
const OTHER_NAMES: Readonly<Record<string, string>> = { from: 'sender_address' };

function takeChecked(
	{ name, beside, said: fields }: Inner,
	transaction: JsonObject,
	isCompared: (field: string) => boolean,
): JsonObject {
	for (const [field, said] of fields) {
		if (!isCompared(field)) continue;
		const signed = transaction[field] ?? transaction[OTHER_NAMES[field] ?? field];
		if (!isSameField(field, said, signed)) throw otherwiseError(name, field, said, signed);
	}
	// An n8n node that signs may add the signature to the item, and not to the transaction inside the item. The item
	// itself then counts as the transaction.
	return beside.signature !== undefined && transaction.signature === undefined
		? beside
		: transaction;
}

/** Builds the error for an item in which a field differs from the same field of the item's transaction. */
export function otherwiseError(name: string, field: string, said: unknown, signed: unknown) {
	const inside = signed === undefined ? 'missing' : formatExcerpt(signed);
	return new InvalidValue(
		`one transaction without a contradiction: '${field}' is ${formatExcerpt(said)} in the item, but ${inside} in the item's '${name}'`,
		ALONE_ADVICE,
	);
}

/** Fields of bytes, in which every digit counts. In other hex values, leading zeros do not count. */
const BYTES_FIELDS = ['data', 'input'];

/** Whether two values of a field are equal, even if their numbers are written in different ways. */
export function isSameField(field: string, one: unknown, other: unknown): boolean {
	if (Array.isArray(one) && Array.isArray(other))
		return one.length === other.length && one.every((part, at) => isSameField('', part, other[at]));
	if (isRecord(one) && isRecord(other)) {
		const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
		return [...keys].every((key) => isSameField(key, one[key], other[key]));
	}
	if (typeof one === 'object' || typeof other === 'object') return one === other;
	const [text, otherText] = [formatPlain(one), formatPlain(other)];
	if (text === otherText) return true;
	return !BYTES_FIELDS.includes(field) && [text, otherText].every(isInteger)
		? BigInt(text) === BigInt(otherText)
		: false;
}

function formatPlain(value: unknown): string {
	const text = String(value).trim();
	return /^0x/i.test(text) ? text.toLowerCase() : text;
}

/** The longest integers are 0x with 64 hex digits, and 32 bytes in decimal digits. */
const INTEGER_PATTERN = /^(?:0|[1-9]\d{0,77}|0x[0-9a-f]{1,64})$/;

function isInteger(text: string): boolean {
	return INTEGER_PATTERN.test(text);
}
