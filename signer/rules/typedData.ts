import { formatAddress, type Address } from './addresses';
import { computeNonce, findNumber, forbidOtherTypedData, type Derive } from './authorizations';
import { DAY_MS, formatTime, MINUTE_MS, SECOND_MS, toDay } from './clock';
import type { Approval, Effects, Move } from './effects';
import { listAllowed, forbid, refuse } from './refusal';
import type { Secp256k1Rules } from './rules';
import type { ReadTypedData } from './typedDataForms';

interface Circumstances {
	/** The signer. */
	readonly account: Address;
	/** The time in milliseconds since 1970, by n8n's clock. */
	readonly now: number;
	/** Derives the nonces of authorizations from the secret of the credential. */
	readonly derive: Derive;
	/** How long a signature can be used at most; a day unless given. */
	readonly longest?: Duration;
}

interface Duration {
	readonly milliseconds: bigint;
	readonly words: string;
}

const A_DAY: Duration = { milliseconds: DAY_MS, words: 'a day' };
export const AN_HOUR: Duration = { milliseconds: 60n * MINUTE_MS, words: 'an hour' };

/** Decodes the effects of a signature. Refuses typed data of another account, and a signature that can be used too long. */
export function decodeTypedData(given: ReadTypedData, circumstances: Circumstances): Effects {
	const { chainId, kind, primaryType } = given;
	checkOwner(given, circumstances);
	checkDeadline(given, circumstances);
	return {
		own: circumstances.account,
		kind: {
			name: kind,
			wants: `the typed data is a ${primaryType}, of the kind ${kind}`,
		},
		chain: { id: chainId, wants: `the ${primaryType} is for chain ${chainId}` },
		nonce: NO_NONCE,
		expiry: undefined,
		...decodeAuthorization(given, circumstances),
		coins: undefined,
		fee: undefined,
		calls: [],
		...listTokens(given),
	};
}

function decodeAuthorization(
	{ authorization, tokens: [moved] }: ReadTypedData,
	{ derive }: Circumstances,
): Pick<Effects, 'authorization'> {
	if (!authorization || !moved) return {};
	const { nonce, validAfter, validBefore } = authorization;
	const day = toDay(validBefore * SECOND_MS);
	const ofDay = { token: moved.token, day };
	return {
		authorization: {
			day,
			validAfter: validAfter * SECOND_MS,
			nonce,
			nonceAt: (number) => computeNonce(derive, ofDay, number),
			number: findNumber(derive, ofDay, nonce),
		},
	};
}

export const NO_NONCE = { noneOf: 'typed data' } as const;

function listTokens({ party, primaryType, tokens }: ReadTypedData) {
	const nothing = { moves: [], approvals: [] };
	if (!party) return nothing;
	const { address, role } = party;
	const amounts = tokens.map(({ token, amount }) => ({
		token,
		amount,
		about: (wanted = 'all of it') => `${primaryType} of ${formatAddress(token)} is about ${wanted}`,
		unlimited: () => `the ${primaryType} is about ${formatAddress(token)}, which has no limit`,
	}));
	return role === 'receiver'
		? { ...nothing, moves: amounts.map((one): Move => ({ ...one, receivers: [address] })) }
		: { ...nothing, approvals: amounts.map((one) => toApproval(one, address)) };
}

/** Turns a signed permission into an approval. An amount of 0 takes back an earlier approval, so the rules allow it for each spender. */
function toApproval(tokens: Omit<Approval, 'spender' | 'revokesOn'>, spender: Address): Approval {
	return { ...tokens, spender, revokesOn: tokens.amount === 0n ? 'anyContract' : 'none' };
}

function checkOwner({ owner, primaryType }: ReadTypedData, { account }: Circumstances): void {
	if (owner === undefined || owner === account) return;
	refuse(
		`The ${primaryType} is about tokens of ${formatAddress(owner)}, but this credential signs for ${formatAddress(account)}`,
		"Make it for the credential's account, or choose the credential of the owner.",
	);
}

/** Refuses a deadline that is too late, because somebody could keep the signature and use it until then. */
function checkDeadline(
	{ deadline, primaryType }: ReadTypedData,
	{ now, longest = A_DAY }: Circumstances,
): void {
	const latest = BigInt(now) + longest.milliseconds;
	if (deadline === undefined || deadline * SECOND_MS <= latest) return;
	refuse(
		`The ${primaryType} can be used until ${formatTime(deadline * SECOND_MS)}, which is more than ${longest.words} from now`,
		`Give it a deadline of ${formatTime(latest)} at the latest.`,
	);
}

/** Refuses typed data of a kind that the rules cannot read. */
export function refuseUnread({ typedData }: Secp256k1Rules): void {
	const { dailyAuthorizations, kinds = [] } = typedData;
	if (dailyAuthorizations !== undefined) {
		forbidOtherTypedData('the typed data is no authorization of EIP-3009');
	}
	if (kinds.length === 0) {
		forbid('allowTypedData', {
			wants: 'typed data is to be signed',
			allowed: 'Allowed: no typed data',
		});
	}
	forbid('typedDataKinds', {
		wants: 'the typed data is not exactly of a kind that the rules can read',
		allowed: listAllowed(kinds),
	});
}
