/**
 * All that another package of this repository may use of the core. The nodes of this package import the modules
 * themselves; the bundler of another takes what it uses of these, and nothing else (`sideEffects` in package.json).
 */

/** Operations: their fields, what the user chose in them, and their run over all input items. */
export { run } from './run';
export { operationOf } from './operation/operation';
export type { Client, Connect } from './operation/client';
export type { Field, Params } from './operation/field';
export { parameterReader, parameterSource } from './operation/parameters';
export { properties, property, subtitle } from './operation/panel';
export { mapped } from './operation/resourceMapper';
export {
	concurrency,
	maxCallsPerSecond,
	maxRetries,
	maxWait,
	optionsField,
	timeout,
} from './operation/transportOptions';

/** Triggers: a connection that is opened again whenever it is lost, and the executions of what it brings. */
export { executionsOf, type Start } from './trigger/executions';
export { backoff, listen, reporter, USUAL_TIMING, type TriggerTiming } from './trigger/listen';
export { triggerPanel } from './trigger/panel';

/** Requests: how many at once, which are sent again and when, and how n8n's Stop ends them. */
export { Pacer } from './pacing/pacer';
export { retryAfter } from './pacing/retry';
export { Stopped, unlessAborted, wait } from './pacing/stop';
export { sends } from './rpc/request';
export { isQuota } from './responses/response';

/** A JSON-RPC service, and the test of its credential. */
export { rpcClient } from './rpc/rpc';
export type { Authenticate } from './http/client';
export type { HttpRequest } from './http/types';
export { networkFailure } from './http/networkErrors';
export { sendTest } from './credentialTests';

/** Transactions and what else is signed: how they are encoded. What hashes is given by who signs. */
export { rlpFields } from './transactions/rlp';
export {
	serialized,
	signable,
	typeOf,
	type AccessList,
	type GasPrice,
	type UnsignedTransaction,
} from './transactions/unsigned';
export { typedDataHash } from './abi/typedData';
export { prefixedMessage } from './values/message';

/** Calls of contracts. */
export { decodeSelected, encodeCall, functionIn } from './abi/call';
export { DecodingError } from './abi/data';
export type { AbiFunction } from './abi/entry';

/** Errors: of the service, of the user's input, and as n8n shows them. */
export { RequestFailure, warnedIfExecuted } from './errors/requestFailure';
export { nodeError, toErrorJson } from './errors/nodeError';
export { inOneLine, InvalidInput } from '../../credentials/invalidInput';

/** Transactions of the witness chain: what their bytes say, and whether their JSON says the same. */
export { decodeTransaction, type WitnessTransaction } from './witness/transaction';
export { witnessTransaction } from './witness/rawData';

/** Credentials: what may be sent, and what must not be shown. */
export {
	atEndpoint,
	basicHeaders,
	cleanSecret,
	LOOPBACK,
	textOf,
} from '../../credentials/endpoint';
export { readCredential } from './http/credential';
export { secretsOf } from './http/secrets';

/** Values: readers of what the user gave. */
export {
	attempt,
	boolean as readBoolean,
	InvalidValue,
	isRecord,
	mustBe,
	readAs,
	text,
	utf8,
	wholeNumber,
	type Read,
} from './values/read';
export { json, listOf, tryParseJson } from './values/json';
export { bytes as hexBytes, checksummed, evmAddress } from './values/hex';
export { coinsOf } from './values/coins';
export { secondsOf, time as readTime } from './values/time';
export { decimalText, ETHER, optional, wholeAmount } from './values/numbers';
export { excerpt, someOf } from './values/excerpt';
export { fromBase58, toBase58, witnessAccount, witnessForms } from './values/addresses';
