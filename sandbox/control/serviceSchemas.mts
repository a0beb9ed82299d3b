import { freshFaucet } from '../rooms/faucet/state.mts';
import { freshPins } from '../rooms/pins/store.mts';
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
});

export const ton = closed({
	destinationFees: { enum: ['object', 'array'], default: freshTon().destinationFees },
});
