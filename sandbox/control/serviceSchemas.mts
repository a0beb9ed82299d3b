import { freshFaucet } from '../rooms/faucet/state.mts';
import { freshGrpc } from '../rooms/grpc/state.mts';
import { freshPins } from '../rooms/pins/store.mts';
import { freshSockets } from '../rooms/sockets/state.mts';
import { freshTon } from '../rooms/ton/settings.mts';
import { freshWallet } from '../rooms/wallet/state.mts';

const closed = (properties: object) => ({
	type: 'object',
	additionalProperties: false,
	properties,
});

const by = (value: object) => ({ type: 'object', additionalProperties: value, default: {} });

const coins = {
	type: 'string',
	pattern: '^[0-9]+(\\.[0-9]+)?$',
	description: 'a decimal number as text',
};
const wholeNumber = { type: 'integer', minimum: 0 };

const { maxBytes } = freshPins();
const { settings: faucetDefaults } = freshFaucet();
const { settings: walletDefaults } = freshWallet();
const { settings: socketDefaults } = freshSockets();
const { settings: grpcDefaults } = freshGrpc();

export const pins = closed({ maxBytes: { type: 'integer', minimum: 1, default: maxBytes } });

export const faucet = closed({
	balances: by(coins),
	balance: { ...coins, default: faucetDefaults.balance },
	history: by({ type: 'boolean' }),
	form: { enum: ['url', 'transaction'], default: faucetDefaults.form },
	cooldown: { type: 'number', minimum: 0, default: faucetDefaults.cooldown },
});

export const wallet = closed({
	frozen: by(wholeNumber),
	defaultFrozen: { ...wholeNumber, default: walletDefaults.defaultFrozen },
	balances: by(wholeNumber),
	defaultBalance: { ...wholeNumber, default: walletDefaults.defaultBalance },
	blockTime: { type: 'integer', minimum: 1, default: walletDefaults.blockTime },
	solidified: { type: 'boolean', default: walletDefaults.solidified },
});

export const ton = closed({
	destinationFees: { enum: ['object', 'array'], default: freshTon().destinationFees },
});

export const grpc = closed({
	reflection: {
		type: 'array',
		uniqueItems: true,
		items: { enum: ['v1', 'v1alpha'] },
		default: grpcDefaults.reflection,
	},
	silent: { type: 'boolean', default: grpcDefaults.silent },
	refuse: { type: ['integer', 'null'], minimum: 1, maximum: 16, default: grpcDefaults.refuse },
});

export const sockets = closed({
	refuse: { enum: [401, 403, 429, 503, 'reset', 'hang', null], default: socketDefaults.refuse },
	silent: { type: 'boolean', default: socketDefaults.silent },
	delay: { type: 'number', minimum: 0, default: socketDefaults.delay },
	path: { type: 'string', pattern: '^(/[\\w.~-]+)+$', default: socketDefaults.path },
	duplicate: { type: 'boolean', default: socketDefaults.duplicate },
	shuffle: { type: 'boolean', default: socketDefaults.shuffle },
	mute: { type: 'boolean', default: socketDefaults.mute },
});

export const socketDrop = { ...closed({ how: { enum: ['reset', 'close'] } }), required: ['how'] };
