import type { TokenPayment } from '../chain/arrival';
import { SOMETHING_ELSE, type SignedPayment } from '../chain/ownPayment';
import { COINS } from '../chain/payment';
import type { RestReader } from '../chain/reader';
import { undefinedIfFailed } from '../chain/sending';
import { NO_FACTS, type TokenFacts } from '../chain/tokens';
import { tryParseJson } from '../values/json';
import { catching, InvalidValue, isRecord } from '../values/parse';
import { formatWitnessAddresses, parseWitnessAccount } from './address';
import type { SignedTransaction } from './signedTransaction';
import { readTokenFacts } from './tokens';
import { decodeTransaction, type WitnessTransaction } from './transaction';

/**
 * Reads the payment that a transaction makes: coins, or a single token transfer. A transaction that does anything
 * else counts as a payment to nobody.
 */
export async function readSignedPayment(
	reader: RestReader,
	signed: SignedTransaction,
): Promise<SignedPayment> {
	const decoded = decodeSigned(signed);
	if (!decoded) return SOMETHING_ELSE;
	const from = formatHexAddress(decoded.owner);
	const comment = decoded.data === '' ? null : Buffer.from(decoded.data, 'hex').toString();
	if (decoded.kind === 'transfer') {
		const { to_address: to, amount: value } = decoded.parameters;
		return { ...COINS.witness, from, to: formatHexAddress(to), token: null, value, comment };
	}
	const transfer = findTransfer(decoded);
	if (!transfer) return { ...SOMETHING_ELSE, from };
	const { token, to, value } = transfer;
	const facts = (await findTokenFacts(reader, token)) ?? NO_FACTS;
	const [receiver, contract] = [to, token].map((one) => formatWitnessAddresses(one).base58);
	return { ...facts, from, to: receiver ?? null, token: contract ?? null, value, comment };
}

/**
 * Finds the single token transfer that a transaction makes. Returns undefined if it does anything else. Accounts are
 * 40 hex digits.
 */
export function findTokenTransfer(signed: SignedTransaction): TokenPayment | undefined {
	const decoded = decodeSigned(signed);
	return decoded && findTransfer(decoded);
}

/** Finds the facts about a token. Returns undefined if the node does not give them. */
export async function findTokenFacts(
	reader: RestReader,
	token: string,
): Promise<TokenFacts | undefined> {
	const factsOf = await readTokenFacts(reader, [token]).catch(undefinedIfFailed);
	return factsOf?.(token);
}

function decodeSigned({ body }: SignedTransaction): WitnessTransaction | undefined {
	const json = tryParseJson(body);
	const hex = isRecord(json) ? json.raw_data_hex : undefined;
	const decoded = catching(InvalidValue, () => decodeTransaction(hex));
	return decoded instanceof InvalidValue ? undefined : decoded;
}

/**
 * Matches the data of `transfer(address,uint256)` without further data. Wallets write any bytes before the 20 bytes
 * of an address.
 */
const TRANSFER_PATTERN = /^a9059cbb[0-9a-f]{24}([0-9a-f]{40})([0-9a-f]{64})$/;

function findTransfer(decoded: WitnessTransaction): TokenPayment | undefined {
	if (decoded.kind !== 'contractCall') return undefined;
	const { contract_address: contract, data } = decoded.parameters;
	const [, to, amount] = TRANSFER_PATTERN.exec(data) ?? [];
	if (to === undefined) return undefined;
	const [token, from] = [contract, decoded.owner].map((one) => parseWitnessAccount(one));
	return token === undefined || from === undefined
		? undefined
		: { token, from, to, value: BigInt(`0x${amount}`) };
}

function formatHexAddress(hex: string): string {
	return formatWitnessAddresses(hex.slice(2)).base58;
}
