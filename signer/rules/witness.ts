import {
	computeHighestByteFee,
	formatUnits,
	formatWitnessAddresses,
	SUN_DECIMALS,
	SUN_PER_BYTE,
	type WitnessTransaction,
} from '../../nodes/core';
import type { WitnessKind } from '../credentials/rules';
import { decodeContractCall } from './contractCalls';
import { decodePayment, type CallEffects, type Effects, type Spent } from './effects';
import { refuse } from './refusal';

/** The kind of transaction that no rule allows: transfers of TRC-10 tokens. */
const NEVER_ALLOWED = 'assetTransfer';

/** The kind of the rules that allows each kind of transaction. */
const ALLOWING_KINDS: Readonly<
	Record<WitnessTransaction['kind'], WitnessKind | typeof NEVER_ALLOWED>
> = {
	assetTransfer: NEVER_ALLOWED,
	contractCall: 'contractCall',
	delegate: 'delegate',
	freeze: 'freeze',
	registration: 'registration',
	transfer: 'transfer',
	undelegate: 'delegate',
	unfreeze: 'freeze',
	vote: 'vote',
	withdraw: 'withdraw',
};

/**
 * Bytes up to this size do not count for Witness Max Fee, except in sweeps. A transaction with thirty votes has half of
 * this size.
 */
const USUAL_SIZE_BYTES = 2000;
/** The coins that bytes may burn though no rule counts them. */
export const USUAL_BYTES_SUN = BigInt(USUAL_SIZE_BYTES) * SUN_PER_BYTE;

interface Circumstances {
	/** The signer's account in 40 hex digits. */
	readonly account: string;
	/** The size of the transaction in bytes: a long memo burns coins, whatever the fee limit. */
	readonly size: number;
	/**
	 * Whether the transaction is a sweep. For sweeps, the fee of each byte counts and a memo is refused, because the fee must not exceed the
	 * value.
	 */
	readonly isSweep?: boolean;
}

/** Decodes the effects of a TRON transaction. Refuses a transaction of another account, or for a permission that may need other signers. */
export function decodeWitnessTransaction(
	transaction: WitnessTransaction,
	{ account, size, isSweep = false }: Circumstances,
): Effects {
	const { kind, expiration, owner, permissionId } = transaction;
	if (owner !== `41${account}`) refuseNotOwn(owner.slice(2), account);
	if (permissionId !== 0n) refuseNotAlone(permissionId);
	if (isSweep && transaction.data !== '') refuseMemo();
	return {
		own: `41${account}`,
		kind: {
			name: ALLOWING_KINDS[kind],
			wants: `the transaction is of the kind ${kind}`,
		},
		chain: undefined,
		nonce: { noneOf: 'a TRON transaction' },
		expiry: expiration,
		fee: isSweep ? decodeWholeFee(transaction, size) : decodeFee(transaction, size),
		...decodeOutflow(transaction),
	};
}

function decodeFee({ feeLimit }: WitnessTransaction, size: number): Spent {
	const burned = BigInt(Math.max(size - USUAL_SIZE_BYTES, 0)) * SUN_PER_BYTE;
	const does =
		burned > 0n
			? `the fee limit and the ${size} bytes of the transaction may burn`
			: 'the transaction has a fee limit of';
	const amount = feeLimit + burned;
	return { amount, wants: `${does} ${formatUnits(amount, SUN_DECIMALS)} coins` };
}

/** Computes the highest fee for an account without bandwidth. It does not include the chain's fee for a new account. */
function decodeWholeFee({ feeLimit }: WitnessTransaction, size: number): Spent {
	const amount = feeLimit + computeHighestByteFee(size);
	return {
		amount,
		wants: `the fee limit and the bytes of the transaction may burn ${formatUnits(amount, SUN_DECIMALS)} coins`,
	};
}

type Outflow = CallEffects & Pick<Effects, 'coins' | 'unbounded'>;

function decodeOutflow(transaction: WitnessTransaction): Outflow {
	switch (transaction.kind) {
		case 'transfer': {
			const { to_address: to, amount } = transaction.parameters;
			return { coins: decodeCoins(amount), ...decodePayment(to) };
		}
		case 'contractCall': {
			const { parameters, owner } = transaction;
			const { call_token_value, call_value: value, contract_address: to, data } = parameters;
			return {
				coins: decodeCoins(value),
				...decodeContractCall({ from: owner, to, data: `0x${data}`, value }),
				...((call_token_value > 0n || parameters.token_id > 0n) && OTHER_TOKENS),
			};
		}
		case 'delegate':
			return { coins: undefined, ...decodePayment(transaction.parameters.receiver_address) };
		case 'assetTransfer':
			return { ...NOTHING, ...OTHER_TOKENS };
		case 'freeze':
		case 'registration':
		case 'undelegate':
		case 'unfreeze':
		case 'vote':
		case 'withdraw':
			return NOTHING;
	}
}

const NOTHING: Outflow = { coins: undefined, calls: [], moves: [], approvals: [] };

/** The reason to refuse TRC-10 tokens: no rule limits their amount. */
const OTHER_TOKENS: Pick<Effects, 'unbounded'> = {
	unbounded: {
		why: 'The transaction sends tokens of TRC-10, which this signer does not sign',
		advice: 'No rule could say how many of them may leave.',
	},
};

function decodeCoins(amount: bigint): Spent {
	return {
		amount,
		wants: `the transaction sends ${formatUnits(amount, SUN_DECIMALS)} coins`,
	};
}

/** Refuses a memo in a sweep, because the chain charges an extra fee for it. */
function refuseMemo(): never {
	refuse('The transaction has a memo, which nothing that is swept has', 'Build it without a memo.');
}

/** Refuses other permissions of the account. They may include keys of other people, and no rule limits what those do. */
function refuseNotAlone(permission: bigint): never {
	refuse(
		`The transaction is for permission ${permission} of its account, and this signer signs for the owner's (0) alone`,
		'Build it without Permission_id.',
	);
}

function refuseNotOwn(owner: string, account: string): never {
	const [theirs, own] = [owner, account].map((one) => formatWitnessAddresses(one).base58);
	refuse(
		`The owner of the transaction is ${theirs}, but this credential signs for ${own}`,
		"Build it for the credential's account, or choose the credential of the owner.",
	);
}
