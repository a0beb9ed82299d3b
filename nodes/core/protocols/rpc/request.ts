import type { ApiPath } from '../../operation/path';

/** A call of a method. */
export interface RpcRequest {
	/** The path below the credential's address; the empty path and `/` differ. */
	readonly path: ApiPath;
	readonly method: string;
	/** Parameters in the order of the method, or by name. */
	readonly params: RpcParams;
	/** The id of a call that travels alone, as documented; the default is 1. */
	readonly id?: number;
	/** Whether it may act and so is carried out at most once. If undefined, its name decides. */
	readonly atMostOnce?: boolean;
	/** Whether the call must see changes: an answer that another item got before is not used. */
	readonly isFresh?: boolean;
}

export type RpcParams = readonly unknown[] | Readonly<Record<string, unknown>>;

export type CallOptions = Pick<RpcRequest, 'id' | 'isFresh'>;

/** Every method in these namespaces reads. */
const READ_NAMESPACE_PATTERN = /^(arbtrace|net|ots|trace|txpool|web3)$/;

/** Beginnings of names of methods that read or compute something. */
const READ_VERB_PATTERN =
	/^(call|devInspect|dryRun|estimate|get|has|is|list|multiGet|query|resolve|search|simulate|trace|tryGet|tryMultiGet|verify)(?![a-z])/;

const READ_NAMES = new Set([
	'accounts',
	'blobBaseFee',
	'blockHashAndNumber',
	'blockNumber',
	'ChainHead',
	'chainId',
	'clientVersion',
	'coinbase',
	'createAccessList',
	'feeHistory',
	'gasPrice',
	'hashrate',
	'maxPriorityFeePerGas',
	'mining',
	'protocolVersion',
	'specVersion',
	'storageRangeAt',
	'syncing',
	'version',
]);

/** Methods that match the rules above although they act, or answer differently when asked again. */
const NO_READ_PATTERN =
	/getFilterChanges|getWork|getNewAddress|getRawChangeAddress|^engine_|^Filecoin\.(Mpool|Wallet)/i;

/**
 * Whether a method is known to read, by its name: `eth_getBalance`, `Filecoin.StateGetActor`,
 * `chain.v1.ChainService/GetBlock`. Only such calls are repeated, batched and shared. Any other method may act.
 */
export function isReadMethod(method: string): boolean {
	if (NO_READ_PATTERN.test(method)) return false;
	const parts = method.split(/[._/]/);
	const name = parts.at(-1) ?? '';
	const [namespace = ''] = parts;
	if (parts.length > 1 && READ_NAMESPACE_PATTERN.test(namespace)) return true;
	if (READ_NAMES.has(name)) return true;
	// Filecoin's methods begin with their subject.
	const verb = name.replace(/^(Chain|Eth|State)(?=[A-Z])/, '');
	return READ_VERB_PATTERN.test(verb.charAt(0).toLowerCase() + verb.slice(1));
}

/** Whether a method sends a transaction, by its name, so that it must not be carried out twice. */
export function isSendMethod(method: string): boolean {
	return /send|submit|broadcast|add\w*transaction/i.test(method);
}
