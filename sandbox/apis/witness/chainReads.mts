import type { TronWeb } from './accounts.mts';
import { buildBlock, buildBlockId, getBlockTimestamp, getHeadNumber } from './blocks.mts';
import type { Visible } from './context.mts';
import { formatInfo, formatTransaction } from './formats.mts';
import * as schemas from './schemas.mts';
import type { Broadcast, Wallet } from './state.mts';

/** The chain as a node knows it. `end` is the newest block that the node has. */
export interface ChainView {
	readonly wallet: Wallet;
	readonly end: number;
}

export interface ChainRead {
	readonly body: object;
	readonly answer: (view: ChainView, body: object, tronWeb: TronWeb) => unknown;
}

/** Defines a request that reads the chain. Addresses are in hex unless the request sets `visible`. */
const read = <Body,>(
	body: object,
	answer: (view: ChainView, body: Body & Required<Visible>, tronWeb: TronWeb) => unknown,
): ChainRead => ({
	body,
	answer: (view, given, tronWeb) => answer(view, { visible: false, ...(given as Body) }, tronWeb),
});

/** The most blocks that `getblockbylimitnext` lists. A longer range gets an empty list. */
const MAX_LISTED_BLOCKS = 100;

/** The methods that read the chain, by name. Both views of the chain serve them. */
export const CHAIN_READS: Readonly<Record<string, ChainRead>> = {
	gettransactionbyid: read<{ value: string }>(
		schemas.transactionBody,
		(view, { value, visible }, tronWeb) => {
			const found = findBroadcast(view, value);
			return found && found.block <= view.end ? formatTransaction(found, visible, tronWeb) : {};
		},
	),
	gettransactioninfobyid: read<{ value: string }>(
		schemas.transactionBody,
		(view, { value, visible }, tronWeb) => {
			const found = findBroadcast(view, value);
			if (!found || found.block > view.end) return {};
			return formatInfo(found, view.wallet, visible, tronWeb);
		},
	),
	getnowblock: read(schemas.optionalBody, (view, { visible }, tronWeb) =>
		buildIfThere(view, view.end, visible, tronWeb),
	),
	getblockbynum: read<{ num: number }>(schemas.blockNumberBody, (view, { num, visible }, tronWeb) =>
		buildIfThere(view, num, visible, tronWeb),
	),
	getblockbyid: read<{ value: string }>(
		schemas.blockHashBody,
		(view, { value, visible }, tronWeb) =>
			buildIfThere(view, findNumber(view, value), visible, tronWeb),
	),
	getblockbylimitnext: read<{ startNum: number; endNum: number }>(
		schemas.blockRangeBody,
		(view, { startNum, endNum, visible }, tronWeb) => {
			const count = Math.min(endNum, view.end + 1) - startNum;
			const isTooMuch = endNum - startNum > MAX_LISTED_BLOCKS;
			if (!view.wallet.settings.listsBlocks || isTooMuch || count <= 0) return {};
			const numbers = Array.from({ length: count }, (_, index) => startNum + index);
			return { block: numbers.map((number) => buildIfThere(view, number, visible, tronWeb)) };
		},
	),
	gettransactioninfobyblocknum: read<{ num: number }>(
		schemas.blockNumberBody,
		(view, { num, visible }, tronWeb) =>
			hasBlock(view, num)
				? findIncluded(view, num).map((one) => formatInfo(one, view.wallet, visible, tronWeb))
				: [],
	),
	getblock: read<{ detail?: boolean; id_or_num?: string }>(
		schemas.blockBody,
		(view, { detail = false, id_or_num: wanted, visible }, tronWeb) => {
			const number = wanted === undefined ? view.end : findNumber(view, wanted);
			const { transactions, ...head } = buildIfThere(view, number, visible, tronWeb) as {
				transactions?: object[];
			};
			return detail && transactions ? { ...head, transactions } : head;
		},
	),
};

/** The methods about transactions that are in no block yet. Only the view of the latest block serves them. */
export const PENDING_READS: Readonly<Record<string, ChainRead>> = {
	gettransactionfrompending: read<{ value: string }>(
		schemas.transactionBody,
		({ wallet, end }, { value }) => {
			const found = findBroadcast({ wallet, end }, value);
			return found && isPending(found, wallet) ? found.transaction : {};
		},
	),
	gettransactionlistfrompending: read(schemas.optionalBody, ({ wallet }) => ({
		txId: wallet.broadcast.filter((one) => isPending(one, wallet)).map(({ txid }) => txid),
	})),
};

const findBroadcast = ({ wallet }: ChainView, txid: string) =>
	wallet.broadcast.find((one) => one.txid === txid.toLowerCase());

const isPending = ({ block }: Broadcast, { clock }: Wallet) => block > getHeadNumber(clock);

const hasBlock = ({ wallet, end }: ChainView, number: number) =>
	number >= 0 && number <= end && getBlockTimestamp(wallet.clock, number) >= 0;

const buildIfThere = (view: ChainView, number: number, visible: boolean, tronWeb: TronWeb) =>
	hasBlock(view, number) ? buildBlockAt(view, number, visible, tronWeb) : {};

const HASH_CHARS = 64;
const NUMBER_CHARS = 16;

/**
 * Finds the number of a block that is named by its number or its hash. A hash begins with the number; -1 means neither.
 */
function findNumber({ wallet }: ChainView, wanted: string): number {
	const isHash = wanted.length === HASH_CHARS;
	const number = isHash ? parseInt(wanted.slice(0, NUMBER_CHARS), 16) : Number(wanted);
	const isOther = isHash && buildBlockId(wallet.clock, number) !== wanted.toLowerCase();
	return Number.isSafeInteger(number) && !isOther ? number : -1;
}

const findIncluded = ({ wallet }: ChainView, number: number) =>
	wallet.broadcast.filter((one) => one.block === number);

function buildBlockAt(view: ChainView, number: number, visible: boolean, tronWeb: TronWeb) {
	const { clock, witnesses } = view.wallet;
	const own = findIncluded(view, number).map((one) => formatTransaction(one, visible, tronWeb));
	const producer = witnesses[number % 27]?.address ?? '';
	const shown = visible ? tronWeb.utils.address.fromHex(producer) : producer;
	return buildBlock(clock, number, shown, own);
}
