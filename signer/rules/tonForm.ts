import { hasLibraries, type Cell, type InternalMessage, type TonTransfer } from '../../nodes/core';
import { formatAddress } from './addresses';
import { DAY_MS, formatTime, SECOND_MS } from './clock';
import { refuse } from './refusal';
import { toTonAddress } from './tonAddresses';

/** Refuses a transfer that is not safe to sign, whatever the rules say; `now` is in milliseconds since 1970. */
export function checkTonForm(transfer: TonTransfer, now: number): void {
	checkSize(transfer.messages);
	checkExpiry(transfer, now);
	checkSendMode(transfer);
	for (const message of transfer.messages) checkLibraries(message);
}

/** The most cells of a transfer. Hashing so many takes a tenth of a second, and the chain accepts hardly more. */
const MAX_CELLS = 16_384;

/** Counts cells without reading them. */
function checkSize(messages: readonly InternalMessage[]): void {
	const open = messages.flatMap(({ body, stateInit }) => [body, stateInit]).filter(isCell);
	const seen = new Set<Cell>();
	for (let cell = open.pop(); cell && seen.size <= MAX_CELLS; cell = open.pop()) {
		if (seen.has(cell)) continue;
		seen.add(cell);
		for (const one of cell.references) open.push(one);
	}
	if (seen.size <= MAX_CELLS) return;
	refuse(
		`The messages of the transfer have more than ${MAX_CELLS} cells together, which is too much for one transfer`,
		'Send less at once.',
	);
}

function isCell(cell: Cell | null): cell is Cell {
	return cell !== null;
}

/** Refuses a transfer that expires too late, because somebody could keep it and send it then. */
function checkExpiry({ validUntil }: TonTransfer, now: number): void {
	const [present, end] = [BigInt(now), BigInt(validUntil) * SECOND_MS];
	if (end > present && end <= present + DAY_MS) return;
	refuse(
		`The transfer is valid until ${formatTime(end)}, and must be so from ${formatTime(present)}, the time by n8n's clock, for a day at most`,
		'Prepare it again.',
	);
}

/** Send modes: 1 pays fees separately from the amounts, 2 leaves out messages that cannot be sent, and 128 sends the whole balance. */
const CARRY_ALL_MODE = 128;
const KNOWN_MODES = 1 | 2 | CARRY_ALL_MODE;
const DESTROY_MODE = 32;

/** Whether a transfer sends all coins. */
export function sendsAll({ sendMode }: TonTransfer): boolean {
	return (sendMode & CARRY_ALL_MODE) !== 0;
}

/**
 * Refuses unknown send modes, because some wallets accept such transfers any number of times. With the known modes, tests on the chain's
 * virtual machine showed no second transfer.
 */
function checkSendMode({ sendMode }: TonTransfer): void {
	if (sendMode & DESTROY_MODE) {
		refuse(
			`The send mode ${sendMode} destroys the wallet, after which it would take each seqno again`,
			'Use the send mode 130 to send all coins.',
		);
	}
	if (sendMode & ~KNOWN_MODES) {
		refuse(
			`The send mode ${sendMode} is not signed: with other flags than 1, 2 and 128 a transfer may fail so that the chain takes it again and again, for a fee each time`,
			'Use the send mode 3, or 130 to send all coins.',
		);
	}
}

/**
 * Refuses a state with libraries. Most libraries make a transfer fail so that the chain accepts it again and again,
 * whatever the send mode is.
 */
function checkLibraries({ to, stateInit }: InternalMessage): void {
	if (!stateInit || !hasLibraries(stateInit)) return;
	refuse(
		`The state init for ${formatAddress(toTonAddress(to))} has libraries, by which a transfer may fail so that the chain takes it again and again, for a fee each time`,
		'Deploy it with its code and its data alone.',
	);
}
