import { isRecord, type Parse, InvalidValue } from '../values/parse';
import { findFirstDifference } from './difference';
import { mismatchError, parseMessageJson } from './fieldTypes';
import type { MessageFields } from './protobuf';
import {
	CONTRACTS,
	decodeTransaction,
	envelopeFields,
	headerFields,
	getTypeUrl,
	type WitnessTransaction,
} from './transaction';
import { raise } from '../errors/raise';

/** Parses a transaction as the methods of nodes return it. Its bytes, its ID and its JSON must agree. */
export const parseBuiltTransaction: Parse<WitnessTransaction> = (given) => {
	if (!isRecord(given)) throw new InvalidValue('a transaction as a JSON object');
	const { txID, raw_data: rawData, raw_data_hex: hex, visible = false } = given;
	const decoded = decodeTransaction(hex);
	if (typeof txID !== 'string' || txID.toLowerCase() !== decoded.txID) {
		throw new InvalidValue('a transaction whose txID is the hash (SHA-256) of its raw_data_hex');
	}
	if (typeof visible !== 'boolean')
		throw new InvalidValue("a transaction whose field 'visible' is true or false");
	checkRawData(rawData, decoded, visible);
	return decoded;
};

/** Throws InvalidValue if the JSON and the bytes of a transaction differ. */
function checkRawData(json: unknown, decoded: WitnessTransaction, isVisible: boolean): void {
	if (!isRecord(json)) throw new InvalidValue('a transaction with its raw_data');
	const { contract: contracts, ...header } = json;
	const contract = requireOneContract(contracts);
	checkEqual(
		parseMessageJson(headerFields, header, isVisible, 'raw_data'),
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
	checkEqual(
		parseMessageJson(envelopeFields, rest, isVisible, 'contract'),
		{
			type: decoded.contract,
			Permission_id: decoded.permissionId,
		},
		'contract',
	);
	checkParameter(parameter, decoded, isVisible);
}

function requireOneContract(contracts: unknown): Record<string, unknown> {
	const [contract, ...others] = Array.isArray(contracts) ? (contracts as unknown[]) : [];
	return isRecord(contract) && others.length === 0
		? contract
		: raise(mismatchError('raw_data.contract', contracts));
}

function checkParameter(json: unknown, decoded: WitnessTransaction, isVisible: boolean): void {
	const { contract, parameters } = decoded;
	if (!isRecord(json)) throw mismatchError('contract.parameter', json);
	const { value, ...rest } = json;
	checkEqual(rest, { type_url: getTypeUrl(contract) }, 'parameter');
	const fields: MessageFields = CONTRACTS[contract].fields;
	checkEqual(parseMessageJson(fields, value, isVisible, 'parameter'), parameters, 'parameter');
}

function checkEqual(said: unknown, meant: unknown, name: string): void {
	const found = findFirstDifference(said, meant, name);
	if (!found) return;
	const [inJson, inBytes] = [found.one, found.other];
	throw new InvalidValue(
		`a transaction that matches its raw_data_hex: ${found.name} is ${inJson} in raw_data, and ${inBytes} in raw_data_hex`,
	);
}
