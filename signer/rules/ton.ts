import {
	formatOpcode,
	formatUnits,
	getOpcode,
	NANOCOIN_DECIMALS,
	type Cell,
	type InternalMessage,
	type TonTransfer,
	type WalletType,
} from '../../nodes/core';
import { formatAddress } from './addresses';
import type { Call, CallEffects, Effects, Move } from './effects';
import { toTonAddress, type TonAddress } from './tonAddresses';
import { isComment, parseTonAsset, type TonAsset } from './tonAssets';
import { computeHighestTonFee } from './tonFee';
import { checkTonForm, sendsAll } from './tonForm';

/** Decodes the effects of a transfer from a wallet of this type. Checks its form first; slow checks come last. */
export function decodeTonTransfer(
	walletType: WalletType,
	transfer: TonTransfer,
	now: number,
): Effects {
	checkTonForm(transfer, now);
	const { from, messages, seqno } = transfer;
	const effects = messages.map(decodeMessage);
	return {
		own: toTonAddress(from),
		chain: undefined,
		nonce: BigInt(seqno),
		expiry: undefined,
		coins: decodeCoins(transfer),
		calls: effects.flatMap(({ calls }) => calls),
		moves: effects.flatMap(({ moves }) => moves),
		approvals: [],
		fee: decodeFee(walletType, transfer),
	};
}

function decodeCoins(transfer: TonTransfer): Effects['coins'] {
	const { messages, sendMode } = transfer;
	if (sendsAll(transfer))
		return { amount: 'all', wants: `the send mode ${sendMode} sends all coins` };
	const sum = messages.reduce((sent, { amount }) => sent + amount, 0n);
	return { amount: sum, wants: `the transfer sends ${formatCoins(sum)} coins` };
}

function decodeFee(walletType: WalletType, transfer: TonTransfer): Effects['fee'] {
	const fee = computeHighestTonFee(walletType, transfer);
	return {
		amount: fee,
		wants: `the chain may charge up to ${formatCoins(fee)} coins for the transfer`,
	};
}

function decodeMessage({ to: account, body, stateInit }: InternalMessage): CallEffects {
	const to = toTonAddress(account);
	const asset = parseTonAsset(body);
	const message: Call = {
		...createCall(to, isComment(body) ? undefined : `would get ${formatBody(body, asset)}`),
		needsLimitOnly: asset?.jettons !== undefined,
		// The coins may go to an address in Contracts or Jetton Limits. Any other address must be a recipient.
		coinsFor: 'contractOrToken',
	};
	return {
		calls: [
			...(stateInit ? [createCall(to, 'would be deployed')] : []),
			message,
			...(asset ? listPayloads(to, asset) : []),
		],
		moves: asset ? [decodeMove(to, asset)] : [],
		approvals: [],
	};
}

/** Builds a call for the rules. On TON, the rule Contracts lists contracts without functions, so the selector and the data are empty. */
function createCall(to: TonAddress, does: string | undefined): Call {
	const wants = does === undefined ? {} : { wants: `${formatAddress(to)} ${does}` };
	return { to, selector: '', data: '', coinsFor: 'nothing', ...wants };
}

function listPayloads(token: TonAddress, { customPayload, forwardPayload, to }: TonAsset): Call[] {
	const forward = 'would get a forward payload that is no comment';
	return [
		...(customPayload ? [createCall(token, 'would get a custom payload')] : []),
		...(isComment(forwardPayload) ? [] : [createCall(toTonAddress(to), forward)]),
	];
}

function decodeMove(token: TonAddress, { jettons = 0n, responseTo, to }: TonAsset): Move {
	return {
		token,
		amount: jettons,
		about: (wanted = 'all') =>
			`the transfer sends ${wanted} from the jetton wallet ${formatAddress(token)}`,
		receivers: [to, ...(responseTo ? [responseTo] : [])].map(toTonAddress),
	};
}

function formatBody(body: Cell | null, asset: TonAsset | undefined): string {
	if (asset) return asset.jettons === undefined ? 'a transfer of an NFT' : 'a transfer of jettons';
	const opcode = formatOpcode(body && getOpcode(body));
	return opcode === null
		? 'a body that is no comment'
		: `a body that is no comment, with the opcode ${opcode}`;
}

function formatCoins(amount: bigint): string {
	return formatUnits(amount, NANOCOIN_DECIMALS);
}
