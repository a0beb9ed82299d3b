import type { ApiPath } from '../../operation/path';

/** A call of a method. */
export interface RpcRequest {
	/** Below the credential's address; the empty path and `/` are two. */
	readonly path: ApiPath;
	readonly method: string;
	/** In the order that the method asks for, or by name. */
	readonly params: RpcParams;
	/** The id of a call that travels alone, as documented: 1 unless told. */
	readonly id?: number;
	/** Whether it may act and so is carried out at most once. Undefined: its name decides. */
	readonly atMostOnce?: boolean;
	/** Asked to see what has changed: an answer that another item got before will not do. */
	readonly isFresh?: boolean;
}

export type RpcParams = readonly unknown[] | Readonly<Record<string, unknown>>;

/** Namespaces in which every method reads. */
const READ_NAMESPACE_PATTERN = /^(arbtrace|net|ots|trace|txpool|web3)$/;

/** Beginnings of names that say that a method reads or works something out. */
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

/** What the rules above would take for reading, though these answer something else when asked again, or act. */
const NO_READ_PATTERN =
	/getFilterChanges|getWork|getNewAddress|getRawChangeAddress|^engine_|^Filecoin\.(Mpool|Wallet)/i;

/**
 * Whether a method is known to read, by its name: `eth_getBalance`, `Filecoin.StateGetActor`,
 * `chain.v1.ChainService/GetBlock`. Only that is repeated, batched and shared. Any other method may do something.
 */
export function isReadMethod(method: string): boolean {
	if (NO_READ_PATTERN.test(method)) return false;
	const parts = method.split(/[._/]/);
	const name = parts.at(-1) ?? '';
	const [namespace = ''] = parts;
	if (parts.length > 1 && READ_NAMESPACE_PATTERN.test(namespace)) return true;
	if (READ_NAMES.has(name)) return true;
	// Filecoin's methods begin with what they are about.
	const verb = name.replace(/^(Chain|Eth|State)(?=[A-Z])/, '');
	return READ_VERB_PATTERN.test(verb.charAt(0).toLowerCase() + verb.slice(1));
}

/** Whether a method sends a transaction, by its name: what it did once, it must not do twice. */
export function isSendMethod(method: string): boolean {
	return /send|submit|broadcast|add\w*transaction/i.test(method);
}
