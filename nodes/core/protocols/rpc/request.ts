import type { ApiPath } from '../../operation/path';

/** A call of a method. */
export interface RpcRequest {
	/** The path below the credential's address. The empty path and `/` are different. */
	readonly path: ApiPath;
	readonly method: string;
	/** The parameters, in the order that the method defines, or by name. */
	readonly params: RpcParams;
	/** The ID of a call that is sent alone; 1 by default. */
	readonly id?: number;
	/**
	 * Whether the method may have an effect, so that it is carried out at most once. If undefined, the method's name
	 * decides.
	 */
	readonly atMostOnce?: boolean;
	/** Whether the call must get a fresh answer. Cached answers are not used then. */
	readonly isFresh?: boolean;
}

export type RpcParams = readonly unknown[] | Readonly<Record<string, unknown>>;

export type CallOptions = Pick<RpcRequest, 'id' | 'isFresh'>;

/** Namespaces in which all methods only read. */
const READ_NAMESPACE_PATTERN = /^(arbtrace|net|ots|trace|txpool|web3)$/;

/** Method names that begin with one of these verbs only read or compute something. */
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

/**
 * Methods that have an effect, or give another answer each time, although their names match the patterns for reading.
 */
const NO_READ_PATTERN =
	/getFilterChanges|getWork|getNewAddress|getRawChangeAddress|^engine_|^Filecoin\.(Mpool|Wallet)/i;

/**
 * Whether a method only reads, judged by its name, such as `eth_getBalance` or `chain.v1.ChainService/GetBlock`. Only
 * calls that read are repeated, batched and shared. All other methods may have an effect.
 */
export function isReadMethod(method: string): boolean {
	if (NO_READ_PATTERN.test(method)) return false;
	const parts = method.split(/[._/]/);
	const name = parts.at(-1) ?? '';
	const [namespace = ''] = parts;
	if (parts.length > 1 && READ_NAMESPACE_PATTERN.test(namespace)) return true;
	if (READ_NAMES.has(name)) return true;
	// Method names of Filecoin begin with a subject before the verb.
	const verb = name.replace(/^(Chain|Eth|State)(?=[A-Z])/, '');
	return READ_VERB_PATTERN.test(verb.charAt(0).toLowerCase() + verb.slice(1));
}

/** Whether a method sends a transaction, judged by its name. Such a method must not be carried out twice. */
export function isSendMethod(method: string): boolean {
	return /send|submit|broadcast|add\w*transaction/i.test(method);
}
