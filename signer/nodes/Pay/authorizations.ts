import {
	addHints,
	isAboutTransaction,
	rethrow,
	type SweepAuthorization,
} from '../../../nodes/core';
import { RuleRefusal } from '../../rules/refusal';
import type { PreparedRequest } from '../core/prepared';
import { checkPayer, type ReadyTransaction } from './payerTransactions';
import { askDeposit, getWords, type ReadyDeposit, type Sweeping } from './sweeping';

/** The results for addresses whose tokens accept authorizations (EIP-3009). */
export interface Authorizations {
	/** What the account of the key sends, in the order of the addresses. */
	readonly ready: readonly ReadyTransaction[];
	/** The addresses whose tokens refused the authorization. Each of these addresses has to send a transfer itself. */
	readonly refused: readonly ReadyDeposit[];
	/** Why nothing is sent for an address. */
	readonly postponed: ReadonlyMap<ReadyDeposit, string>;
	/** Whether an address has signed an authorization. If so, failures are reported in the items, and no error is thrown. */
	readonly areSigned: boolean;
}

interface AuthorizedDeposit {
	readonly deposit: ReadyDeposit;
	readonly authorization: SweepAuthorization<PreparedRequest>;
}

const NO_AUTHORIZATIONS = { ready: [], postponed: new Map<never, never>(), areSigned: false };

/** Makes addresses sign authorizations, after the rules of their key and of the payer allow all. If it throws, nothing was signed. */
export async function authorize(
	sweeping: Sweeping,
	deposits: readonly ReadyDeposit[],
): Promise<Authorizations> {
	const authorized = deposits.flatMap((deposit) => {
		const { authorization } = deposit.prepared;
		return authorization ? [{ deposit, authorization }] : [];
	});
	const others = deposits.filter(({ prepared }) => !prepared.authorization);
	for (const { deposit, authorization } of authorized)
		await askDeposit(sweeping, 'check', deposit, getRequest(authorization));
	if (!(await areDraftsAllowed(sweeping, authorized)))
		return { ...NO_AUTHORIZATIONS, refused: deposits };
	const signed: Array<AuthorizedDeposit & { readonly signature: string }> = [];
	for (const one of authorized) {
		const request = getRequest(one.authorization);
		const { signature } = await askDeposit(sweeping, 'sign', one.deposit, request);
		signed.push({ ...one, signature: String(signature) });
	}
	const tried = await Promise.all(
		signed.map(async ({ deposit, authorization, signature }): Promise<Tried> => {
			const completing = authorization.complete(sweeping.payer, signature);
			return await completing.then((signing) => ({ deposit, signing }), describeFailure(deposit));
		}),
	);
	const failed = tried.filter((one) => 'words' in one);
	return {
		ready: tried.filter((one) => 'signing' in one),
		refused: [...others, ...tried.filter((one) => 'isRefused' in one).map((one) => one.deposit)],
		postponed: new Map(failed.map(({ deposit, words }) => [deposit, words])),
		areSigned: signed.length > 0,
	};
}

function getRequest({ typedData }: SweepAuthorization<PreparedRequest>) {
	return { kind: 'authorization', given: typedData } as const;
}

/** The result of preparing the authorization of an address. */
type Tried =
	| ReadyTransaction
	| { readonly deposit: ReadyDeposit; readonly isRefused: true }
	| { readonly deposit: ReadyDeposit; readonly words: string };

/** A refusal is no failure here: some tokens refuse an authorization but accept a transfer. */
function describeFailure(deposit: ReadyDeposit) {
	return (failure: unknown): Tried =>
		isAboutTransaction(failure)
			? { deposit, isRefused: true }
			: { deposit, words: getWords(failure) };
}

/** Whether the rule Contracts allows the paying key to send the authorizations. A refusal by any other rule is thrown. */
async function areDraftsAllowed(
	sweeping: Sweeping,
	authorized: readonly AuthorizedDeposit[],
): Promise<boolean> {
	const { payer } = sweeping;
	const drafts = await Promise.all(
		authorized.map(async ({ authorization }) => await authorization.draft(payer)),
	);
	try {
		await checkPayer(sweeping, drafts, 'authorizations');
		return true;
	} catch (failure) {
		if (!(failure instanceof RuleRefusal) || failure.rule !== 'contracts') return rethrow(failure);
		addHints(sweeping.context, [CONTRACTS_HINT]);
		return false;
	}
}

const CONTRACTS_HINT =
	"Addresses were topped up, because the key's Contracts lack transferWithAuthorization of the token.";
