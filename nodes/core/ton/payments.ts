import { randomBytes } from 'crypto';
import { InvalidInput } from '../errors/invalidInput';
import { RequestFailure } from '../errors/requestFailure';
import { NANOCOIN_DECIMALS, formatUnits, unitsParser } from '../values/units';
import { checkNotOwnContract } from '../values/receiver';
import { quoteSymbol, quoteText } from '../values/quoted';
import { type Parse, parseField, InvalidValue } from '../values/parse';
import { formatByState, hasCode, readAccount } from './accounts';
import { formatTonAddresses, type TonAccount } from './address';
import { buildCommentBody, buildJettonTransfer } from './bodies';
import type { Cell } from './cell';
import { findJettonWallet, readJetton, type Jetton } from './tokens';
import type { InternalMessage } from './messages';
import { COINS } from '../chain/payment';
import { formatTokenAmount } from '../chain/tokens';
import type { RestReader } from '../chain/reader';
import { raise } from '../errors/raise';

const MAX_COINS_BITS = 120n;

/** Parses whole coins into nanocoins. */
export const parseCoins: Parse<bigint> = (given) =>
	requireCoins(unitsParser(NANOCOIN_DECIMALS)(given));

/** Refuses an amount with more bits than a message can hold. */
function requireCoins(amount: bigint): bigint {
	return amount >> MAX_COINS_BITS === 0n
		? amount
		: raise(new InvalidValue('an amount below 2^120 in the smallest unit'));
}

/** The coins that are sent with jettons or an NFT to pay for gas. Coins that are not used come back. */
export const DEFAULT_GAS_TEXT = '0.05';
export const DEFAULT_GAS = parseCoins(DEFAULT_GAS_TEXT);

/** By default, the receiver is notified of jettons by a message with one nanocoin. */
export const DEFAULT_FORWARD_TEXT = '0.000000001';
export const DEFAULT_FORWARD_AMOUNT = parseCoins(DEFAULT_FORWARD_TEXT);

/** A message, with texts about it for people. */
export interface PlannedMessage extends InternalMessage {
	/** The receiver's address in the form that people know. */
	readonly address: string;
	/** A sentence that describes the message, without its full stop. */
	readonly sentence: string;
	/** The jettons that leave the sender's jetton wallet by this message. */
	readonly jettons?: SpentJettons;
}

interface SpentJettons {
	/** The sender's jetton wallet. */
	readonly wallet: TonAccount;
	readonly amount: bigint;
	readonly balance: bigint;
	readonly jetton: Jetton;
}

interface CoinPayment {
	readonly to: TonAccount;
	/** The amount is in nanocoins. */
	readonly amount: bigint;
	readonly body: Cell | null;
	readonly stateInit: Cell | null;
	/**
	 * Whether the coins come back if they cannot be delivered. If undefined, they come back only from an account with
	 * code.
	 */
	readonly bounce: boolean | undefined;
	/** The end of the sentence about the payment, for example with its comment. */
	readonly words: string;
}

/** Plans a payment of coins. Refuses a payment that would come back because the receiver has no code. */
export async function planCoinPayment(
	reader: RestReader,
	{ to, amount, body, stateInit, bounce: wanted, words }: CoinPayment,
): Promise<PlannedMessage> {
	const state = await readAccount(reader, to);
	const isDeployed = hasCode(state) || stateInit !== null;
	const address = formatByState(state, to.isTestOnly);
	const bounce = wanted ?? isDeployed;
	if (bounce && !isDeployed) throw wouldBounceError(address);
	const sentence = `Send ${formatCoins(amount)} to ${address}${words}`;
	return { to, amount, bounce, body, stateInit, address, sentence };
}

function wouldBounceError(address: string): RequestFailure {
	return new RequestFailure(
		`The coins would come back: no contract is deployed at ${address} yet`,
		{
			description:
				'To let the coins stay there until a contract is deployed, remove the option Bounce or switch it off.',
		},
	);
}

export interface JettonPayment {
	readonly from: TonAccount;
	readonly jetton: TonAccount;
	readonly to: TonAccount;
	/** The amount is in whole jettons, as decimal text. */
	readonly amount: string;
	readonly comment: string;
	readonly forwardAmount: bigint;
	readonly gas: bigint;
	readonly bounce: boolean | undefined;
	/** A number that identifies the transfer in the messages of jetton wallets. It is random by default. */
	readonly queryId?: bigint;
}

/** A transfer of jettons burns at least this many nanocoins, in addition to those that it forwards. */
const MIN_JETTON_GAS = 10_000_000n;

/** Refuses everything that can be refused without a request. */
function checkJettonPayment({ jetton, to, forwardAmount, gas }: JettonPayment): void {
	checkNotOwnContract('To', formatTonAddresses(to).raw, formatTonAddresses(jetton).raw);
	if (gas < forwardAmount + MIN_JETTON_GAS) {
		throw new InvalidInput(
			`'Gas' must be at least ${formatCoins(forwardAmount + MIN_JETTON_GAS)}; got ${formatCoins(gas)}`,
			'The forward amount and the fees of both jetton wallets are paid from it; what is left over comes back.',
		);
	}
}

export async function planJettonPayment(
	reader: RestReader,
	payment: JettonPayment,
): Promise<PlannedMessage> {
	const { from, to, comment, gas, forwardAmount, bounce = true } = payment;
	checkJettonPayment(payment);
	const [jetton, wallet, receiver] = await Promise.all([
		readJetton(reader, payment.jetton),
		findJettonWallet(reader, from, payment.jetton),
		readAccount(reader, to),
	]);
	const amount = parseField('Amount', payment.amount, jettonUnitsParser(jetton));
	if (!wallet) throw noJettonsError(payment, amount, jetton);
	const body = buildJettonTransfer({
		queryId: payment.queryId ?? randomBytes(8).readBigUInt64BE(),
		amount,
		to,
		responseTo: from,
		customPayload: null,
		forwardAmount,
		forwardPayload: buildCommentBody(comment),
	});
	return {
		to: wallet.account,
		amount: gas,
		bounce,
		body,
		stateInit: null,
		address: formatTonAddresses({ ...wallet.account, isTestOnly: from.isTestOnly }).bounceable,
		sentence: `Send ${formatJettons(amount, jetton)} to ${formatByState(receiver, to.isTestOnly)}${formatCommentWords(comment)}, with ${formatCoins(gas)} along`,
		jettons: { wallet: wallet.account, amount, balance: wallet.balance, jetton },
	};
}

function jettonUnitsParser({ decimals }: Jetton): Parse<bigint> {
	return (given) =>
		decimals === null
			? raise(
					new InvalidValue(
						'an amount of a jetton that reports its decimals: this jetton does not, so it cannot be paid here',
					),
				)
			: requireCoins(unitsParser(decimals)(given));
}

function noJettonsError({ from }: JettonPayment, amount: bigint, jetton: Jetton): RequestFailure {
	return fewJettonsError(formatTonAddresses(from).nonBounceable, amount, 0n, jetton);
}

export function fewJettonsError(
	owner: string,
	needed: bigint,
	held: bigint,
	jetton: Jetton,
): RequestFailure {
	return new RequestFailure(
		`The jettons do not suffice: ${formatTokenAmount(needed, jetton)} are needed, ${formatTokenAmount(held, jetton)} are there`,
		{ description: `The jetton is ${formatJettonName(jetton)}, the owner ${owner}.` },
	);
}

function formatJettons(amount: bigint, jetton: Jetton): string {
	return `${formatTokenAmount(amount, jetton)} of ${formatJettonName(jetton)}`;
}

/** Formats a jetton with its address first, because anybody can choose the symbol. */
function formatJettonName({ master, symbol, decimals }: Jetton): string {
	const quoted = quoteSymbol(symbol);
	const facts = [...(quoted ? [quoted] : []), `${decimals ?? 'unknown'} decimals`].join(', ');
	return `the jetton ${formatTonAddresses(master).bounceable} (${facts})`;
}

const MAX_QUOTED_CHARS = 60;

export function formatCommentWords(comment: string): string {
	return comment === '' ? '' : ` with the comment ${quoteText(comment, MAX_QUOTED_CHARS)}`;
}

export function formatCoins(amount: bigint): string {
	return `${formatUnits(amount, NANOCOIN_DECIMALS)} ${COINS.ton.symbol}`;
}
