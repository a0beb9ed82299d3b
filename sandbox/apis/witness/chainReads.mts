import type { FastifyInstance } from 'fastify';
import { noQuery } from '../../http/schemas.mts';
import { loadTronWeb, type TronWeb } from './accounts.mts';
import {
	buildBlock,
	buildBlockId,
	type Clock,
	getBlockTimestamp,
	getHeadNumber,
	getSolidNumber,
} from './blocks.mts';
import type { Visible } from './context.mts';
import { formatInfo, formatTransaction } from './formats.mts';
import { addRead } from './readRoute.mts';
import * as schemas from './schemas.mts';
import type { Broadcast, WalletState } from './state.mts';

/** Each view of the chain, and the newest block that it has. */
const VIEWS: ReadonlyArray<[path: string, getNumber: (clock: Clock) => number]> = [
	['/wallet', getHeadNumber],
	['/walletsolidity', getSolidNumber],
];

export function addTransactionRoutes(app: FastifyInstance, state: WalletState): void {
	const findBroadcast = (txid: string) =>
		state.wallet.broadcast.find((one) => one.txid === txid.toLowerCase());
	type Answer = (found: Broadcast, visible: boolean, tronWeb: TronWeb) => object;
	const add = (path: string, find: (txid: string) => Broadcast | undefined, answer: Answer) =>
		addRead<{ value: string } & Visible>(
			app,
			state,
			path,
			schemas.transactionBody,
			async ({ value, visible = false }) => {
				const found = find(value);
				return found ? answer(found, visible, await loadTronWeb()) : {};
			},
		);
	for (const [view, getNumber] of VIEWS) {
		const find = (txid: string) => {
			const found = findBroadcast(txid);
			return found && found.block <= getNumber(state.wallet.clock) ? found : undefined;
		};
		add(`${view}/gettransactionbyid`, find, formatTransaction);
		add(`${view}/gettransactioninfobyid`, find, (found, visible, tronWeb) =>
			formatInfo(found, state.wallet, visible, tronWeb),
		);
	}
	const findPending = (txid: string) => {
		const found = findBroadcast(txid);
		return found && found.block > getHeadNumber(state.wallet.clock) ? found : undefined;
	};
	add('/wallet/gettransactionfrompending', findPending, ({ transaction }) => transaction);
	addRead(app, state, '/wallet/gettransactionlistfrompending', schemas.optionalBody, () => ({
		txId: state.wallet.broadcast.map(({ txid }) => txid).filter(findPending),
	}));
}

/** `getblockbylimitnext` gives no more, and nothing for more. */
const MAX_LISTED_BLOCKS = 100;

export function addBlockRoutes(app: FastifyInstance, state: WalletState): void {
	for (const [view, getNumber] of VIEWS) addBlockRoutesOf(app, state, view, getNumber);
	app.get('/wallet/getnowblock', { schema: { querystring: noQuery } }, async () =>
		buildBlockAt(state, getHeadNumber(state.wallet.clock), false, await loadTronWeb()),
	);
}

function addBlockRoutesOf(
	app: FastifyInstance,
	state: WalletState,
	view: string,
	getNumber: (clock: Clock) => number,
): void {
	const getEnd = () => getNumber(state.wallet.clock);
	const hasBlock = (number: number) =>
		number >= 0 && number <= getEnd() && getBlockTimestamp(state.wallet.clock, number) >= 0;
	const add = <Body,>(
		method: string,
		body: object,
		answer: (body: Body & { visible: boolean }, tronWeb: TronWeb) => unknown,
	) =>
		addRead<Body & Visible>(app, state, `${view}/${method}`, body, async (given) =>
			answer({ ...given, visible: given.visible ?? false }, await loadTronWeb()),
		);
	const buildIfThere = (number: number, visible: boolean, tronWeb: TronWeb) =>
		hasBlock(number) ? buildBlockAt(state, number, visible, tronWeb) : {};

	add('getnowblock', schemas.optionalBody, ({ visible }, tronWeb) =>
		buildBlockAt(state, getEnd(), visible, tronWeb),
	);
	add<{ num: number }>('getblockbynum', schemas.blockNumberBody, ({ num, visible }, tronWeb) =>
		buildIfThere(num, visible, tronWeb),
	);
	add<{ value: string }>('getblockbyid', schemas.blockHashBody, ({ value, visible }, tronWeb) =>
		buildIfThere(findNumber(state, value), visible, tronWeb),
	);
	add<{ startNum: number; endNum: number }>(
		'getblockbylimitnext',
		schemas.blockRangeBody,
		({ startNum, endNum, visible }, tronWeb) => {
			const count = Math.min(endNum, getEnd() + 1) - startNum;
			const isTooMuch = endNum - startNum > MAX_LISTED_BLOCKS;
			if (!state.wallet.settings.listsBlocks || isTooMuch || count <= 0) return {};
			const numbers = Array.from({ length: count }, (_, index) => startNum + index);
			return { block: numbers.map((number) => buildIfThere(number, visible, tronWeb)) };
		},
	);
	add<{ num: number }>(
		'gettransactioninfobyblocknum',
		schemas.blockNumberBody,
		({ num, visible }, tronWeb) =>
			hasBlock(num)
				? findIncluded(state, num).map((one) => formatInfo(one, state.wallet, visible, tronWeb))
				: [],
	);
	add<{ detail?: boolean; id_or_num?: string }>(
		'getblock',
		schemas.blockBody,
		({ detail = false, id_or_num: wanted, visible }, tronWeb) => {
			const number = wanted === undefined ? getEnd() : findNumber(state, wanted);
			const { transactions, ...head } = buildIfThere(number, visible, tronWeb) as {
				transactions?: object[];
			};
			return detail && transactions ? { ...head, transactions } : head;
		},
	);
}

const HASH_CHARS = 64;
const NUMBER_CHARS = 16;

/** A block is named by its hash, which begins with its number, or by the number; -1 for neither. */
function findNumber({ wallet }: WalletState, wanted: string): number {
	const isHash = wanted.length === HASH_CHARS;
	const number = isHash ? parseInt(wanted.slice(0, NUMBER_CHARS), 16) : Number(wanted);
	const isOther = isHash && buildBlockId(wallet.clock, number) !== wanted.toLowerCase();
	return Number.isSafeInteger(number) && !isOther ? number : -1;
}

const findIncluded = ({ wallet }: WalletState, number: number) =>
	wallet.broadcast.filter((one) => one.block === number);

function buildBlockAt(state: WalletState, number: number, visible: boolean, tronWeb: TronWeb) {
	const { clock, witnesses } = state.wallet;
	const own = findIncluded(state, number).map((one) => formatTransaction(one, visible, tronWeb));
	const producer = witnesses[number % 27]?.address ?? '';
	const shown = visible ? tronWeb.utils.address.fromHex(producer) : producer;
	return buildBlock(clock, number, shown, own);
}
