import { ec } from 'starknet';
import { signInvoke, type PreparedInvoke } from '../../../test/cases/starkSigning.mts';
import { STARK_ACCOUNT } from '../../../test/harness/sandbox.mts';
import { judgeCalls } from './stark.mts';

/**
 * This file simulates an account of a STARK rollup. It uses the reference client for signatures, and has its own code for nonces and fees.
 */

const OWN = BigInt(STARK_ACCOUNT.accountAddress);
const PUBLIC_KEY = ec.starkCurve.getPublicKey(STARK_ACCOUNT.privateKey);

export type SignedInvoke = PreparedInvoke & { readonly signature: readonly string[] };

/** The highest loss of an account from one transaction. */
export interface Cost {
	readonly fee: bigint;
	/** The amount of each token that leaves, or that may be taken from then on. */
	readonly tokens: ReadonlyMap<bigint, bigint | 'all'>;
	/** The accounts that get tokens or may take them later. */
	readonly parties: ReadonlyArray<readonly [token: bigint, party: bigint]>;
	/** The contracts of which a function is called that no standard of tokens describes. */
	readonly called: ReadonlySet<bigint>;
}

/** An account that accepts each nonce once, in order, and only transactions that its key signed for its chain. */
export class StarkAccount {
	readonly #chainId: string;
	#nonce: bigint;

	constructor(chainId: string, nonce: bigint) {
		this.#chainId = chainId;
		this.#nonce = nonce;
	}

	/** Returns the highest cost of a transaction for the account. Returns undefined if the chain refuses it. */
	take(given: SignedInvoke): Cost | undefined {
		if (BigInt(given.sender_address) !== OWN || BigInt(given.nonce) !== this.#nonce)
			return undefined;
		const { hash } = signInvoke({ ...given, chainId: this.#chainId }, STARK_ACCOUNT.privateKey);
		const [r = 0n, s = 0n] = given.signature.map(BigInt);
		if (!ec.starkCurve.verify(new ec.starkCurve.Signature(r, s), hash, PUBLIC_KEY))
			return undefined;
		this.#nonce++;
		return { fee: countFee(given), ...countTokens(given) };
	}
}

/** Computes the highest fee: the whole amount of each resource at its highest price. The tip is added for each unit of L2 gas. */
function countFee({ resource_bounds: bounds, tip }: SignedInvoke): bigint {
	let fee = 0n;
	for (const [resource, { max_amount, max_price_per_unit }] of Object.entries(bounds)) {
		const price = BigInt(max_price_per_unit) + (resource === 'l2_gas' ? BigInt(tip) : 0n);
		fee += BigInt(max_amount) * price;
	}
	return fee;
}

function countTokens({ calldata }: SignedInvoke): Omit<Cost, 'fee'> {
	const tokens = new Map<bigint, bigint | 'all'>();
	const parties: Array<readonly [bigint, bigint]> = [];
	const called = new Set<bigint>();
	for (const { to, name, values } of judgeCalls(calldata.map(BigInt)) ?? []) {
		if (name === undefined || !values) {
			called.add(to);
			continue;
		}
		const isFrom = /^transfer_?from$/i.test(name);
		const [owner, party = 0n, value = 0n] = (isFrom ? values : [OWN, ...values]) as bigint[];
		// Tokens of other owners are skipped, because they are moved by an approval of those owners.
		if (BigInt(owner ?? 0n) !== OWN || /^decrease/.test(name)) continue;
		const isOperator = name.startsWith('set');
		if (isOperator ? !value : BigInt(value) === 0n) continue;
		parties.push([to, BigInt(party)]);
		const before = tokens.get(to) ?? 0n;
		tokens.set(to, isOperator || before === 'all' ? 'all' : before + BigInt(value));
	}
	return { tokens, parties, called };
}
