import { formatCoinBalance } from '../core/chain/payment';
import type { Field } from '../core/operation/field';
import { restOperation } from '../core/protocols/rest';
import { parseField } from '../core/values/parse';
import { SUN_DECIMALS, formatUnits } from '../core/values/units';
import { readAccount, readResources } from '../core/witness/accounts';
import { witnessAddressParser } from '../core/witness/address';
import { visible } from './fields';

const address = {
	displayName: 'Address',
	name: 'address',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. THPvaUhoh2Qn2y9THCZML3H815hhFhn5YC',
	description: 'The account to look at',
} as const satisfies Field;

const get = restOperation({
	name: 'Get',
	action: 'Get account, its balance and votes',
	description:
		'Get the balance of an account, its frozen coins, the votes that it gave, and the votes, energy and bandwidth that it has left',
	fields: [address, visible],
	async *run(p, context) {
		const wanted = parseWanted(p);
		const [{ exists, ...found }, left] = await Promise.all([
			readAccount(context, wanted),
			readResources(context, wanted),
		]);
		const coins = formatCoinBalance('witness', found.balance);
		yield {
			address: wanted.address,
			balance: formatCoins(found.balance),
			value: coins.value,
			amount: coins.amount,
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

const getBalance = restOperation({
	name: 'Get Balance',
	action: 'Get balance of account',
	description: 'Get the coins of an account, without its frozen coins',
	fields: [address, visible],
	async *run(p, context) {
		const wanted = parseWanted(p);
		const { balance } = await readAccount(context, wanted);
		yield {
			address: wanted.address,
			...formatCoinBalance('witness', balance),
			balance: formatCoins(balance),
		};
	},
});

export const account = { name: 'Account', operations: { get, getBalance } };

interface Wanted {
	readonly address: string;
	readonly visible: boolean;
}

function parseWanted({ address: given, visible: isBase58 }: Wanted): Wanted {
	const written = parseField('Address', given, witnessAddressParser(isBase58));
	return { address: written, visible: isBase58 };
}

function formatCoins(sun: bigint): string {
	return formatUnits(sun, SUN_DECIMALS);
}
