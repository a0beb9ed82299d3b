import type { Field } from '../core/operation/field';
import { rest } from '../core/protocols/rest';
import { parseField } from '../core/values/parse';
import { SUN_DECIMALS, formatUnits } from '../core/values/units';
import { readAccount, readResources } from '../core/witness/accounts';
import { witnessAddressParser } from '../core/witness/address';
import { options, visible } from './fields';

const address = {
	displayName: 'Address',
	name: 'address',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. THPvaUhoh2Qn2y9THCZML3H815hhFhn5YC',
	description: 'The account to look at',
} as const satisfies Field;

const get = rest({
	name: 'Get',
	action: 'Get an account, its balance and votes',
	description:
		'Get the balance of an account, what it has frozen, its votes, and what is left of votes, energy and bandwidth',
	fields: [address, visible, options],
	async *run(p, context) {
		const written = parseField('Address', p.address, witnessAddressParser(p.visible));
		const wanted = { address: written, visible: p.visible };
		const [{ exists, ...found }, left] = await Promise.all([
			readAccount(context, wanted),
			readResources(context, wanted),
		]);
		yield {
			address: written,
			balance: formatCoins(found.balance),
			frozenForEnergy: formatCoins(found.frozenForEnergy),
			frozenForBandwidth: formatCoins(found.frozenForBandwidth),
			votes: found.votes.map(({ voteAddress, voteCount }) => ({
				voteAddress,
				voteCount: Number(voteCount),
			})),
			votesLeft: Number(left.votes),
			energyLeft: Number(left.energy),
			bandwidthLeft: Number(left.freeBandwidth + left.frozenBandwidth),
			exists,
		};
	},
});

export const account = { name: 'Account', operations: { get } };

function formatCoins(sun: bigint): string {
	return formatUnits(sun, SUN_DECIMALS);
}
