import {
	getOpcode,
	OPCODES,
	parseJettonTransfer,
	parseNftTransfer,
	type Cell,
	type TonAccount,
} from '../../nodes/core';
import { refuse } from './refusal';

/** A transfer of jettons or of an NFT. */
export interface TonAsset {
	/** The amount in the smallest unit; undefined for an NFT. */
	readonly jettons: bigint | undefined;
	readonly to: TonAccount;
	/** The account that gets the remaining coins, or null. */
	readonly responseTo: TonAccount | null;
	readonly customPayload: Cell | null;
	readonly forwardPayload: Cell | null;
}

/** Whether the body of a message is only a text for people. */
export function isComment(body: Cell | null): boolean {
	if (body === null) return true;
	const isEmpty = body.bits === 0 && body.references.length === 0 && !body.isExotic;
	return isEmpty || (getOpcode(body) === OPCODES.comment && isText(body));
}

/** Whether the cells may contain text. Only their shape is checked, because reading many long texts would take too long. */
function isText(body: Cell): boolean {
	for (let cell: Cell | undefined = body; cell; [cell] = cell.references)
		if (cell.isExotic || cell.bits % 8 > 0 || cell.references.length > 1) return false;
	return true;
}

/** Returns undefined for a body that is not a transfer of jettons or of an NFT. */
export function parseTonAsset(body: Cell | null): TonAsset | undefined {
	const opcode = body && getOpcode(body);
	if (!body || (opcode !== OPCODES.jettonTransfer && opcode !== OPCODES.nftTransfer)) {
		return undefined;
	}
	const jettons = parseJettonTransfer(body);
	const { to = null, ...move } = jettons ?? parseNftTransfer(body) ?? refuseUnclear();
	return to ? { ...move, to, jettons: jettons?.amount } : refuseUnclear();
}

/** Refuses a body that does not follow the standard, because a contract might read it differently. */
function refuseUnclear(): never {
	refuse(
		"The rules can't be checked: a body begins as a transfer of jettons or of an NFT, but does not follow the standard, or names no receiver",
		'Prepare it by Chain TON.',
	);
}
