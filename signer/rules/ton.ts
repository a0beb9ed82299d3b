import {
	buildInternalMessage,
	formatOpcode,
	formatUnits,
	getOpcode,
	measureCells,
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
import { isComment, parseAssetMove, type AssetMove } from './tonMoves';
import type { TonRules } from './tonRules';

/** Refuses a transfer that a rule forbids; `now` is in milliseconds since 1970. */
export function checkTonTransfer(rules: TonRules, transfer: TonTransfer, now: number): void {
	const { from, messages, seqno } = transfer;
	checkExpiry(transfer, now);
	checkBudget(rules.budget, BigInt(seqno), now, 'seqno');
	checkSendMode(rules, transfer);
	checkCoins(rules, messages);
	const parsed = messages.map(parseMessage);
	const own = toTonAddress(from);
	for (const message of parsed) checkMessage(rules, own, message);
	checkJettons(rules, parsed);
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

/** Up to this mode, fees are paid apart from the amounts (1), and a message that cannot be paid is left out (2). */
const USUAL_MODES = 3;
const DESTROY_MODE = 32;

/** Other modes send more than the amounts say. */
function checkSendMode({ maxAmount }: TonRules, { sendMode }: TonTransfer): void {
	if (sendMode & DESTROY_MODE) {
		throwRefused(
			`The send mode ${sendMode} destroys the wallet, after which it would take each seqno again`,
			'Use the send mode 130 to send all coins.',
		);
	}
	if (maxAmount === 'unlimited' || sendMode <= USUAL_MODES) return;
	throwForbidden('maxAmount', {
		wants: `the send mode ${sendMode} may send more than the amounts say, such as all coins`,
		allowed: 'allowed: send modes up to 3',
	});
}

/** The number of cells up to which a message costs little. */
const USUAL_CELLS = 4n;
/** The price is more than twice what a full cell costs on its way into the chain and on to its receiver. */
const CELL_PRICE_NANOCOINS = 1_000_000n;

function checkCoins({ maxAmount }: TonRules, messages: readonly InternalMessage[]): void {
	if (maxAmount === 'unlimited') return;
	const sent = messages.reduce((sum, { amount }) => sum + amount, 0n);
	const extraCells = messages.reduce((sum, message) => sum + countExtraCells(message), 0n);
	const burned = extraCells * CELL_PRICE_NANOCOINS;
	if (sent + burned <= maxAmount) return;
	const also = burned > 0n ? `, and may burn ${formatCoins(burned)} by its size` : '';
	throwForbidden('maxAmount', {
		wants: `the transfer sends ${formatCoins(sent)} coins${also}`,
		allowed: `allowed: at most ${formatCoins(maxAmount)}`,
	});
}

function countExtraCells(message: InternalMessage): bigint {
	const { cells } = measureCells(buildInternalMessage(message));
	return cells > USUAL_CELLS ? cells - USUAL_CELLS : 0n;
}

interface ParsedMessage {
	readonly to: TonAddress;
	readonly body: Cell | null;
	readonly isDeployment: boolean;
	/** Undefined where the body moves neither jettons nor an NFT. */
	readonly move: AssetMove | undefined;
}

function parseMessage({ to, body, stateInit }: InternalMessage): ParsedMessage {
	return {
		to: toTonAddress(to),
		body,
		isDeployment: stateInit !== null,
		move: parseAssetMove(body),
	};
}

function checkMessage(rules: TonRules, own: TonAddress, message: ParsedMessage): void {
	const { to, body, isDeployment, move } = message;
	if (isDeployment) checkContract(rules, to, 'would be deployed');
	const isLimited = move?.jettons !== undefined && rules.jettonLimits.has(to);
	if (!isLimited && !isComment(body))
		checkContract(rules, to, `would get ${formatBody(body, move)}`);
	// An address that the rules name is trusted with the coins along; any other is their recipient.
	if (!isLimited && !rules.contracts.named.includes(to)) checkRecipient(rules, own, to);
	if (move) checkMove(rules, own, to, move);
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
