import type { Field } from '../core/operation/field';
import { limit, returnAll } from '../core/operation/sharedFields';
import { parseTonAccount } from '../core/ton/address';
import { addressFormatter } from '../core/ton/addressBook';
import { readJettonMovements } from '../core/ton/jettonHistory';
import { findJetton } from '../core/ton/jettons';
import { formatJettonTransfer } from '../core/ton/jettonTransfers';
import { rest } from '../core/transport/rest/rest';
import { listParser } from '../core/values/json';
import { fromTime, options, owner, toTime, toTimeRange } from './fields';

const jettons = {
	displayName: 'Jettons',
	name: 'jettons',
	type: 'string',
	default: '',
	placeholder: 'e.g. EQBVbC7Hu-g3htYXzst8L5ucV76NMzeBK3URJKebN2Y1k55Q',
	description:
		'Only transfers of these jettons: the addresses of their master contracts, comma-separated, or an array',
	hint: 'Empty for any jetton, false ones among them: whoever wants can name one like another',
	parse: listParser(parseTonAccount),
} as const satisfies Field;

const direction = {
	displayName: 'Direction',
	name: 'direction',
	type: 'options',
	default: 'any',
	description: 'Whether the owner received or sent',
	options: [
		{ name: 'Any', value: 'any' },
		{ name: 'In', value: 'in', description: 'What the owner received' },
		{ name: 'Out', value: 'out', description: 'What the owner sent' },
	],
} as const satisfies Field;

export const getTransfers = rest({
	name: 'Get Transfers',
	action: 'Find jetton transfers, such as payments',
	description:
		'Get what an account received and sent of jettons, the newest first: what its own jetton wallets took in and gave away, without what came back',
	fields: [owner, jettons, direction, fromTime, toTime, returnAll, limit, options],
	async *run(p, context) {
		const wanted = { owner: p.owner, masters: p.jettons, direction: p.direction };
		const range = toTimeRange(p, context);
		const found = readJettonMovements(context, { ...wanted, ...range });
		for await (const { master, movement, addressBook } of found) {
			const facts = (await findJetton(context, master)) ?? { master, symbol: null, decimals: null };
			yield formatJettonTransfer(
				movement,
				facts,
				addressFormatter(addressBook, p.owner.isTestOnly),
			);
		}
	},
});
