import { randomBytes } from 'crypto';
import {
	buildAuthorizationData,
	catching,
	checksumAddress,
	encodeHeader,
	formatAuthorization,
	formatUnits,
	hashTypedData,
	InvalidInput,
	parseNetwork,
	PAYMENT_HEADERS,
	type Authorization,
	type Offer,
	type PaymentRequired,
	type UnusableOffer,
} from '../../../nodes/core';
import { computeNonce } from '../../rules/authorizations';
import { toDay, SECOND_MS } from '../../rules/clock';
import { chooseTimes } from '../../rules/httpPayment';
import type { Secp256k1Rules } from '../../rules/rules';
import { parseTypedData } from '../../rules/typedDataForms';
import type { KeyLibrary } from './library';
import type { PaymentRequest } from './request';
import { judgeTypedData, signHash, type SigningAccount } from './secp256k1Signer';

/** The numbers of the next nonces of a run, by token and day. For each token and day, the first number is random. */
export class NonceTurns {
	private readonly next = new Map<string, bigint>();

	get(token: string, day: bigint, daily: bigint): bigint {
		const known = this.next.get(`${token} ${day}`);
		return (known ?? randomBytes(RANDOM_BYTES).readBigUInt64BE()) % daily;
	}

	advance(token: string, day: bigint, taken: bigint): void {
		this.next.set(`${token} ${day}`, taken + 1n);
	}
}

const RANDOM_BYTES = 8;

interface Signing {
	readonly library: KeyLibrary;
	readonly rules: Secp256k1Rules;
	readonly account: SigningAccount;
	readonly turns: NonceTurns;
}

/** Signs the first offer that the rules allow. If they allow none, the error gives the reasons for each. */
export function signHttpPayment(signing: Signing, request: PaymentRequest) {
	const { required } = request;
	const refusals: InvalidInput[] = [];
	for (const offer of chooseOffers(request)) {
		const signed = catching(InvalidInput, () => signOffer(signing, offer, required));
		if (!(signed instanceof InvalidInput)) return signed;
		refusals.push(signed);
	}
	throw refusalsError(refusals);
}

function refusalsError(refusals: readonly InvalidInput[]): InvalidInput {
	const [only, ...others] = refusals;
	if (only && others.length === 0) return only;
	const reasons = refusals.map(({ message }, at) => `Offer ${at + 1}: ${message}`);
	return new InvalidInput(
		`The rules of the credential allow none of the seller's ${refusals.length} offers. ${reasons.slice(0, MAX_REASONS).join('. ')}`,
		only?.description ?? 'Nothing was signed.',
	);
}

const MAX_REASONS = 5;

function chooseOffers({ required, network, token }: PaymentRequest) {
	const chosen = required.offers.filter(
		(offer) =>
			'problem' in offer ||
			((network === undefined || isNetwork(offer, network)) &&
				(token === undefined || offer.token.toLowerCase() === token.toLowerCase())),
	);
	const isChosen = network !== undefined || token !== undefined;
	const usable = chosen.filter((offer) => !('problem' in offer));
	if (usable.length > 0) return usable;
	if (!isChosen) return chosen;
	throw new InvalidInput(
		`None of the seller's offers (${required.offers.length}) fits the options Network and Token`,
		'Leave Network and Token of the options out to pay the first offer that the rules allow. Nothing was signed.',
	);
}

function isNetwork(offer: Offer, wanted: string): boolean {
	return offer.network === wanted || offer.chainId === parseNetwork(wanted);
}

function signOffer(signing: Signing, offer: Offer | UnusableOffer, required: PaymentRequired) {
	if ('problem' in offer) {
		throw new InvalidInput(
			`The seller's offer can't be paid: ${offer.problem}`,
			'Nothing was signed.',
		);
	}
	const { account, library, rules } = signing;
	const { authorization, taken } = buildAuthorization(signing, offer);
	const data = buildAuthorizationData(
		{
			name: offer.name,
			version: offer.version,
			chainId: offer.chainId,
			verifyingContract: offer.token,
		},
		authorization,
	);
	const read = parseTypedData(data, LABEL);
	if (!read)
		throw new InvalidInput(
			`The seller's offer can't be paid: it does not ask for a transfer with authorization (EIP-3009)`,
		);
	judgeTypedData(rules, account, read);
	const { signature } = signHash(account, hashTypedData(read.typedData, LABEL, library.keccak256));
	taken();
	return formatPayment(signing, offer, { authorization, signature, required });
}

const LABEL = 'Payment Required';

/** Builds the authorization with a nonce that the signer chooses: one of the day's nonces if there is a daily limit, or a random nonce. */
function buildAuthorization({ account, rules, turns }: Signing, offer: Offer) {
	const { dailyAuthorizations: daily } = rules.typedData;
	const now = BigInt(Date.now()) / SECOND_MS;
	const times = chooseTimes(now, BigInt(offer.seconds), daily !== undefined);
	const terms = { from: `0x${account.account}`, to: offer.to, value: offer.value, ...times };
	if (daily === undefined) {
		const nonce = `0x${randomBytes(NONCE_BYTES).toString('hex')}`;
		return { authorization: { ...terms, nonce }, taken: () => {} };
	}
	const ofDay = { token: offer.token.toLowerCase(), day: toDay(times.validBefore * SECOND_MS) };
	const number = turns.get(ofDay.token, ofDay.day, daily);
	return {
		authorization: { ...terms, nonce: computeNonce(account.derive, ofDay, number) },
		taken: () => turns.advance(ofDay.token, ofDay.day, number),
	};
}

const NONCE_BYTES = 32;

interface SignedOffer {
	readonly authorization: Authorization;
	readonly signature: string;
	readonly required: PaymentRequired;
}

function formatPayment(
	{ rules }: Signing,
	{ given, network, token, to, value }: Offer,
	{ authorization, signature, required: { repeated, x402Version } }: SignedOffer,
) {
	const payload = { signature, authorization: formatAuthorization(authorization) };
	const { resource, extensions } = repeated;
	const content =
		x402Version === 2
			? {
					x402Version,
					...(resource !== undefined && { resource }),
					accepted: given,
					payload,
					...(extensions !== undefined && { extensions }),
				}
			: { x402Version, scheme: 'exact', network, payload };
	const decimals = rules.tokenLimits.get(token.toLowerCase())?.decimals;
	return {
		headers: { [PAYMENT_HEADERS[x402Version]]: encodeHeader(content) },
		x402Version,
		network,
		token: checksumAddress(token),
		value: String(value),
		amount: decimals === undefined ? null : formatUnits(value, decimals),
		to: checksumAddress(to),
		validBefore: String(authorization.validBefore),
	};
}
