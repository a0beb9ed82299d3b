import { createFaucetState } from '../rooms/faucet/state.mts';
import { createGrpcState } from '../rooms/grpc/state.mts';
import { createPinState } from '../rooms/pins/store.mts';
import { createSocketState } from '../rooms/sockets/state.mts';
import { createTonSettings } from '../rooms/ton/settings.mts';
import { createWalletState } from '../rooms/wallet/state.mts';

const closedObject = (properties: object) => ({
	type: 'object',
	additionalProperties: false,
	properties,
});

const mapOf = (value: object) => ({ type: 'object', additionalProperties: value, default: {} });

const coins = {
	type: 'string',
	pattern: '^[0-9]+(\\.[0-9]+)?$',
	description: 'a decimal number as text',
};
const wholeNumber = { type: 'integer', minimum: 0 };

const { maxBytes } = createPinState();
const { settings: faucetDefaults } = createFaucetState();
const { settings: walletDefaults } = createWalletState();
const { settings: socketDefaults } = createSocketState();
const { settings: grpcDefaults } = createGrpcState();

export const pins = closedObject({ maxBytes: { type: 'integer', minimum: 1, default: maxBytes } });

export const faucet = closedObject({
	balances: mapOf(coins),
	balance: { ...coins, default: faucetDefaults.balance },
	history: mapOf({ type: 'boolean' }),
	form: { enum: ['url', 'transaction'], default: faucetDefaults.form },
	cooldown: { type: 'number', minimum: 0, default: faucetDefaults.cooldown },
});

export const wallet = closedObject({
	frozen: mapOf(wholeNumber),
	defaultFrozen: { ...wholeNumber, default: walletDefaults.defaultFrozen },
	balances: mapOf(wholeNumber),
	defaultBalance: { ...wholeNumber, default: walletDefaults.defaultBalance },
	blockTime: { type: 'integer', minimum: 1, default: walletDefaults.blockTime },
	solidified: { type: 'boolean', default: walletDefaults.solidified },
});

export const ton = closedObject({
	destinationFees: { enum: ['object', 'array'], default: createTonSettings().destinationFees },
});

export const grpc = closedObject({
	reflection: {
		type: 'array',
		uniqueItems: true,
		items: { enum: ['v1', 'v1alpha'] },
		default: grpcDefaults.reflection,
	},
	silent: { type: 'boolean', default: grpcDefaults.silent },
	refuse: { type: ['integer', 'null'], minimum: 1, maximum: 16, default: grpcDefaults.refuse },
});

export const sockets = closedObject({
	refuse: { enum: [401, 403, 429, 503, 'reset', 'hang', null], default: socketDefaults.refuse },
	silent: { type: 'boolean', default: socketDefaults.silent },
	delay: { type: 'number', minimum: 0, default: socketDefaults.delay },
	path: { type: 'string', pattern: '^(/[\\w.~-]+)+$', default: socketDefaults.path },
	duplicate: { type: 'boolean', default: socketDefaults.duplicate },
	shuffle: { type: 'boolean', default: socketDefaults.shuffle },
	mute: { type: 'boolean', default: socketDefaults.mute },
});

export const socketDrop = {
	...closedObject({ how: { enum: ['reset', 'close'] } }),
	required: ['how'],
};
