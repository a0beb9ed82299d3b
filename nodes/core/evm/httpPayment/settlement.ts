import type { RpcReader } from '../../chain/reader';
import { formatTokenName } from '../../chain/tokens';
import { RequestFailure } from '../../errors/requestFailure';
import { readHead } from '../blocks';
import { checksumAddress } from '../address';
import type { Intent, PlannedIntent } from '../prepare/intent';
import { formatWhole } from '../prepare/tokens';
import { verifySignature } from '../signatures';
import { readTokenFacts } from '../tokens';
import { hashAuthorization, SIGNED_BY_CONTRACT_MAX_GAS, type Authorization } from './authorization';
import { readTokenDomain } from './tokenDomain';
import { encodeTransfer } from './transfer';
import { readIsUsed } from './verify';

interface SignedAuthorization {
	readonly token: string;
	readonly authorization: Authorization;
	readonly signature: string;
}

/** Plans a transaction that carries out somebody else's authorization (EIP-3009). Its sender pays the gas. */
export function planAuthorization({
	token,
	authorization,
	signature,
}: SignedAuthorization): PlannedIntent {
	return async (reader): Promise<Intent> => {
		const { from, to, value, nonce } = authorization;
		const [domain, factsOf, isUsed] = await Promise.all([
			readTokenDomain(reader, token),
			readTokenFacts(reader, [token]),
			readIsUsed(reader, token, from, nonce),
			checkTimes(reader, authorization),
		]);
		if (isUsed)
			throw unusableError(
				'it is used or canceled',
				'Each authorization has a number (nonce), which the token accepts only once.',
			);
		const digest = hashAuthorization(domain, authorization);
		const { valid, by, reason = '' } = await verifySignature(reader, from, signature, digest);
		if (!valid) throw unusableError('its signature is not valid', `${reason}.`);
		const facts = factsOf(token);
		const amount = `${formatWhole(value, facts)} of ${formatTokenName(checksumAddress(token), facts)}`;
		return {
			sentence: `Bring ${amount} from ${checksumAddress(from)} to ${checksumAddress(to)} by an authorization`,
			to: token,
			value: 0n,
			data: encodeTransfer(authorization, signature, by),
			isCall: true,
			...(by === 'contract' && { maxGas: SIGNED_BY_CONTRACT_MAX_GAS }),
		};
	};
}

/** Throws if the authorization is not valid now. The present is the later of our clock and the latest block. */
async function checkTimes(
	reader: RpcReader,
	{ validAfter, validBefore }: Authorization,
): Promise<void> {
	const { time } = await readHead(reader);
	const now = Math.max(Math.floor(Date.now() / 1000), Number.isNaN(time) ? 0 : time);
	if (validBefore <= BigInt(now))
		throw unusableError('it has expired', 'Ask the payer to sign a new authorization.');
	if (validAfter >= BigInt(now)) {
		throw unusableError('it is not valid yet', `It is valid after ${validAfter} (Unix seconds).`);
	}
}

function unusableError(why: string, advice: string): RequestFailure {
	return new RequestFailure(`The authorization can't be carried out: ${why}`, {
		description: `Nothing was prepared. ${advice}`,
	});
}
