import { reservePlace, type Purse } from '../../chain/purse';
import type { RpcReader } from '../../chain/reader';
import type { SweepAuthorization } from '../../chain/sweep';
import { encodeHex } from '../../values/hex';
import { keccak256 } from '../../values/keccak';
import {
	buildAuthorizationData,
	type Authorization,
	type TokenDomain,
} from '../httpPayment/authorization';
import { encodeTransfer } from '../httpPayment/transfer';
import { readIsUsed } from '../httpPayment/verify';
import {
	readTransactionCounts,
	reserveNonce,
	takeNonce,
	type NoncePlace,
	type TransactionCounts,
} from '../prepare/purse';
import { readCoinBalance } from '../tokens';
import { computeMaxFee, type GasPrice } from '../transactions/unsigned';
import { buildUnsigned, buySweptGas, type UnsignedEvm } from './unsigned';

interface Payer extends TransactionCounts {
	readonly balance: bigint;
}

/**
 * The purses of paying accounts, which assign nonces and funds to drafts of transactions. Drafts are never signed. The
 * nonces and funds of transactions that are sent are counted separately.
 */
export type Drafts = Map<string, Purse<Payer>>;

/** A transfer of tokens, and by whose names it is signed. */
interface Authorized {
	readonly reader: RpcReader;
	readonly domain: TokenDomain;
	readonly from: string;
	readonly destination: string;
	readonly value: bigint;
	/** The gas that the transfer needs if the address itself sends it. */
	readonly gas: bigint;
	readonly price: GasPrice;
	readonly drafts: Drafts;
}

/** Prepares a transfer as an authorization (EIP-3009), which another account carries out; undefined if no nonce is free. */
export async function prepareAuthorization(
	authorized: Authorized,
): Promise<SweepAuthorization<UnsignedEvm> | undefined> {
	const { domain, from, destination: to, value } = authorized;
	const nonce = await findFreeNonce(authorized);
	if (nonce === undefined) return undefined;
	const validBefore = BigInt(Math.floor(Date.now() / SECOND_MS) + VALID_SECONDS);
	const authorization = { from, to, value, validAfter: 0n, validBefore, nonce };
	return {
		typedData: buildAuthorizationData(domain, authorization),
		draft: async (payer) => await draft(authorized, authorization, payer),
		complete: async (payer, signature) =>
			await complete(authorized, authorization, { payer, signature }),
	};
}

const SECOND_MS = 1000;
/** How many seconds an authorization is valid. The credential signs no authorization that is valid for longer. */
const VALID_SECONDS = 3600;

/** More than any address is swept. */
const MAX_COUNTER = 2 ** 20;

/**
 * Finds the first nonce of the address that the token has not used. Nonces are computed from a counter, so two runs that
 * sweep the same tokens authorize with the same nonce, and the token accepts only one.
 */
async function findFreeNonce({ reader, domain, from }: Authorized): Promise<string | undefined> {
	const { chainId, verifyingContract: token } = domain;
	const getNonce = (counter: number) =>
		encodeHex(keccak256(Buffer.from(['sweep', chainId, token, from, counter].join(' '))));
	const isUsed = async (counter: number) =>
		await readIsUsed(reader, token, from, getNonce(counter));
	let [used, free] = [-1, 0];
	while (await isUsed(free)) {
		if (free > MAX_COUNTER) return undefined;
		[used, free] = [free, free * 2 + 1];
	}
	while (free - used > 1) {
		const middle = Math.floor((used + free) / 2);
		if (await isUsed(middle)) used = middle;
		else free = middle;
	}
	return getNonce(free);
}

/** A signature for estimates: it has the right length, and no byte that is zero, as zeros would cost less gas. */
const ANY_SIGNATURE = `0x${'7f'.repeat(64)}1b`;
/** What an authorization needs beyond a transfer: its bytes, the signature is recovered, and the nonce is stored. */
const SIGNATURE_GAS = 50_000n;

async function draft(
	authorized: Authorized,
	authorization: Authorization,
	payer: string,
): Promise<UnsignedEvm> {
	const { reader, drafts, gas: transferGas } = authorized;
	const place = reservePlace(
		drafts,
		payer.toLowerCase(),
		async () => await readPayer(reader, payer),
	);
	try {
		const { balance } = await place.account;
		const data = encodeTransfer(authorization, ANY_SIGNATURE, 'key');
		return await build(authorized, {
			payer,
			data,
			gas: transferGas + SIGNATURE_GAS,
			balance,
			place,
		});
	} finally {
		place.release();
	}
}

async function readPayer(reader: RpcReader, payer: string): Promise<Payer> {
	const [counts, balance] = await Promise.all([
		readTransactionCounts(reader, payer),
		readCoinBalance(reader, payer),
	]);
	return { ...counts, balance };
}

async function complete(
	authorized: Authorized,
	authorization: Authorization,
	{ payer, signature }: { readonly payer: string; readonly signature: string },
): Promise<UnsignedEvm> {
	const { reader, domain } = authorized;
	const place = reserveNonce(reader, payer, undefined);
	try {
		const data = encodeTransfer(authorization, signature, 'key');
		const to = domain.verifyingContract;
		const intent = { sentence: '', to, value: 0n, data, isCall: true };
		const purchase = await buySweptGas(reader, payer, intent);
		return await build(authorized, { payer, data, place, ...purchase });
	} finally {
		place.release();
	}
}

interface Carried {
	readonly payer: string;
	readonly data: string;
	readonly gas: bigint;
	/** The coins of the account that pays the fee. */
	readonly balance: bigint | undefined;
	readonly place: NoncePlace;
}

async function build(
	{ domain: { chainId, verifyingContract: to }, price }: Authorized,
	{ payer: from, data, gas, balance, place }: Carried,
): Promise<UnsignedEvm> {
	const cost = computeMaxFee({ gas, price });
	const { nonce } = await takeNonce(place, { from, cost, balance });
	return buildUnsigned({ chainId, from, to, nonce, gas, value: 0n, data, price });
}
