import { closedObject } from '../../http/schemas.mts';
import { createTonChain } from './chainState.mts';

const text = { type: 'string' };
const wholeNumber = { type: 'integer', minimum: 0 };
const coins = {
	type: 'string',
	pattern: '^[0-9]+(\\.[0-9]{1,9})?$',
	description: 'coins as a decimal number in text',
};
const whole = { type: 'string', pattern: '^[0-9]+$', description: 'a whole number in text' };
const texts = { type: 'object', additionalProperties: text };
const facts = { type: 'object', additionalProperties: { type: ['string', 'number'] } };

const { settings } = createTonChain();
const lag = {
	...closedObject({
		transactions: { ...wholeNumber, default: 0 },
		seconds: { ...wholeNumber, default: 0 },
		share: { type: 'number', minimum: 0, maximum: 1, default: 1 },
	}),
	default: {},
};

export const chain = closedObject({
	index: lag,
	accounts: lag,
	seed: { ...wholeNumber, default: settings.seed },
	hold: { type: 'boolean', default: settings.hold },
});

const payment = {
	to: text,
	amount: text,
	comment: text,
	body: text,
	bounce: { type: 'boolean', default: false },
	jetton: text,
	forwardAmount: { ...coins, default: '0.000000001' },
};

export const pay = closedObject(payment, ['to', 'amount']);
export const arrivals = closedObject({ ...payment, times: wholeNumber }, ['to', 'amount', 'times']);
export const mint = closedObject({ ...payment, amount: whole }, ['to', 'amount']);
export const jetton = closedObject({ content: texts, fetched: facts }, ['content']);
export const nft = closedObject({ owner: text, content: text }, ['owner', 'content']);
export const name = closedObject(
	{ domain: text, owner: text, wallet: { type: ['string', 'null'], default: null } },
	['domain', 'owner'],
);
export const time = closedObject({ seconds: wholeNumber }, ['seconds']);
export const step = closedObject({ messages: wholeNumber }, ['messages']);
export const failing = closedObject(
	{ address: text, exitCode: { type: 'integer', minimum: 2, maximum: 2047 } },
	['address', 'exitCode'],
);
