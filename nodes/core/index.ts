/**
 * Exports everything that other packages of this repository may use of the core. Nodes of this package import the
 * modules directly. Bundlers of other packages leave out unused exports, as `sideEffects` in package.json allows.
 */

/** Operations: their fields, the parsing of parameters, and the run over all input items. */
export { ADDRESS_BOUND, parseStarkAddress } from './stark/address';
export { run } from './run';
export { raise } from './errors/raise';
export { createOperationTyper } from './operation/operation';
export type { Client, Connect } from './operation/client';
export type { Field, Params } from './operation/field';
export {
	createParameterParser,
	createParameterSource,
	type ParameterSource,
} from './operation/parameters';
export { buildProperties, buildProperty, buildSubtitle } from './operation/panel';
export { parseResourceMapper } from './operation/resourceMapper';
export {
	concurrencyField,
	maxCallsPerSecond,
	maxRetries,
	maxWait,
	optionsField,
	timeoutField,
} from './operation/transportOptions';

/** Triggers that keep a connection open, reopen it when it is lost, and start executions. */
export { createExecutionStarter, type StartExecution } from './trigger/executions';
export {
	getBackoff,
	startTrigger,
	createReporter,
	DEFAULT_TIMING,
	type TriggerTiming,
} from './trigger/reconnect';
export { buildTriggerPanel } from './trigger/panel';

/** Requests: how many run at the same time, when they are sent again, and how n8n's Stop ends them. */
export { Pacer } from './net/pacing/pacer';
export { parseRetryAfter } from './net/pacing/retry';
export { Pauses, runInSlices, type Sliced } from './net/pacing/slices';
export { createTimeoutSignal, Stopped, unlessAborted, wait } from './net/pacing/stop';
export { markHandled } from './net/pacing/concurrency';
export { isSendMethod } from './protocols/rpc/request';
export { isQuota } from './net/responses/response';

/** A JSON-RPC service, and the test of its credential. */
export { connectRpc } from './protocols/rpc/connect';
export type { Authenticate } from './net/http/client';
export type { HttpRequest } from './net/http/types';
export { networkError } from './net/http/networkErrors';
export { sendTestRequest } from './credentialTests';

/** Account keys, from which the addresses of an account are derived. */
export {
	ACCOUNT_DEPTH,
	CHAIN_DEPTH,
	EXTENDED_KEY_BYTES,
	formatPath,
	MAX_INDEX,
	parseAccountKey,
	type AccountKey,
} from './accountKey/accountKey';
export { ORDER as SECP256K1_ORDER } from './accountKey/secp256k1';
export { watchAccounts } from './accountKey/watchedAccounts';

/** Encodings of signed data such as transactions. The package in `signer` passes in its own hash function. */
export { decodeRlpFields } from './evm/transactions/rlp';
export {
	computeMaxFee,
	serializeTransaction,
	formatTransactionRequest,
	getTransactionType,
	type UnsignedTransaction,
} from './evm/transactions/unsigned';
export { hashTypedData, hashTypedDataInSlices } from './evm/abi/typedData';
export { prefixMessage } from './evm/message';

/** Payments over HTTP (x402): the data that a seller requests, and the data that a buyer signs. */
export {
	buildAuthorizationData,
	formatAuthorization,
	type Authorization,
} from './evm/httpPayment/authorization';
export { encodeHeader, PAYMENT_HEADERS } from './evm/httpPayment/headers';
export { parseNetwork } from './evm/httpPayment/networks';
export {
	parsePaymentRequired,
	type Offer,
	type PaymentRequired,
	type UnusableOffer,
} from './evm/httpPayment/required';

/** Calls of contracts. */
export { decodeBySelector, encodeFunctionData, parseFunction } from './evm/abi/call';
export type { AbiFunction } from './evm/abi/entry';

/** The forms of addresses in each family of chains. */
export { FAMILY_NAMES, type Family } from './values/families';
export { FAMILIES } from './families/families';
export { SWEEPS, type SweptFamily } from './families/sweeps';
export {
	isMissing,
	type AskedPayment,
	type PayingFamily,
	type PaymentPlace,
	type PreparedPayment,
	type SignedTransaction,
} from './chain/family';
export {
	transactionParser as evmTransactionParser,
	type ParsedTransaction as ParsedEvmTransaction,
} from './evm/transactions/parse';
export {
	parseUnsigned as parseUnsignedWitness,
	type ParsedTransaction as ParsedWitnessTransaction,
} from './witness/unsigned';
export { formatBounds, INVOKE_VERSION, parseStarkInvoke, type StarkInvoke } from './stark/unsigned';

/** Errors of the service and of the user's input, and their form in n8n. */
export { RequestFailure, withExecutionWarning } from './errors/requestFailure';
export { nodeError, formatErrorJson } from './errors/nodeError';
export { formatInOneLine, InvalidInput } from './errors/invalidInput';

/** Transactions of TRON: decoding their bytes, and comparing them with their JSON. */
export { decodeTransaction, type WitnessTransaction } from './witness/transaction';
export { computeHighestByteFee, SUN_PER_BYTE } from './witness/prepare/fees';

/** The TON chain: parsing the JSON of what a wallet shall send, and building the cells that its key signs. */
export { formatTonAddresses, parseTonAccount, type TonAccount } from './ton/address';
export {
	formatOpcode,
	getOpcode,
	OPCODES,
	parseComment,
	parseJettonTransfer,
	parseNftTransfer,
} from './ton/bodies';
export { hashCells, type Cell } from './ton/cell';
export { measureCells } from './ton/cell';
export { hasLibraries } from './ton/stateInit';
export {
	buildExternalMessage,
	buildInternalMessage,
	computeNormalizedHash,
	encodeExternalMessage,
	type InternalMessage,
} from './ton/messages';
export {
	buildSignedBody,
	buildUnsignedBody,
	parseTransfer,
	type TonTransfer,
} from './ton/transfer';
export {
	buildWalletState,
	findWallet,
	getUsualWalletId,
	getWalletAccount,
	listWallets,
	MAX_MESSAGES,
	WALLET_TYPES,
	type Wallet,
	type WalletType,
} from './ton/wallets';

/** STARK rollups: field elements (felts), short strings, and the cost of a transaction. */
export {
	decodeShortString,
	encodeFelt,
	FIELD_PRIME,
	formatFelt,
	parseFeltNumber,
	parseShortString,
} from './stark/felts';
export { computeHighestFee } from './stark/invoke';
export { computeSelector } from './stark/selectors';
export { decodeAmount, FEE_DECIMALS } from './stark/tokens';

/** Payments of any family. */
export { makeMark, type PaymentMark } from './chain/mark';
export type { MadePayment, MadePayments, OwnPayment } from './chain/ownPayment';
export {
	isSameField,
	itemParser,
	otherwiseError,
	readStatedFields,
	type StatedFields,
} from './chain/item';
export {
	buildNeverOutcome,
	buildUnknownOutcome,
	FINISH_ADVICE,
	type SettleTerms,
} from './chain/settling';
export { readOnce } from './net/pacing/shared';
export { connectNode } from './nodeCredentials';
export { connectRest, type RestRequest } from './protocols/rest';
export { openChain, type Chain } from './protocols/rpc/operation';
export type { RpcRequest } from './protocols/rpc/request';
export { addHints, type RunContext } from './operation/operation';
export { createShared, sharedKey } from './net/pacing/shared';
export { isAboutTransaction } from './net/responses/rpcErrors';
export type {
	AskedSweep,
	Holding,
	PreparedSweep,
	SweepAuthorization,
	SweptChain,
} from './chain/sweep';
export { methodPrefix } from './operation/methodPrefix';
export { pathField } from './operation/path';
export {
	authentication as nodeAuthentication,
	expectDecimals,
	waitFor,
} from './operation/sharedFields';
export { quoteSymbol } from './values/quoted';
export { amountTextParser, parseAmountText } from './values/units';
/** Signed payments: reading their receivers and amounts, and the outcomes on the chain. */
export { SOMETHING_ELSE, type PaymentOutcome, type SignedPayment } from './chain/ownPayment';

/** Credentials: the addresses to which a secret may be sent, and the masking of secrets in texts. */
export {
	withSecret,
	buildBasicAuthHeaders,
	parseSecret,
	LOOPBACK_HOST,
	getText,
} from '../../credentials/endpoint';
export { getPlainCredential, parseCredential } from './net/http/credential';
export { createRedactor } from './net/http/secrets';

/** Parsers of values that the user entered. */
export {
	catching,
	parseBoolean,
	InvalidValue,
	isRecord,
	exactTextParser,
	parseText,
	parseUtf8,
	wholeNumberParser,
	type Parse,
	parseField,
	rethrow,
} from './values/parse';
export {
	parseJsonValue,
	parseUniqueJson,
	listParser,
	tryParseJson,
	stringifyExactJson,
} from './values/json';
export { encodeHex, parseHexBytes } from './values/hex';
export { checksumAddress, parseEvmAddress } from './evm/address';
export { toUnixSeconds, parseTime } from './values/time';
export { MAX_UINT256, optionalParser, parseUint256 } from './values/numbers';
export {
	ETHER_DECIMALS,
	NANOCOIN_DECIMALS,
	SUN_DECIMALS,
	formatUnits,
	isAtLeast,
	parseWholeAmount,
	unitsParser,
	type Decimal,
} from './values/units';
export { formatExcerpt, formatNames } from './values/excerpt';
export { toStandardBase64 } from './values/base64';
export { decodeBase58, decodeBase58Check, encodeBase58 } from './values/base58';
export { parseWitnessAccount, formatWitnessAddresses } from './witness/address';
