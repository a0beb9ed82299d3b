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
 * Prices from the configuration of the main network, with the numbers of its parameters. They are fixed here, because a node could lie. A
 * test compares them with the configuration.
 */
interface ForwardPrices {
	readonly lump: bigint;
	/** In 65536ths of a nanocoin, like the next constant. */
	readonly bit: bigint;
	readonly cell: bigint;
}

/** Parameter 25 of the chain's configuration: the prices of each message, except from or to the masterchain. */
export const BASE_PRICES: ForwardPrices = {
	lump: 400_000n,
	bit: 26_214_400n,
	cell: 2_621_440_000n,
};
/** Parameter 24 of the chain's configuration: the prices of each message from or to the masterchain. */
export const MASTER_PRICES: ForwardPrices = {
	lump: 10_000_000n,
	bit: 655_360_000n,
	cell: 65_536_000_000n,
};
/** Parameter 21 of the chain's configuration: the price of gas, in 65536ths of a nanocoin. */
export const GAS_PRICE = 26_214_400n;
/** Parameter 18 of the chain's configuration: the rent for each second, in 65536ths of a nanocoin. */
export const STORAGE_PRICES = { bit: 1n, cell: 500n } as const;

/** The assumed time since the wallet's last transaction. A transfer pays the wallet's rent for this time. */
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
 * Computes the highest fee of a transfer from a wallet in workchain 0, in nanocoins, without the amounts it sends. It adds up the import of
 * the message, gas, forwarding and 30 days of rent. The price of forwarding is higher than the penalty for a message that fails.
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

/** The gas that a v4r2 wallet uses for a transfer signed for a v3r2 wallet. It accepts the signature once but sends nothing. */
const CROSSING_GAS = 3_600n;

/** Computes the charge of a wallet that sends nothing. */
function computeTaking(type: WalletType, body: Size, gas: bigint): bigint {
	const state = measureCells(buildWalletState(createWallet(type)));
	return computeImport(body, state) + roundUp(gas * GAS_PRICE) + computeRent(state);
}

/** Creates a wallet with an empty key. All wallets of a type have the same size. */
function createWallet(type: WalletType) {
	const walletId = getUsualWalletId(type, 0, false);
	return { type, workchain: 0, walletId, publicKey: new Uint8Array(PUBLIC_KEY_BYTES) };
}

const PUBLIC_KEY_BYTES = 32;
const SIGNATURE_BITS = 512n;

/** Computes the fee for the import of a message. Its sender can add a cell and the state of the wallet, so both are counted. */
function computeImport(body: Size, state: Size): bigint {
	const bits = body.bits + SIGNATURE_BITS + state.bits;
	return computeForwarding(BASE_PRICES, { bits, cells: body.cells + state.cells });
}

/** The cell above the state, with the account's address, balance and sizes. */
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

/** Measures the cells of a message that are paid for. The first cell is free. */
function measureForwarded(message: InternalMessage): Size {
	const root = buildInternalMessage(message);
	const { bits, cells } = measureCells(root);
	const moved = countMoved(message, root);
	return {
		bits: bits - BigInt(root.bits - moved.bits),
		cells: cells - 1n + BigInt(moved.cells),
	};
}

/** How many bits the chain can add to the first cell: for the sender, the fee and, if all coins are sent, another amount. */
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
