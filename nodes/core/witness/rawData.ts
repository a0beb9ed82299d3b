import { isRecord, mustBe, type Read } from '../values/read';
import { firstDifference } from './difference';
import { mismatched, parseMessage } from './fieldTypes';
import type { Fields } from './protobuf';
import {
	CONTRACTS,
	decodeTransaction,
	envelopeFields,
	headerFields,
	typeUrl,
	type WitnessTransaction,
} from './transaction';

/** A transaction as the wallet methods give it; what its bytes say must be what its ID and its JSON say. */
export const witnessTransaction: Read<WitnessTransaction> = (given) => {
	if (!isRecord(given)) return mustBe('a transaction as a JSON object');
	const { txID, raw_data: rawData, raw_data_hex: hex, visible = false } = given;
	const decoded = decodeTransaction(hex);
	if (typeof txID !== 'string' || txID.toLowerCase() !== decoded.txID) {
		return mustBe('a transaction whose txID is the SHA-256 of its raw_data_hex');
	}
	if (typeof visible !== 'boolean') return mustBe('a transaction whose visible is true or false');
	checkRawData(rawData, decoded, visible);
	return decoded;
};

/** Throws InvalidValue unless the JSON says what the bytes say. */
export function checkRawData(json: unknown, decoded: WitnessTransaction, isVisible: boolean): void {
	if (!isRecord(json)) return mustBe('a transaction with its raw_data');
	const { contract: contracts, ...header } = json;
	const contract = onlyOne(contracts);
	compare(
		parseMessage(headerFields, header, isVisible, 'raw_data'),
		{
			ref_block_bytes: decoded.refBlockBytes,
			ref_block_hash: decoded.refBlockHash,
			expiration: decoded.expiration,
			data: decoded.data,
			timestamp: decoded.timestamp,
			fee_limit: decoded.feeLimit,
		},
		'raw_data',
	);
	const { parameter, ...rest } = contract;
	compare(
		parseMessage(envelopeFields, rest, isVisible, 'contract'),
		{
			type: decoded.contract,
			Permission_id: decoded.permissionId,
		},
		'contract',
	);
	compareParameter(parameter, decoded, isVisible);
}

function onlyOne(contracts: unknown): Record<string, unknown> {
	const [contract, ...others] = Array.isArray(contracts) ? (contracts as unknown[]) : [];
	return isRecord(contract) && others.length === 0
		? contract
		: mismatched('raw_data.contract', contracts);
}

function compareParameter(json: unknown, decoded: WitnessTransaction, isVisible: boolean): void {
	const { contract, parameters } = decoded;
	if (!isRecord(json)) return mismatched('contract.parameter', json);
	const { value, ...rest } = json;
	compare(rest, { type_url: typeUrl(contract) }, 'parameter');
	const fields: Fields = CONTRACTS[contract].fields;
	compare(parseMessage(fields, value, isVisible, 'parameter'), parameters, 'parameter');
}

function compare(said: unknown, meant: unknown, name: string): void {
	const found = firstDifference(said, meant, name);
	if (!found) return;
	const [inJson, inBytes] = [found.one, found.other];
	mustBe(
		`what its raw_data_hex says: ${found.name} is ${inJson} in raw_data, and ${inBytes} in its bytes`,
	);
}
