import type { RpcReader } from '../../chain/reader';
import { formatTokenAmount, type TokenFacts } from '../../chain/tokens';
import { isAboutTransaction } from '../../net/responses/rpcErrors';
import { numberToHex } from '../../values/numbers';
import { rethrow } from '../../values/parse';
import { checksumAddress } from '../address';
import { readBalance } from '../tokens';
import { isErc6492Signature, verifySignature } from '../signatures';
import { decodeOrNull } from '../abi/results';
import { callContract } from '../contractReads';
import {
	EIP3009_FUNCTIONS,
	formatAuthorization,
	hashAuthorization,
	type Authorization,
	type TokenDomain,
} from './authorization';
import { parseNetwork } from './networks';
import { buildRejection, parsePayment, type ForeignPayment, type Invalidity } from './payment';
import { encodeTransfer, isHighS } from './transfer';

/** What the seller wants. */
export interface WantedPayment {
	readonly facts: TokenFacts;
	readonly domain: TokenDomain;
	readonly to: string;
	/** The wanted amount, in the smallest unit of the token. */
	readonly value: bigint;
	/** How much gas settling may use if a contract has signed. */
	readonly maxGas: bigint;
}

/** For how many more seconds a payment must be valid, because carrying it out takes a block. */
const LEAST_SECONDS_LEFT = 6n;

/** Verifies a parsed payment; undefined if it would settle now. Throws failures of the node. */
async function findInvalidity(
	reader: RpcReader,
	payment: ForeignPayment,
	wanted: WantedPayment,
	now: bigint,
): Promise<Invalidity | undefined> {
	return (
		compareOffer(payment, wanted) ??
		compareAuthorization(payment.authorization, wanted, now) ??
		checkForm(payment.signature) ??
		(await checkOnChain(reader, payment, wanted))
	);
}

function compareOffer(
	{ accepted, network, scheme }: ForeignPayment,
	{ domain: { chainId, verifyingContract: token }, to, value }: WantedPayment,
): Invalidity | undefined {
	if (scheme !== 'exact')
		return buildRejection('invalid_exact_evm_scheme', 'The scheme is not exact');
	if (parseNetwork(network) !== chainId) {
		return buildRejection(
			'invalid_exact_evm_network_mismatch',
			`The network is not chain ${chainId}`,
		);
	}
	if (!accepted) return undefined;
	if (!isSameText(accepted.asset, token)) return invalidOffer('token');
	if (!isSameText(accepted.payTo, to)) return invalidOffer('receiver');
	return accepted.amount === String(value) ? undefined : invalidOffer('amount');
}

function invalidOffer(what: string): Invalidity {
	return buildRejection(
		'invalid_payment_requirements',
		`The offer that the payment accepts has another ${what}`,
	);
}

function isSameText(given: unknown, wanted: string): boolean {
	return typeof given === 'string' && given.toLowerCase() === wanted.toLowerCase();
}

function compareAuthorization(
	{ to, value, validAfter, validBefore }: Authorization,
	wanted: WantedPayment,
	now: bigint,
): Invalidity | undefined {
	if (!isSameText(to, wanted.to)) {
		return buildRejection('invalid_exact_evm_recipient_mismatch', 'It pays somebody else');
	}
	if (value !== wanted.value) {
		return buildRejection(
			'invalid_exact_evm_payload_authorization_value_mismatch',
			`It pays ${value} of the smallest unit, and ${wanted.value} is wanted`,
		);
	}
	if (validBefore < now + LEAST_SECONDS_LEFT) {
		return buildRejection(
			'invalid_exact_evm_payload_authorization_valid_before',
			`It has expired, or has less than ${LEAST_SECONDS_LEFT} seconds left`,
		);
	}
	return validAfter > now
		? buildRejection('invalid_exact_evm_payload_authorization_valid_after', 'It is not valid yet')
		: undefined;
}

const INVALID_SIGNATURE = 'invalid_exact_evm_signature';

function checkForm(signature: string): Invalidity | undefined {
	return isErc6492Signature(signature)
		? buildRejection(
				INVALID_SIGNATURE,
				'It is signed for a contract that is not on the chain yet (EIP-6492): deploy it first',
			)
		: undefined;
}

async function checkOnChain(
	reader: RpcReader,
	{ authorization, signature }: ForeignPayment,
	{ domain, value, maxGas }: WantedPayment,
): Promise<Invalidity | undefined> {
	const { from, nonce } = authorization;
	const { verifyingContract: token } = domain;
	const digest = hashAuthorization(domain, authorization);
	const [{ valid, by, reason = '' }, isUsed, balance] = await Promise.all([
		verifySignature(reader, from, signature, digest, maxGas),
		readIsUsed(reader, token, from, nonce),
		readBalance(reader, token, from, 'latest'),
	]);
	if (!valid) return buildRejection(INVALID_SIGNATURE, reason);
	if (by === 'key' && isHighS(signature)) {
		return buildRejection(
			INVALID_SIGNATURE,
			'Tokens refuse this form of the signature: its s is the higher one of two',
		);
	}
	if (isUsed) {
		return buildRejection(
			'invalid_exact_evm_nonce_already_used',
			'It was used before, or canceled',
		);
	}
	if (balance < value) {
		return buildRejection('invalid_exact_evm_insufficient_balance', 'The payer has too little');
	}
	const data = encodeTransfer(authorization, signature, by);
	return await simulateTransfer(reader, token, data, by === 'contract' ? maxGas : undefined);
}

/** Whether the nonce of an authorization (EIP-3009) is used up, by a transfer or by a cancellation. */
export async function readIsUsed(
	reader: RpcReader,
	token: string,
	authorizer: string,
	nonce: string,
): Promise<boolean> {
	const answer = await callContract(reader, token, EIP3009_FUNCTIONS.state, [authorizer, nonce]);
	return decodeOrNull(answer, EIP3009_FUNCTIONS.state) !== false;
}

/**
 * Simulates the transfer of an HTTP payment. The token may refuse it for reasons that no other check finds, such as a
 * blocked account or a pause.
 */
async function simulateTransfer(
	reader: RpcReader,
	token: string,
	data: string,
	maxGas: bigint | undefined,
): Promise<Invalidity | undefined> {
	const call = { to: token, data, ...(maxGas && { gas: numberToHex(maxGas) }) };
	const refused = await reader.call('eth_call', [call, 'latest']).then(
		() => undefined,
		(failure) => (isAboutTransaction(failure) ? failure : rethrow(failure)),
	);
	return refused
		? buildRejection(
				'invalid_exact_evm_transaction_simulation_failed',
				`The token refuses it${maxGas ? ` within ${maxGas} gas` : ''}: ${refused.message}`,
			)
		: undefined;
}

/**
 * Verifies the payment header of a stranger. An invalid payment is reported and not thrown. `now` is in seconds since
 * 1970.
 */
export async function verifyPayment(
	reader: RpcReader,
	given: unknown,
	wanted: WantedPayment,
	now: number,
) {
	const { facts, domain } = wanted;
	const payment = parsePayment(given);
	const isReadable = !('invalidReason' in payment);
	const invalidity = isReadable
		? await findInvalidity(reader, payment, wanted, BigInt(now))
		: payment;
	const said = isReadable ? formatSaid(payment, facts) : NOTHING_SAID;
	return {
		isValid: invalidity === undefined,
		invalidReason: invalidity?.invalidReason ?? null,
		invalidMessage: invalidity?.invalidMessage ?? null,
		token: checksumAddress(domain.verifyingContract),
		symbol: facts.symbol,
		...said,
	};
}

/** Formats the details that a payment states. They may be false, because the payment may be invalid. */
function formatSaid(
	{ authorization: given, signature, x402Version }: ForeignPayment,
	facts: TokenFacts,
) {
	const authorization = formatAuthorization(given);
	const { from: payer, value, validAfter, validBefore, nonce } = authorization;
	const amount = formatTokenAmount(given.value, facts);
	return {
		x402Version,
		payer,
		value,
		amount,
		validAfter,
		validBefore,
		nonce,
		authorization,
		signature,
	};
}

const NOTHING_SAID = {
	x402Version: null,
	payer: null,
	value: null,
	amount: null,
	validAfter: null,
	validBefore: null,
	nonce: null,
	authorization: null,
	signature: null,
};
