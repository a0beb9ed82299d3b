import { Address, beginCell, Cell, external, storeMessage } from '@ton/core';
import type { Asked } from './case.mts';

/**
 * This file answers like a TON index in the tests of faults. Every account has many coins and no code yet, so the
 * index cannot estimate fees.
 */

const NO_HASH = Buffer.alloc(32).toString('base64');

export const RICH_ACCOUNT = `0:${'6'.repeat(64)}`;

/** The answers of the TON index, by the last part of the request's path. */
const ANSWERS: Readonly<Record<string, (query: URLSearchParams, json: unknown) => object>> = {
	accountStates: (query) => ({
		accounts: query.getAll('address').map((address) => ({
			address,
			balance: '9'.repeat(18),
			status: 'uninit',
		})),
	}),
	items: (query) => ({
		nft_items: [{ address: query.get('address'), owner_address: RICH_ACCOUNT, content: {} }],
	}),
	message: (_query, json) => {
		const { boc } = json as { readonly boc: string };
		return { message_hash: Cell.fromBase64(boc).hash().toString('base64') };
	},
	transactionsByMessage: (query) => ({
		transactions: [buildTransaction(String(query.get('msg_hash')))],
	}),
};

export function answerAsTonIndex({ path, json }: Asked): unknown {
	const { pathname, searchParams } = new URL(path, 'http://localhost');
	return ANSWERS[pathname.split('/').at(-1) ?? '']?.(searchParams, json) ?? {};
}

/** Answers like an index that accepts messages but never lists their transactions. */
export function answerWithoutTransactions(asked: Asked): unknown {
	return asked.path.includes('transactionsByMessage')
		? { transactions: [] }
		: answerAsTonIndex(asked);
}

/** Builds the transaction of a wallet that accepted a message from outside and sent nothing. */
function buildTransaction(messageHash: string) {
	return {
		account: RICH_ACCOUNT,
		hash: NO_HASH,
		lt: '1',
		now: 1_767_225_600,
		total_fees: '1',
		description: { type: 'ord', compute_ph: { skipped: false, success: true, exit_code: 0 } },
		in_msg: { hash: Buffer.from(messageHash, 'hex').toString('base64'), destination: RICH_ACCOUNT },
		out_msgs: [],
	};
}

const SIGNATURE_BYTES = 64;
const MARK_CHARS = 40;
/** The number of base64 characters before the signature in a message without a checksum. */
const CHARS_BEFORE_SIGNATURE = 68;

/**
 * Builds a signed message of a wallet in base64. A part of the signature is left out, where the mark of the item
 * belongs.
 */
function buildAroundMark(item: number): readonly [string, string] {
	const to = new Address(0, Buffer.alloc(32, item + 1));
	const [walletId, validUntil, seqno] = [1, 2 ** 32 - 1, 0];
	const body = beginCell()
		.storeBuffer(Buffer.alloc(SIGNATURE_BYTES))
		.storeUint(walletId, 32)
		.storeUint(validUntil, 32)
		.storeUint(seqno, 32)
		.storeUint(0, 8)
		.endCell();
	const message = beginCell()
		.store(storeMessage(external({ to, body })))
		.endCell();
	const base64 = message.toBoc({ crc32: false, idx: false }).toString('base64');
	return [
		base64.slice(0, CHARS_BEFORE_SIGNATURE),
		base64.slice(CHARS_BEFORE_SIGNATURE + MARK_CHARS),
	];
}

const WALLETS = 3;
const AROUND_MARKS = Array.from({ length: WALLETS }, (_, item) => buildAroundMark(item));

/**
 * An n8n expression that puts `$json.mark` into a signed message. Each item has a message of another wallet, because
 * messages of one wallet would wait for each other.
 */
export const MARKED_TON_MESSAGE = `={{ ((parts) => parts[0] + $json.mark + parts[1])(${JSON.stringify(AROUND_MARKS)}[$json.item % ${WALLETS}]) }}`;
