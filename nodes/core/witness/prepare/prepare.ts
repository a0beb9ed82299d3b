import type { PaymentMark } from '../../chain/mark';
import type { Place } from '../../chain/purse';
import type { PatientRestReader } from '../../chain/reader';
import { getTokenCost } from '../../chain/tokenCost';
import { formatTokenAmount, formatTokenName, type TokenFacts } from '../../chain/tokens';
import { quoteText } from '../../values/quoted';
import { checkNotOwnContract, checkNotZeroAddress } from '../../values/receiver';
import { formatUnits, SUN_DECIMALS } from '../../values/units';
import { readAccount } from '../accounts';
import { formatWitnessAddresses } from '../address';
import { ZERO_ADDRESS } from '../constantCall';
import { readEnergyOfCall } from '../energy';
import { readPricesOnce } from '../prices';
import { parseBuiltTransaction } from '../rawData';
import { addMark } from '../mark';
import { readCallerEnergy } from '../sharedEnergy';
import { readSharedPeriod } from '../sharedReference';
import { readTokenBalance, readTokenFacts } from '../tokens';
import { parseBuiltAnswer, verifyBuilt, type BuiltTransaction } from './built';
import { buildContractCall } from './contractCall';
import { draftCoinTransfer, formatBuildRequest } from './draft';
import { computeByteFee, computeEnergyFee, computeNewAccountByteFee } from './fees';
import { checkCoins, formatCoins, getCoinCost, type Payer } from './purse';
import { encodeTokenCall, TRANSFER_FUNCTION } from './tokenCalls';

/** A payment in the coin of the chain. Accounts are 40 hex digits, as `parseWitnessAccount` returns them. */
export interface CoinPayment {
	readonly from: string;
	readonly to: string;
	/** The amount is in sun. */
	readonly amount: bigint;
	/** Empty for none. */
	readonly memo: string;
	/** The payment mark, a number that the transaction carries to identify its payment, if any. */
	readonly mark?: PaymentMark;
}

/** A payment in a TRC-20 token. */
export interface TokenPayment {
	readonly from: string;
	readonly to: string;
	readonly token: string;
	/** The amount in the smallest unit of the token. */
	readonly value: bigint;
	/** The highest fee for energy, in sun. By default, it is one and a half times the present cost of the call. */
	readonly feeLimit?: bigint;
	/** The payment mark, a number that the transaction carries to identify its payment, if any. */
	readonly mark?: PaymentMark;
}

/** A payment that is ready to be signed. */
export interface PreparedPayment {
	readonly transaction: BuiltTransaction;
	/** The fee at the present state of the chain, in whole coins. */
	readonly fee: string;
	/** The highest amount of coins that the payment can cost the account, with the fee. */
	readonly maxCost: string;
	/** A sentence for the person who approves the payment. */
	readonly summary: string;
	/** Whether the payment creates the receiver's account. The fee then includes the price of a new account. */
	readonly isNewAccount: boolean;
}

/**
 * Asks a node to build a payment, and checks the result. Refuses a payment that would fail, or that the account
 * cannot afford.
 */
export async function preparePayment(
	reader: PatientRestReader,
	place: Place<Payer>,
	payment: CoinPayment | TokenPayment,
): Promise<PreparedPayment> {
	checkNotZeroAddress('To', payment.to, { zeroAddress: ZERO_ADDRESS.slice(2) });
	return 'token' in payment
		? await prepareTokenPayment(reader, place, payment)
		: await prepareCoinPayment(reader, place, payment);
}

async function prepareCoinPayment(
	reader: PatientRestReader,
	place: Place<Payer>,
	payment: CoinPayment,
): Promise<PreparedPayment> {
	const { from, to, amount, memo } = payment;
	const receiver = formatWitnessAddresses(to);
	const [{ balance, resources }, priceOf, { exists }] = await Promise.all([
		place.account,
		readPricesOnce(reader),
		readAccount(reader, { address: receiver.hex, visible: false }),
	]);
	const certain = (memo === '' ? 0n : priceOf('a memo')) + (exists ? 0n : priceOf('a new account'));
	checkCoins(getCoinCost({ from, balance, sent: amount, fee: certain }));
	const transaction = await buildCoinTransfer(reader, payment);
	const computeBytes = exists ? computeByteFee : computeNewAccountByteFee;
	const fee = certain + computeBytes(transaction.raw_data_hex, resources, priceOf);
	await place.take([getCoinCost({ from, balance, sent: amount, fee })]);
	const sentence = `Send ${formatCoins(amount)} to ${receiver.base58}${formatMemo(memo)}`;
	const isNewAccount = !exists;
	return formatPrepared(transaction, { sentence, sent: amount, fee, maxFee: fee, isNewAccount });
}

async function buildCoinTransfer(
	reader: PatientRestReader,
	{ from, to, amount, memo, mark }: CoinPayment,
): Promise<BuiltTransaction> {
	const draft = draftCoinTransfer({
		owner: formatWitnessAddresses(from).hex,
		to: formatWitnessAddresses(to).hex,
		amount,
		memo: Buffer.from(memo).toString('hex'),
		visible: true,
	});
	const built = parseBuiltAnswer(await reader.call(formatBuildRequest(draft)));
	return await withMark(reader, verifyBuilt(built, draft), mark);
}

async function withMark(
	reader: PatientRestReader,
	built: BuiltTransaction,
	mark: PaymentMark | undefined,
): Promise<BuiltTransaction> {
	if (!mark) return built;
	return addMark(built, mark.value, mark.isShared ? await readSharedPeriod(reader) : undefined);
}

async function prepareTokenPayment(
	reader: PatientRestReader,
	place: Place<Payer>,
	payment: TokenPayment,
): Promise<PreparedPayment> {
	const { from, to, token, value, feeLimit: given } = payment;
	checkNotOwnContract('To', to, token);
	const [{ balance, resources }, priceOf, factsOf, held] = await Promise.all([
		place.account,
		readPricesOnce(reader),
		readTokenFacts(reader, [token]),
		readTokenBalance(reader, token, from),
	]);
	const facts = factsOf(token);
	const tokenCost = getTokenCost({
		token: formatWitnessAddresses(token).base58,
		facts,
		owner: formatWitnessAddresses(from).base58,
		amount: value,
		balance: held,
	});
	checkCoins(tokenCost);
	const call = buildTransferCall(payment);
	const whole = await readEnergyOfCall(reader, call);
	const energy = await readCallerEnergy(reader, call.contract, whole);
	const feeLimit = given ?? computeUsualLimit(energy * priceOf('energy'));
	const energyFee = computeEnergyFee({ energy, own: resources.energy, feeLimit }, priceOf);
	checkCoins(getCoinCost({ from, balance, sent: 0n, fee: energyFee }));
	const transaction = await buildTokenTransfer(reader, payment, feeLimit);
	const byteFee = computeByteFee(transaction.raw_data_hex, resources, priceOf);
	const fee = energyFee + byteFee;
	await place.take([getCoinCost({ from, balance, sent: 0n, fee }), tokenCost]);
	const sentence = `Send ${formatAmount(value, facts)} of ${formatToken(token, facts)} to ${formatWitnessAddresses(to).base58}`;
	const maxFee = feeLimit + byteFee;
	return formatPrepared(transaction, { sentence, sent: 0n, fee, maxFee, isNewAccount: false });
}

/**
 * Adds half to the cost of a call. It may need more energy when it is carried out, for example if the receiver is new
 * to the token by then.
 */
function computeUsualLimit(cost: bigint): bigint {
	return cost + cost / 2n;
}

/**
 * Asks a node to build a payment. A transaction expires after a minute, so a prepared payment may have to be built
 * again.
 */
export async function buildPayment(
	reader: PatientRestReader,
	payment: CoinPayment | TokenPayment,
	feeLimit: bigint,
): Promise<BuiltTransaction> {
	return 'token' in payment
		? await buildTokenTransfer(reader, payment, feeLimit)
		: await buildCoinTransfer(reader, payment);
}

async function buildTokenTransfer(
	reader: PatientRestReader,
	payment: TokenPayment,
	feeLimit: bigint,
): Promise<BuiltTransaction> {
	const call = buildTransferCall(payment);
	const built = await buildContractCall(reader, { ...call, feeLimit, visible: true });
	return await withMark(reader, built, payment.mark);
}

/** Builds the contract call that transfers tokens. */
export function buildTransferCall({
	from,
	to,
	token,
	value,
}: Omit<TokenPayment, 'mark' | 'feeLimit'>) {
	const receiver = formatWitnessAddresses(to).hex;
	return {
		owner: formatWitnessAddresses(from).hex,
		contract: formatWitnessAddresses(token).hex,
		called: TRANSFER_FUNCTION,
		data: encodeTokenCall(TRANSFER_FUNCTION, receiver, value),
		errors: [],
	};
}

/** Formats an amount of a token. If the token gives no decimals, the amount is in its smallest unit. */
function formatAmount(value: bigint, facts: TokenFacts): string {
	return formatTokenAmount(value, facts) ?? `${value} units`;
}

function formatToken(token: string, facts: TokenFacts): string {
	return formatTokenName(formatWitnessAddresses(token).base58, facts);
}

const MAX_QUOTED_CHARS = 60;

function formatMemo(memo: string): string {
	return memo === '' ? '' : ` with the memo ${quoteText(memo, MAX_QUOTED_CHARS)}`;
}

interface Terms {
	readonly sentence: string;
	/** The amounts are in sun. */
	readonly sent: bigint;
	readonly fee: bigint;
	readonly maxFee: bigint;
	readonly isNewAccount: boolean;
}

function formatPrepared(
	transaction: BuiltTransaction,
	{ sentence, sent, fee, maxFee, isNewAccount }: Terms,
): PreparedPayment {
	const { expiration } = parseBuiltTransaction(transaction);
	const until = new Date(Number(expiration)).toISOString();
	return {
		transaction,
		fee: formatUnits(fee, SUN_DECIMALS),
		maxCost: formatUnits(sent + maxFee, SUN_DECIMALS),
		summary: `${sentence}, for a fee of ${fee === maxFee ? '' : `about ${formatCoins(fee)}, and `}at most ${formatCoins(maxFee)}, valid until ${until}.`,
		isNewAccount,
	};
}
