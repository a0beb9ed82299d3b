import {
	parseAccountPart,
	parseAmountPart,
	parseHashPart,
	parseHexPart,
	parseRecordPart,
	parseRecordsPart,
	malformedError,
} from './blockParts';
import { raise } from '../errors/raise';

type JsonRecord = Readonly<Record<string, unknown>>;

/** A transaction as a block contains it. All accounts are 40 hex digits. */
export interface ListedTransaction {
	readonly id: string;
	readonly hasFailed: boolean;
	/** The memo in hex. */
	readonly memo: string;
	/** The coins that the sender of the transaction sends. */
	readonly coins?: CoinsSent;
	readonly call?: ContractCall;
}

interface ContractCall {
	readonly from: string;
	readonly contract: string;
	/** The selector of the function, and the encoded arguments, in hex. */
	readonly data: string;
}

/** The coins that a transaction sends, in sun. The receiver is undefined if the transaction creates it. */
interface CoinsSent {
	readonly from: string;
	readonly to: string | undefined;
	readonly amount: bigint;
}

/** Coins that moved, in sun. */
export interface CoinTransfer extends CoinsSent {
	readonly to: string;
}

/** The outcomes of a transaction that did not fail. Blocks of 2018 leave out the outcome. */
const GOOD_RESULTS: readonly unknown[] = [undefined, 'SUCCESS', 'DEFAULT'];

export function parseListedTransaction(json: JsonRecord): ListedTransaction {
	const raw = parseRecordPart(json.raw_data, 'raw_data');
	const [contract, ...others] = parseRecordsPart(raw.contract, 'contract');
	if (!contract || others.length > 0) throw malformedError('contract');
	const parameter = parseRecordPart(contract.parameter, 'parameter');
	const [outcome] = parseRecordsPart(json.ret, 'ret');
	const value = parseRecordPart(parameter.value, 'value');
	const coins = parseCoinsSent(contract.type, value);
	return {
		id: parseHashPart(json.txID, 'txID'),
		hasFailed: !GOOD_RESULTS.includes(outcome?.contractRet),
		memo: parseHexPart(raw.data, 'raw_data.data'),
		...(coins && coins.amount > 0n && { coins }),
		...(contract.type === 'TriggerSmartContract' && { call: parseCall(value) }),
	};
}

function parseCall({ owner_address: from, contract_address: contract, data }: JsonRecord) {
	return {
		from: parseAccountPart(from, 'owner_address'),
		contract: parseAccountPart(contract, 'contract_address'),
		data: parseHexPart(data, 'data'),
	};
}

/**
 * Finds the coins that a transaction sends. The internal transactions of a contract call do not contain the coins of
 * the call itself.
 */
function parseCoinsSent(type: unknown, value: JsonRecord): CoinsSent | undefined {
	const sent = (to: string | undefined, amount: unknown, name: string): CoinsSent => ({
		from: parseAccountPart(value.owner_address, 'owner_address'),
		to,
		amount: parseAmountPart(amount, name),
	});
	switch (type) {
		case 'TransferContract':
		case 'ParticipateAssetIssueContract':
			// ParticipateAssetIssueContract buys tokens (TRC-10). Its coins go to the issuer of the tokens.
			return sent(parseAccountPart(value.to_address, 'to_address'), value.amount, 'amount');
		case 'TriggerSmartContract': {
			const contract = parseAccountPart(value.contract_address, 'contract_address');
			return sent(contract, value.call_value, 'call_value');
		}
		case 'CreateSmartContract': {
			const created = parseRecordPart(value.new_contract, 'new_contract');
			return sent(undefined, created.call_value, 'call_value');
		}
		default:
			return undefined;
	}
}

/** A log, with its position among all logs of the block. Its values are 0x-hex, as the functions for ABIs require. */
export interface BlockLog {
	readonly address: string;
	readonly topics: readonly string[];
	readonly data: string;
	readonly logIndex: number;
}

/** The outcome of a transaction. */
export interface TransactionOutcome {
	readonly hasFailed: boolean;
	readonly createdContract: string | undefined;
	readonly logs: ReadonlyArray<Omit<BlockLog, 'logIndex'>>;
	/** Coins that contracts sent. */
	readonly transfers: readonly CoinTransfer[];
}

export function parseTransactionOutcome(info: JsonRecord): TransactionOutcome {
	const receipt = info.receipt === undefined ? {} : parseRecordPart(info.receipt, 'receipt');
	const address = info.contract_address;
	return {
		hasFailed: info.result === 'FAILED' || !GOOD_RESULTS.includes(receipt.result),
		createdContract:
			address === undefined ? undefined : parseAccountPart(address, 'contract_address'),
		logs: parseRecordsPart(info.log, 'log').map(parseLog),
		transfers: parseRecordsPart(info.internal_transactions, 'internal_transactions').flatMap(
			parseInternalTransfers,
		),
	};
}

const MAX_TOPICS = 4;

function parseLog({ address, topics = [], data }: JsonRecord): Omit<BlockLog, 'logIndex'> {
	const given = Array.isArray(topics) ? (topics as unknown[]) : raise(malformedError('topics'));
	if (given.length > MAX_TOPICS) throw malformedError('topics');
	return {
		address: `0x${parseAccountPart(address, 'log.address')}`,
		topics: given.map((topic) => `0x${parseHashPart(topic, 'topics')}`),
		data: `0x${parseHexPart(data, 'log.data')}`,
	};
}

/**
 * The words `call`, `create` and `suicide` in hex. Internal transactions with other notes bring the receiver no
 * coins.
 */
const PAYING_NOTES: readonly unknown[] = ['63616c6c', '637265617465', '73756963696465'];

/** Parses the coins that an internal transaction moves. An entry with the ID of a token moves no coins. */
function parseInternalTransfers(internal: JsonRecord): readonly CoinTransfer[] {
	const { caller_address: caller, transferTo_address: receiver, rejected, note } = internal;
	if (rejected !== undefined && rejected !== false) return [];
	if (!PAYING_NOTES.includes(note)) return [];
	return parseRecordsPart(internal.callValueInfo, 'callValueInfo').flatMap(
		({ callValue, tokenId }) => {
			const amount = parseAmountPart(callValue, 'callValue');
			const isCoins = tokenId === undefined || tokenId === '';
			if (!isCoins || amount === 0n) return [];
			return {
				from: parseAccountPart(caller, 'caller_address'),
				to: parseAccountPart(receiver, 'transferTo_address'),
				amount,
			};
		},
	);
}
