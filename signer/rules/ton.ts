import {
	formatOpcode,
	formatUnits,
	getOpcode,
	hasLibraries,
	NANOCOIN_DECIMALS,
	type Cell,
	type InternalMessage,
	type TonTransfer,
} from '../../nodes/core';
import { checkBudget } from './budget';
import { DAY_MS, formatTime, SECOND_MS } from './clock';
import { listAllowed, throwForbidden, throwRefused } from './refusal';
import { formatAmount, formatTokenAmount } from './tokenLimits';
import { formatTonAddress, toTonAddress, type TonAddress } from './tonAddresses';
import { computeHighestTonFee } from './tonFee';
import { isComment, parseAssetMove, type AssetMove } from './tonMoves';
import type { TonRules } from './tonRules';

/** Refuses a transfer that a rule forbids; `now` is in milliseconds since 1970. What takes long comes last. */
export function checkTonTransfer(rules: TonRules, transfer: TonTransfer, now: number): void {
	const { from, messages, seqno } = transfer;
	checkSize(messages);
	checkExpiry(transfer, now);
	checkBudget(rules.budget, BigInt(seqno), now, 'seqno');
	checkFirstSeqno(rules, seqno);
	checkSendMode(rules, transfer);
	checkCoins(rules, messages);
	const parsed = messages.map(parseMessage);
	const own = toTonAddress(from);
	for (const message of parsed) checkMessage(rules, own, message);
	checkJettons(rules, parsed);
	checkFee(rules, transfer);
}

/** To hash so many takes a tenth of a second. The bytes that the chain takes hold hardly more. */
const MAX_CELLS = 16_384;

/** Counts cells without a look into them. */
function checkSize(messages: readonly InternalMessage[]): void {
	const open = messages.flatMap(({ body, stateInit }) => [body, stateInit]).filter(isCell);
	const seen = new Set<Cell>();
	for (let cell = open.pop(); cell && seen.size <= MAX_CELLS; cell = open.pop()) {
		if (seen.has(cell)) continue;
		seen.add(cell);
		open.push(...cell.references);
	}
	if (seen.size <= MAX_CELLS) return;
	throwRefused(
		`The messages of the transfer have more than ${MAX_CELLS} cells together, which is too much for one transfer`,
		'Send less at once.',
	);
}

function isCell(cell: Cell | null): cell is Cell {
	return cell !== null;
}

/** A transfer that was held back can be sent until it expires. */
function checkExpiry({ validUntil }: TonTransfer, now: number): void {
	const [present, end] = [BigInt(now), BigInt(validUntil) * SECOND_MS];
	if (end > present && end <= present + DAY_MS) return;
	throwRefused(
		`The transfer is valid until ${formatTime(end)}, and must be so from ${formatTime(present)}, the time by n8n's clock, for a day at most`,
		'Prepare it again.',
	);
}

/** The wallet takes no number before the first one, but other wallets of the key may, and there are many such numbers. */
function checkFirstSeqno({ budget }: TonRules, seqno: number): void {
	if (!budget || BigInt(seqno) >= budget.firstNonce) return;
	throwForbidden('firstNonce', {
		wants: `the transfer has the seqno ${seqno}`,
		allowed: `allowed: those from ${budget.firstNonce} on`,
	});
}

/** Fees are paid apart from the amounts (1), what cannot be sent is left out (2, always set), all coins go along (128). */
const CARRY_ALL_MODE = 128;
const KNOWN_MODES = 1 | 2 | CARRY_ALL_MODE;
const DESTROY_MODE = 32;

/** In a machine of the chain, no wallet took a transfer of these modes twice; of others it takes some any number of times. */
function checkSendMode({ maxAmount }: TonRules, { sendMode }: TonTransfer): void {
	if (sendMode & DESTROY_MODE) {
		throwRefused(
			`The send mode ${sendMode} destroys the wallet, after which it would take each seqno again`,
			'Use the send mode 130 to send all coins.',
		);
	}
	if (sendMode & ~KNOWN_MODES) {
		throwRefused(
			`The send mode ${sendMode} is not signed: with other flags than 1, 2 and 128 a transfer may fail so that the chain takes it again and again, for a fee each time`,
			'Use the send mode 3, or 130 to send all coins.',
		);
	}
	if (maxAmount === 'unlimited' || !(sendMode & CARRY_ALL_MODE)) return;
	throwForbidden('maxAmount', {
		wants: `the send mode ${sendMode} sends all coins`,
		allowed: 'allowed: send modes up to 3',
	});
}

function checkCoins({ maxAmount }: TonRules, messages: readonly InternalMessage[]): void {
	if (maxAmount === 'unlimited') return;
	const sent = messages.reduce((sum, { amount }) => sum + amount, 0n);
	if (sent <= maxAmount) return;
	throwForbidden('maxAmount', {
		wants: `the transfer sends ${formatCoins(sent)} coins`,
		allowed: `allowed: at most ${formatCoins(maxAmount)}`,
	});
}

function checkFee({ maxFee, walletType }: TonRules, transfer: TonTransfer): void {
	const fee = computeHighestTonFee(walletType, transfer);
	if (fee <= maxFee) return;
	throwForbidden('maxFee', {
		wants: `the chain may charge up to ${formatCoins(fee)} coins for the transfer`,
		allowed: `allowed: at most ${formatCoins(maxFee)}`,
	});
}

interface ParsedMessage {
	readonly to: TonAddress;
	readonly body: Cell | null;
	readonly stateInit: Cell | null;
	/** Undefined where the body moves neither jettons nor an NFT. */
	readonly move: AssetMove | undefined;
}

function parseMessage({ to, body, stateInit }: InternalMessage): ParsedMessage {
	return {
		to: toTonAddress(to),
		body,
		stateInit,
		move: parseAssetMove(body),
	};
}

function checkMessage(rules: TonRules, own: TonAddress, message: ParsedMessage): void {
	const { to, body, stateInit, move } = message;
	if (stateInit) checkDeployment(rules, to, stateInit);
	const isLimited = move?.jettons !== undefined && rules.jettonLimits.has(to);
	if (!isLimited && !isComment(body))
		checkContract(rules, to, `would get ${formatBody(body, move)}`);
	// An address that the rules name is trusted with the coins along; any other is their recipient.
	if (!isLimited && !rules.contracts.named.includes(to)) checkRecipient(rules, own, to);
	if (move) checkMove(rules, own, to, move);
}

/** The chain fails at most libraries only behind the wallet's own checks, whatever the send mode says. */
function checkDeployment(rules: TonRules, to: TonAddress, stateInit: Cell): void {
	checkContract(rules, to, 'would be deployed');
	if (!hasLibraries(stateInit)) return;
	throwRefused(
		`The state init for ${formatTonAddress(to)} has libraries, by which a transfer may fail so that the chain takes it again and again, for a fee each time`,
		'Deploy it with its code and its data alone.',
	);
}

function checkMove(rules: TonRules, own: TonAddress, asset: TonAddress, move: AssetMove): void {
	const receiver = toTonAddress(move.to);
	checkRecipient(rules, own, receiver);
	if (move.responseTo) checkRecipient(rules, own, toTonAddress(move.responseTo));
	if (move.customPayload) checkContract(rules, asset, 'would get a custom payload');
	if (!isComment(move.forwardPayload)) {
		checkContract(rules, receiver, 'would get a forward payload that is no comment');
	}
}

function formatBody(body: Cell | null, move: AssetMove | undefined): string {
	if (move) return move.jettons === undefined ? 'a transfer of an NFT' : 'a transfer of jettons';
	const opcode = formatOpcode(body && getOpcode(body));
	return opcode === null
		? 'a body that is no comment'
		: `a body that is no comment, with the opcode ${opcode}`;
}

function checkContract({ contracts }: TonRules, address: TonAddress, does: string): void {
	if (contracts.any || contracts.named.includes(address)) return;
	throwForbidden('contracts', {
		wants: `${formatTonAddress(address)} ${does}`,
		allowed: listAllowed(contracts.named.map(formatTonAddress)),
	});
}

function checkRecipient({ recipients }: TonRules, own: TonAddress, receiver: TonAddress): void {
	if (recipients.length === 0 || receiver === own || recipients.includes(receiver)) return;
	throwForbidden('recipients', {
		wants: `${formatTonAddress(receiver)} would receive`,
		allowed: listAllowed(recipients.map(formatTonAddress)),
	});
}

/** The limits are for the sum of all messages. */
function checkJettons({ jettonLimits }: TonRules, messages: readonly ParsedMessage[]): void {
	for (const [wallet, limit] of jettonLimits) {
		const sent = messages
			.filter(({ to }) => to === wallet)
			.reduce((sum, { move }) => sum + (move?.jettons ?? 0n), 0n);
		if (sent <= limit.most) continue;
		throwForbidden('jettonLimits', {
			wants: `the transfer sends ${formatAmount(sent, limit)} from the jetton wallet ${formatTonAddress(wallet)}`,
			allowed: `allowed: at most ${formatTokenAmount(limit.most, limit)}`,
		});
	}
}

function formatCoins(amount: bigint): string {
	return formatUnits(amount, NANOCOIN_DECIMALS);
}
