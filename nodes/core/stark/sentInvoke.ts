import { refuseOtherFields, takeTransaction } from '../chain/item';
import { isRecord, type Parse, InvalidValue } from '../values/parse';
import { encodeFelt, tryParseFelt } from './felts';
import { PoseidonHasher } from './poseidon';
import { raise } from '../errors/raise';

type Json = Readonly<Record<string, unknown>>;

interface Bound {
	readonly amount: bigint;
	readonly price: bigint;
}

/** A signed transaction: the fields that are sent, and the data from which its hash is computed. */
export interface SentInvoke {
	/** The transaction with its own fields only, because strict nodes refuse other fields. */
	readonly json: Json;
	readonly nonce: bigint;
	/** The values from which the hash of the transaction is computed, except the ID of the chain. */
	readonly hashed: HashedParts;
}

interface HashedParts {
	readonly sender: bigint;
	readonly fee: readonly bigint[];
	readonly paymasterData: readonly bigint[];
	readonly nonce: bigint;
	readonly modes: bigint;
	readonly deploymentData: readonly bigint[];
	readonly calldata: readonly bigint[];
	readonly proofFacts: readonly bigint[];
}

/** The resources in the order in which they are hashed: the name in JSON, and the name in the hash. */
const RESOURCES = [
	['l1_gas', 'L1_GAS'],
	['l2_gas', 'L2_GAS'],
	['l1_data_gas', 'L1_DATA'],
] as const;

const [AMOUNT_BITS, PRICE_BITS] = [64, 128];
const [NAME_SHIFT, AMOUNT_SHIFT, MODE_SHIFT] = [192n, 128n, 32n];

/** Parses a signed transaction of version 3, alone or inside an n8n item. Felts lose their leading zeros. */
export const parseSentInvoke: Parse<SentInvoke> = (given) => {
	const { json, sender, nonce, calldata, signature } = parseSigned(
		takeTransaction(given, 'transaction'),
	);
	const bounds = parseBounds(json.resource_bounds);
	const tip = parseNumber(json.tip, AMOUNT_BITS, 'tip');
	const paymasterData = parseFelts(json, 'paymaster_data');
	const deploymentData = parseFelts(json, 'account_deployment_data');
	const nonceMode = parseMode(json, 'nonce_data_availability_mode');
	const feeMode = parseMode(json, 'fee_data_availability_mode');
	const proofFacts = json.proof_facts === undefined ? [] : parseFelts(json, 'proof_facts');
	return {
		json: {
			type: 'INVOKE',
			version: '0x3',
			sender_address: encodeFelt(sender),
			calldata: calldata.map(encodeFelt),
			signature: signature.map(encodeFelt),
			nonce: encodeFelt(nonce),
			resource_bounds: Object.fromEntries(
				bounds.map(([name, , bound]) => [name, encodeBound(bound)]),
			),
			tip: encodeFelt(tip),
			paymaster_data: paymasterData.map(encodeFelt),
			account_deployment_data: deploymentData.map(encodeFelt),
			nonce_data_availability_mode: json.nonce_data_availability_mode,
			fee_data_availability_mode: json.fee_data_availability_mode,
			...(json.proof_facts !== undefined && { proof_facts: proofFacts.map(encodeFelt) }),
			...(json.proof !== undefined && { proof: json.proof }),
		},
		nonce,
		hashed: {
			sender,
			fee: [tip, ...bounds.map(([, name, bound]) => packBound(name, bound))],
			paymasterData,
			nonce,
			modes: (nonceMode << MODE_SHIFT) + feeMode,
			deploymentData,
			calldata,
			proofFacts,
		},
	};
};

const EXPECTED =
	'a signed transaction: JSON with type INVOKE, version 0x3, sender_address, nonce, calldata, resource_bounds and signature';

const TRANSACTION_KEYS = [
	...[
		'type',
		'version',
		'chainId',
		'sender_address',
		'calldata',
		'nonce',
		'resource_bounds',
		'tip',
	],
	...['paymaster_data', 'account_deployment_data', 'nonce_data_availability_mode'],
	...['fee_data_availability_mode', 'proof_facts', 'proof'],
];

/** Parses the fields that every signed transaction must have. */
function parseSigned(json: unknown) {
	if (!isRecord(json) || json.type !== 'INVOKE' || tryParseFelt(json.version) !== VERSION)
		throw new InvalidValue(EXPECTED);
	refuseOtherFields(json, TRANSACTION_KEYS);
	const [sender, nonce] = [tryParseFelt(json.sender_address), tryParseFelt(json.nonce)];
	const [calldata, signature] = [tryParseFelts(json.calldata), tryParseFelts(json.signature)];
	const isWhole = calldata !== undefined && isRecord(json.resource_bounds);
	if (sender === undefined || nonce === undefined || !isWhole) throw new InvalidValue(EXPECTED);
	if (signature === undefined || signature.length === 0)
		throw new InvalidValue('a signed transaction: its signature is missing');
	return { json, sender, nonce, calldata, signature };
}

function tryParseFelts(given: unknown): bigint[] | undefined {
	const felts = Array.isArray(given) ? given.map(tryParseFelt) : [undefined];
	return felts.every((felt) => felt !== undefined) ? felts : undefined;
}

function wrongFieldError(name: string) {
	return new InvalidValue(`a signed transaction: ${name} is missing or wrong`);
}

function parseFelts(json: Json, name: string): bigint[] {
	return tryParseFelts(json[name]) ?? raise(wrongFieldError(name));
}

function parseNumber(given: unknown, bits: number, name: string): bigint {
	const value = tryParseFelt(given);
	return value !== undefined && value < 1n << BigInt(bits) ? value : raise(wrongFieldError(name));
}

function parseMode(json: Json, name: string): bigint {
	const modes: readonly unknown[] = ['L1', 'L2'];
	const mode = modes.indexOf(json[name]);
	return mode < 0 ? raise(wrongFieldError(name)) : BigInt(mode);
}

/** Parses resource bounds. Version 0.7 of the API has no gas for data. */
function parseBounds(given: unknown) {
	if (!isRecord(given)) throw wrongFieldError('resource_bounds');
	const named = RESOURCES.filter(([name]) => name !== 'l1_data_gas' || given[name] !== undefined);
	return named.map(([name, hashedName]) => {
		const field = `resource_bounds.${name}`;
		const bound = given[name];
		if (!isRecord(bound)) throw wrongFieldError(field);
		const amount = parseNumber(bound.max_amount, AMOUNT_BITS, `${field}.max_amount`);
		const price = parseNumber(bound.max_price_per_unit, PRICE_BITS, `${field}.max_price_per_unit`);
		return [name, hashedName, { amount, price }] as const;
	});
}

function encodeBound({ amount, price }: Bound) {
	return { max_amount: encodeFelt(amount), max_price_per_unit: encodeFelt(price) };
}

function encodeName(text: string): bigint {
	return BigInt(`0x${Buffer.from(text).toString('hex')}`);
}

function packBound(name: string, { amount, price }: Bound): bigint {
	return (encodeName(name) << NAME_SHIFT) + (amount << AMOUNT_SHIFT) + price;
}

const VERSION = 3n;

/** Computes the hash that a transaction has on a chain. */
export async function computeInvokeHash({ hashed }: SentInvoke, chainId: bigint): Promise<bigint> {
	const hasher = new PoseidonHasher();
	const hash = async (felts: readonly bigint[]) => await hasher.hash(felts);
	const { proofFacts } = hashed;
	return await hash([
		encodeName('invoke'),
		VERSION,
		hashed.sender,
		await hash(hashed.fee),
		await hash(hashed.paymasterData),
		chainId,
		hashed.nonce,
		hashed.modes,
		await hash(hashed.deploymentData),
		await hash(hashed.calldata),
		...(proofFacts.length > 0 ? [await hash(proofFacts)] : []),
	]);
}
