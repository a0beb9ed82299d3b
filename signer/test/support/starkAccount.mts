import { ec } from 'starknet';
import { signInvoke, type PreparedInvoke } from '../../../test/cases/starkSigning.mts';
import { STARK_ACCOUNT } from '../../../test/harness/sandbox.mts';
import { judgeCalls } from './stark.mts';

/** This file is an account of a STARK rollup as the chain sees it, by the reference client and a few lines about nonces and fees. */

const OWN = BigInt(STARK_ACCOUNT.accountAddress);
const PUBLIC_KEY = ec.starkCurve.getPublicKey(STARK_ACCOUNT.privateKey);

export type SignedInvoke = PreparedInvoke & { readonly signature: readonly string[] };

/** The highest loss of an account by a transaction, whatever the chain and the allowed spenders do. */
export interface Cost {
	readonly fee: bigint;
	/** The amount of each token that leaves, or that may be taken from then on. */
	readonly tokens: ReadonlyMap<bigint, bigint | 'all'>;
	/** The accounts that get tokens, or may take them. */
	readonly parties: ReadonlyArray<readonly [token: bigint, party: bigint]>;
	/** The contracts of which a function is called that no standard of tokens describes. */
	readonly called: ReadonlySet<bigint>;
}

/** An account that takes each nonce once, in their order, and what its key signed for its chain alone. */
export class StarkAccount {
	readonly #chainId: string;
	#nonce: bigint;

	constructor(chainId: string, nonce: bigint) {
		this.#chainId = chainId;
		this.#nonce = nonce;
	}

	/** Returns the highest cost for the account; undefined if the chain refuses it. */
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

/** The chain may use all that is offered of each resource, at its highest price; the tip is for each unit of the second. */
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
		// The tokens of others are taken by an allowance that they gave.
		if (BigInt(owner ?? 0n) !== OWN || /^decrease/.test(name)) continue;
		const isOperator = name.startsWith('set');
		if (isOperator ? !value : BigInt(value) === 0n) continue;
		parties.push([to, BigInt(party)]);
		const before = tokens.get(to) ?? 0n;
		tokens.set(to, isOperator || before === 'all' ? 'all' : before + BigInt(value));
	}
	return { tokens, parties, called };
}
