import { utils } from 'tronweb';
import { brokenBy, type Ruled } from './judge.mts';
import { OWNER } from './witness.mts';

/** This file decides independently whether a TRON transaction may be signed. It reads the bytes with tronweb and Google's protobuf code. */

interface ProtobufMessage {
	serializeBinary(): Uint8Array;
}

interface RawMessage extends ProtobufMessage {
	getContractList(): ReadonlyArray<{
		getType(): number;
		getPermissionId(): number;
		getParameter(): { getValue_asU8(): Uint8Array; getTypeUrl(): string };
	}>;
}

interface MessageClass<Message = ProtobufMessage> {
	deserializeBinary(bytes: Uint8Array): Message;
}

/** The generated protobuf classes, which tronweb stores in a global variable. */
const { TronWebProto } = globalThis as typeof globalThis & {
	TronWebProto: Readonly<Record<string, MessageClass>> & {
		readonly Transaction: { readonly raw: MessageClass<RawMessage> };
	};
};

type JsonRecord = Readonly<Record<string, unknown>>;

const CONTRACT_NAMES: Readonly<Record<number, string>> = {
	1: 'TransferContract',
	2: 'TransferAssetContract',
	4: 'VoteWitnessContract',
	5: 'WitnessCreateContract',
	13: 'WithdrawBalanceContract',
	31: 'TriggerSmartContract',
	54: 'FreezeBalanceV2Contract',
	55: 'UnfreezeBalanceV2Contract',
	56: 'WithdrawExpireUnfreezeContract',
	57: 'DelegateResourceContract',
	58: 'UnDelegateResourceContract',
};

/** The kind in the rules that allows each type of contract. */
const KINDS: Readonly<Record<string, string>> = {
	TransferContract: 'transfer',
	VoteWitnessContract: 'vote',
	WitnessCreateContract: 'registration',
	WithdrawBalanceContract: 'withdraw',
	TriggerSmartContract: 'contractCall',
	FreezeBalanceV2Contract: 'freeze',
	UnfreezeBalanceV2Contract: 'freeze',
	WithdrawExpireUnfreezeContract: 'withdraw',
	DelegateResourceContract: 'delegate',
	UnDelegateResourceContract: 'delegate',
};

interface ReadTransaction {
	/** The JSON that tronweb makes of the bytes. */
	readonly rawData: JsonRecord;
	readonly contract: string;
	readonly parameters: JsonRecord;
	readonly permissionId: number;
	/** Whether Google's protobuf code encodes the decoded message as the same bytes. */
	readonly isCanonical: boolean;
}

/** Decodes a transaction without strict checks, as the libraries do. Returns undefined if they cannot decode it. */
export function readWitnessTransaction(bytes: Buffer): ReadTransaction | undefined {
	try {
		const raw = TronWebProto.Transaction.raw.deserializeBinary(bytes);
		const [first, ...others] = raw.getContractList();
		const contract = CONTRACT_NAMES[first!.getType()]!;
		const parameter = first!.getParameter();
		const value = parameter.getValue_asU8();
		const written = TronWebProto[contract]!.deserializeBinary(value).serializeBinary();
		const rawData = toNodeJson(
			utils.deserializeTx.deserializeTransaction(contract, bytes.toString('hex')),
		);
		const [{ parameter: shown }] = rawData.contract as [
			{ readonly parameter: { readonly value: JsonRecord } },
		];
		return {
			rawData,
			contract,
			parameters: toLowerCase(shown.value),
			permissionId: first!.getPermissionId(),
			isCanonical:
				others.length === 0 &&
				parameter.getTypeUrl() === `type.googleapis.com/protocol.${contract}` &&
				bytes.equals(raw.serializeBinary()) &&
				Buffer.from(value).equals(written),
		};
	} catch {
		return undefined;
	}
}

function toLowerCase(read: JsonRecord): JsonRecord {
	const entries = Object.entries(read).map(([name, value]) => [
		name,
		typeof value === 'string' ? value.toLowerCase() : value,
	]);
	return Object.fromEntries(entries) as JsonRecord;
}

/** Removes empty members, because the chain's nodes leave them out. */
function toNodeJson(read: object): JsonRecord {
	const isEmpty = (value: unknown) => value === '' || (Array.isArray(value) && value.length === 0);
	return Object.fromEntries(Object.entries(read).filter(([, value]) => !isEmpty(value)));
}

export interface WitnessRuled {
	readonly kinds: readonly string[];
	readonly maxAmount: bigint;
	readonly maxFee: bigint;
	readonly latest: number;
	/** The rules for contract calls, with addresses in the form of EVM chains. */
	readonly calls: Ruled;
}

/** Lists the rules that a transaction breaks, judged only by its bytes. */
export function brokenByWitness(
	bytes: Buffer,
	{ calls, kinds, latest, maxAmount, maxFee }: WitnessRuled,
): ReadonlySet<string> {
	const read = readWitnessTransaction(bytes);
	if (!read) return new Set(['the bytes']);
	const { contract, isCanonical, parameters, permissionId, rawData } = read;
	const broken = new Set<string>();
	const want = (rule: string, holds: boolean) => void (holds || broken.add(rule));
	const mayReceive = (one: unknown) =>
		one === OWNER ||
		calls.recipients.length === 0 ||
		calls.recipients.includes(`0x${String(one).slice(2)}`);
	const mayBurn = BigInt(Math.max(bytes.length - 2000, 0)) * 1000n;
	want('the encoding', isCanonical);
	want('the owner', parameters.owner_address === OWNER);
	want('the permission', permissionId === 0);
	want('Witness Kinds', kinds.includes(KINDS[contract] ?? 'none'));
	want('Witness Max Expiry', Number(rawData.expiration) <= latest);
	want('Witness Max Fee', toBigInt(rawData.fee_limit) + mayBurn <= maxFee);
	if (contract === 'TransferContract') {
		want('Witness Max Amount', toBigInt(parameters.amount) <= maxAmount);
		want('Recipients', mayReceive(parameters.to_address));
	}
	if (contract === 'DelegateResourceContract') {
		want('Recipients', mayReceive(parameters.receiver_address));
	}
	if (contract === 'TriggerSmartContract') judgeCall();
	return broken;

	function judgeCall() {
		const { call_token_value, call_value, contract_address, data, token_id } = parameters;
		want('TRC-10', toBigInt(call_token_value) + toBigInt(token_id) === 0n);
		want('Witness Max Amount', toBigInt(call_value) <= maxAmount);
		const to = `0x${String(contract_address).slice(2)}`;
		const given = {
			chainId: calls.chainIds[0]!,
			nonce: 0n,
			to,
			value: toBigInt(call_value),
			data: `0x${String(data ?? '')}` as `0x${string}`,
			gas: 100_000_000n,
			maxFeePerGas: 0n,
			accessList: [],
		};
		if (given.data === '0x') want('Contracts', calls.contracts.includes(to));
		else for (const rule of brokenBy(given, calls)) broken.add(rule);
	}
}

function toBigInt(given: unknown): bigint {
	return BigInt((given ?? 0) as number);
}
