import type { Cell } from '@ton/core';
import { requireText } from './getMethods.mts';
import { hashOf, type TonLedger, UnreadableMessage } from './ledger.mts';
import { NotAccepted } from './machine.mts';
import { ApiError, parseCell } from './parameters.mts';
import { computeNormalizedHash } from './transactionJson.mts';

const MAX_BYTES = 65_535;
const MAX_DEPTH = 512;

/** Sends a message. A successful answer means only that a node accepted the message and passes it on. */
export async function sendMessage(
	ledger: TonLedger,
	body: { readonly boc?: unknown },
	hold: boolean,
) {
	const text = requireText('boc', body.boc);
	const message = parseCell(text);
	if (Buffer.from(text, 'base64').length > MAX_BYTES || message.depth() > MAX_DEPTH) {
		throw new ApiError(500, 'external message is too large');
	}
	await ledger.send(message, { hold }).catch((error: unknown) => throwRefusal(error, message));
	return { message_hash: hashOf(message), message_hash_norm: computeNormalizedHash(message) };
}

const REFUSAL =
	'LITE_SERVER_UNKNOWN: cannot apply external message to current state : External message was not accepted';

function throwRefusal(error: unknown, message: Cell): never {
	if (error instanceof UnreadableMessage) throw new ApiError(500, error.message);
	if (!(error instanceof NotAccepted)) throw error;
	const hash = message.hash().toString('hex').toUpperCase();
	const why =
		error.exitCode === undefined
			? 'before smart-contract execution'
			: `by transaction ${hash}:\nexitcode=${error.exitCode}`;
	const where = 'Cannot run message on account: inbound external message rejected';
	throw new ApiError(500, `${REFUSAL}\n${where} ${why}`);
}
