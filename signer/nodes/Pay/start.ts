import {
	InvalidInput,
	isMissing,
	makeMark,
	markHandled,
	readOnce,
	type AskedPayment,
	type Family,
	type PayingFamily,
	type PaymentMark,
	type PaymentPlace,
	type PreparedPayment,
	type RunContext,
	sharedKey,
	type SignedPayment,
	type SignedTransaction,
} from '../../../nodes/core';
import type { PreparedRequest } from '../core/prepared';
import type { Payers } from '../core/request';
import { openFamily, type PayRequest } from './family';
import { DEFAULT_OPTIONS, type PayOptions } from './options';
import { beginGuard, findMade, guardPayment, type FoundPayment } from './guard';

type Context = RunContext<PayRequest>;

interface Asked extends Omit<AskedPayment, 'comment' | 'mark' | 'to' | 'token'> {
	readonly chain: Family;
	/** The receiver. It may be undefined because each chain has its own fields in the form. */
	readonly to: string | undefined;
	readonly token: string | undefined;
	/** Undefined if the form does not show it. */
	readonly comment: string | undefined;
	readonly paymentId: string;
	readonly options: PayOptions;
}

/** A payment that has its position among the payments of its account. */
export interface StartedPayment {
	readonly family: PayingFamily<PreparedRequest>;
	readonly payer: Promise<string>;
	readonly mark: PaymentMark;
	readonly place: Promise<PaymentPlace<PreparedRequest>>;
	/** Gives up the payment's place among the payments of its account, if the payment has taken no number. */
	release(): void;
}

/** Checks the fields, and reserves a place among the account's payments. Awaits nothing, so that places are in the items' order. */
export function startPayment(p: Asked, context: Context): StartedPayment {
	const family = openFamily(p.chain, context, p.options);
	const mark = makeMark(p.chain, p.paymentId);
	const planned = family.plan({
		...p,
		mark,
		to: p.to ?? '',
		token: p.token ?? '',
		comment: p.comment ?? '',
	});
	const payer = choosePayer(context, family);
	const minutes = getGuardMinutes(p.options);
	const place = payer.then((account) => {
		const reserved = planned.reserve(account);
		beginGuard({ context, family, payer: account, mark, minutes }, planned.token);
		return reserved;
	});
	markHandled(place);
	return {
		family,
		payer,
		mark,
		place,
		release: () => void place.then(({ release }) => release(), ignore),
	};
}

function ignore(): void {}

const PAYERS = sharedKey('pay.payers', () => new Map<'chosen', Promise<string>>());

/** Chooses the account that pays all items of a run. */
async function choosePayer(
	context: Context,
	family: PayingFamily<PreparedRequest>,
): Promise<string> {
	const read = async () => await readPayer(context, family);
	return await readOnce(context.shared(PAYERS), 'chosen', read);
}

async function readPayer(context: Context, family: PayingFamily<PreparedRequest>): Promise<string> {
	const { accounts } = (await context.call({ signing: { kind: 'payers' } })) as Payers;
	const { choosePayer } = family;
	const [first = ''] = accounts;
	return isMissing(choosePayer) ? first : await choosePayer(accounts);
}

/**
 * Refuses a payment that the rules of the credential forbid or that the account has already made. An earlier payment with the same payment
 * ID is returned. Nothing is signed.
 */
export async function judgePayment(
	{ options }: Pick<Asked, 'options'>,
	context: Context,
	{ family, payer, mark, prepared }: Judged,
): Promise<FoundPayment | undefined> {
	const { facts, limited, unsigned: given } = prepared;
	checkExpectedDecimals(facts, options.expectDecimals);
	const counted = limited === null ? undefined : { token: limited, decimals: facts.decimals };
	await context.call({ signing: { kind: 'check', given, ...(counted && { counted }) } });
	const minutes = getGuardMinutes(options);
	return await guardPayment({ context, family, payer: await payer, mark, minutes }, prepared);
}

/** Looks again for a payment with the same ID, which another execution may have made since the first look. */
export async function findMadeMeanwhile(
	context: Context,
	{ family, payer, mark, prepared }: Judged,
): Promise<SignedTransaction | undefined> {
	const guarding = { context, family, payer: await payer, mark, minutes: 0 };
	return (await findMade(guarding, prepared))?.signed;
}

function checkExpectedDecimals(
	{ token, decimals }: Pick<SignedPayment, 'decimals' | 'token'>,
	expected: number | undefined,
): void {
	if (expected === undefined || expected === decimals) return;
	const what = token === null ? 'The coin of the chain' : `The token at ${token}`;
	throw new InvalidInput(
		`${what} has ${decimals ?? 'no'} decimals, but the option Expect Decimals is ${expected}`,
		"Nothing was signed, because the amount would differ. If the option Expect Decimals is right, the chain node cannot be trusted, or the token's address is wrong.",
	);
}

function getGuardMinutes({ guard = DEFAULT_OPTIONS.guard }: PayOptions): number {
	return guard;
}

interface Judged extends Pick<StartedPayment, 'family' | 'payer' | 'mark'> {
	readonly prepared: PreparedPayment<PreparedRequest>;
}
