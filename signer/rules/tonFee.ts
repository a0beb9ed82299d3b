import {
	buildInternalMessage,
	buildUnsignedBody,
	buildWalletState,
	getUsualWalletId,
	measureCells,
	type Cell,
	type InternalMessage,
	type TonTransfer,
	type WalletType,
} from '../../nodes/core';

/**
 * The prices are those of the main network's configuration, whose parameters are named. They are no node's word, because a
 * node could lie. A test compares them with the configuration.
 */
interface ForwardPrices {
	readonly lump: bigint;
	/** In 65536ths of a nanocoin, like the next constant. */
	readonly bit: bigint;
	readonly cell: bigint;
}

/** Parameter 25. */
export const BASE_PRICES: ForwardPrices = {
	lump: 400_000n,
	bit: 26_214_400n,
	cell: 2_621_440_000n,
};
/** Parameter 24: for every message from or to the masterchain. */
export const MASTER_PRICES: ForwardPrices = {
	lump: 10_000_000n,
	bit: 655_360_000n,
	cell: 65_536_000_000n,
};
/** Parameter 21, in 65536ths of a nanocoin. */
export const GAS_PRICE = 26_214_400n;
/** Parameter 18: for each second, in 65536ths of a nanocoin. */
export const STORAGE_PRICES = { bit: 1n, cell: 500n } as const;

/** With a transfer, the chain also takes the rent since the wallet's last transaction. */
export const RENT_SECONDS = 30n * 86_400n;

/** The gas that a wallet takes for itself and for each message, whatever they contain. */
const GAS: Readonly<Record<WalletType, { readonly own: bigint; readonly message: bigint }>> = {
	v3r2: { own: 2_352n, message: 642n },
	v4r2: { own: 2_666n, message: 642n },
	v5r1: { own: 4_222n, message: 717n },
};

interface Size {
	readonly bits: bigint;
	readonly cells: bigint;
}

type Sent = Omit<TonTransfer, 'from' | 'walletType' | 'walletId'>;

/**
 * Computes the most that the chain can charge a wallet in workchain 0 for a transfer, in nanocoins, beside the amounts that it
 * sends: the import of the message, the gas, the forwarding of each message (which is more than the fine for one that
 * fails), and the rent of 30 days.
 */
export function computeHighestTonFee(type: WalletType, transfer: Sent): bigint {
	const walletId = getUsualWalletId(type, 0, false);
	const body = measureCells(buildUnsignedBody({ type, walletId }, transfer));
	const { messages } = transfer;
	const { own, message } = GAS[type];
	const gas = own + message * BigInt(messages.length);
	const carriedOut = computeTaking(type, body, gas) + sumForwarding(messages);
	const across = type === 'v3r2' ? computeTaking('v4r2', body, CROSSING_GAS) : 0n;
	return carriedOut > across ? carriedOut : across;
}

/**
 * A v4r2 also accepts the signature of a v3r2 once, and sends nothing: it reads the send mode as an order that it does not
 * know.
 */
const CROSSING_GAS = 3_600n;

/** Computes the charge of a wallet that sends nothing. */
function computeTaking(type: WalletType, body: Size, gas: bigint): bigint {
	const state = measureCells(buildWalletState(createWallet(type)));
	return computeImport(body, state) + roundUp(gas * GAS_PRICE) + computeRent(state);
}

/** Its size is that of any wallet of this type. */
function createWallet(type: WalletType) {
	const walletId = getUsualWalletId(type, 0, false);
	return { type, workchain: 0, walletId, publicKey: new Uint8Array(PUBLIC_KEY_BYTES) };
}

const PUBLIC_KEY_BYTES = 32;
const SIGNATURE_BITS = 512n;

/**
 * A signature can be wrapped anew: with the body in a cell of its own, and with the state of the wallet, which the wallet
 * pays for though it has it already. The chain refuses any other state.
 */
function computeImport(body: Size, state: Size): bigint {
	const bits = body.bits + SIGNATURE_BITS + state.bits;
	return computeForwarding(BASE_PRICES, { bits, cells: body.cells + state.cells });
}

/** The root of the account, with its address, its balance and its sizes, is above the state. */
const ACCOUNT_ROOT: Size = { bits: 1023n, cells: 1n };

function computeRent(state: Size): bigint {
	const bits = state.bits + ACCOUNT_ROOT.bits;
	const cells = state.cells + ACCOUNT_ROOT.cells;
	return roundUp((bits * STORAGE_PRICES.bit + cells * STORAGE_PRICES.cell) * RENT_SECONDS);
}

function sumForwarding(messages: readonly InternalMessage[]): bigint {
	return messages.reduce((sum, message) => {
		const prices = message.to.workchain === BASECHAIN ? BASE_PRICES : MASTER_PRICES;
		return sum + computeForwarding(prices, measureForwarded(message));
	}, 0n);
}

const BASECHAIN = 0;
const MAX_CELL_BITS = 1023;

/** The first cell of a message is free. */
function measureForwarded(message: InternalMessage): Size {
	const root = buildInternalMessage(message);
	const { bits, cells } = measureCells(root);
	const moved = countMoved(message, root);
	return {
		bits: bits - BigInt(root.bits - moved.bits),
		cells: cells - 1n + BigInt(moved.cells),
	};
}

/**
 * The chain writes the sender, the fee and, where all coins go, another amount into the first cell: this many more
 * bits.
 */
const GROWING_BITS = 265 + 48 + 120;

/** The chain moves parts that no longer fit into the first cell into cells of their own. */
function countMoved({ body, stateInit }: InternalMessage, root: Cell) {
	if (root.bits + GROWING_BITS <= MAX_CELL_BITS) return { bits: 0, cells: 0 };
	return { bits: (body?.bits ?? 0) + (stateInit?.bits ?? 0), cells: 2 };
}

function computeForwarding({ lump, bit, cell }: ForwardPrices, { bits, cells }: Size): bigint {
	return lump + roundUp(bits * bit + cells * cell);
}

const FRACTION_BITS = 16n;

function roundUp(fractions: bigint): bigint {
	return (fractions + (1n << FRACTION_BITS) - 1n) >> FRACTION_BITS;
}
