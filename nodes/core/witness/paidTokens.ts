import type { TokenPayment } from '../chain/arrival';
import type { MadePayment, OwnPayment } from '../chain/ownPayment';
import { decodeLoggedTransfer } from '../evm/abi/transferLog';
import { isRecord } from '../values/parse';
import { formatWitnessAddresses, parseWitnessAccount } from './address';
import { parseChecked } from './blocks';
import {
	parseTransactionOutcome,
	type ListedTransaction,
	type TransactionOutcome,
} from './blockTransactions';

/**
 * Finds the payments of an account in a transaction: the coins, and the amount of a token transfer that it requests.
 * A failed transaction pays nothing.
 */
export function findPaid(
	{ id, hasFailed, memo, coins, call }: ListedTransaction,
	account: string,
	tokens: ReadonlySet<string>,
	time: number,
): MadePayment[] {
	if (hasFailed) return [];
	const moved = coins?.to === undefined ? undefined : { ...coins, to: coins.to };
	const sent = moved && { to: formatAccount(moved.to), token: null, value: moved.amount };
	const paid = [
		moved?.from === account ? sent : undefined,
		call?.from === account && tokens.has(call.contract) ? findTransfer(call) : undefined,
	];
	const common = { comment: decodeMemo(memo), hash: id, time };
	return paid.flatMap((one) => (one ? [{ ...one, ...common }] : []));
}

/**
 * Decodes a memo to text. Bytes that are not UTF-8 become replacement characters, so the result differs from any memo
 * that is searched for.
 */
function decodeMemo(memo: string): string | null {
	return memo === '' ? null : Buffer.from(memo, 'hex').toString();
}

function formatAccount(account: string): string {
	return formatWitnessAddresses(account).hex;
}

/**
 * Matches the data of `transfer(address,uint256)`. The 24 digits before the account are free, because some wallets
 * write TRON's prefix 41 there.
 */
const TRANSFER_PATTERN = /^a9059cbb[0-9a-f]{24}([0-9a-f]{40})([0-9a-f]{64})/;

function findTransfer({
	contract,
	data,
}: NonNullable<ListedTransaction['call']>): Omit<OwnPayment, 'comment'> | undefined {
	const [, to, amount] = TRANSFER_PATTERN.exec(data) ?? [];
	if (to === undefined || amount === undefined) return undefined;
	return { to: formatAccount(to), token: formatAccount(contract), value: BigInt(`0x${amount}`) };
}

/** Lists the token transfers in the receipt of a transaction. Accounts are 40 hex digits. */
export function listMovedTokens(info: unknown): TokenPayment[] {
	return listMoved(parseReceipt(isRecord(info) ? info : {}));
}

function listMoved({ logs }: TransactionOutcome): TokenPayment[] {
	return logs.flatMap(({ address, topics, data }) => {
		const moved = decodeLoggedTransfer(topics, data);
		if (!moved) return [];
		const [token = '', from = '', to = ''] = [address, moved.from, moved.to].map((one) =>
			one.slice(2),
		);
		return [{ token, from, to, value: moved.value }];
	});
}

function parseReceipt(info: Readonly<Record<string, unknown>>): TransactionOutcome {
	return parseChecked(info, 'a receipt', () => parseTransactionOutcome(info));
}

/**
 * Whether the receipt of a transaction shows that a token left the account. If the receipt is missing, the token
 * counts as moved.
 */
export function hasMoved(info: unknown, account: string, token: string): boolean {
	if (!isRecord(info) || Object.keys(info).length === 0) return true;
	const receipt = parseReceipt(info);
	const contract = parseWitnessAccount(token);
	return (
		!receipt.hasFailed &&
		listMoved(receipt).some((moved) => moved.token === contract && moved.from === account)
	);
}
