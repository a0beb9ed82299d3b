import type { Field, Params } from '../core/operation/field';
import type { Read } from '../core/values/read';
import { authentication, simplify } from '../core/operation/sharedFields';
import { rpcOptions } from '../core/protocols/transportOptions';
import { unfit } from '../core/values/read';
import { apiPath, wholeNumber } from '../core/values/basic';
import { evmAddress } from '../core/values/hex';
import { listOf } from '../core/values/json';

const event = {
	displayName: 'Event',
	name: 'event',
	type: 'options',
	noDataExpression: true,
	default: 'newBlock',
	options: [
		{
			name: 'Address Activity',
			value: 'addressActivity',
			description: 'Calls and transfers from or to addresses, those inside transactions too',
		},
		{ name: 'New Block', value: 'newBlock', description: 'Every block that the chain adds' },
	],
} as const satisfies Field;

const ofAddresses = { event: ['addressActivity'] } as const;

const someAddresses: Read<string[]> = (given) => {
	const addresses = listOf(evmAddress)(given);
	return addresses.length > 0 ? addresses : unfit('at least one address');
};

const addresses = {
	displayName: 'Addresses',
	name: 'addresses',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description: 'The accounts and contracts to watch: comma-separated, or an array',
	show: ofAddresses,
	read: someAddresses,
} as const satisfies Field;

const direction = {
	displayName: 'Direction',
	name: 'direction',
	type: 'options',
	default: 'any',
	description: 'Whether the addresses have to send or to receive',
	options: [
		{ name: 'Any', value: 'any' },
		{ name: 'From the Addresses', value: 'from' },
		{ name: 'To the Addresses', value: 'to' },
	],
	show: ofAddresses,
} as const satisfies Field;

const confirmations = {
	displayName: 'Confirmations',
	name: 'confirmations',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 0,
	description:
		'How many blocks must follow a block before it counts. 0 is the fastest; a few spare you most reorganizations of the chain, and nodes that lag behind one another.',
	read: wholeNumber(0),
} as const satisfies Field;

const maxBlocksPerPoll = {
	displayName: 'Max Blocks Per Poll',
	name: 'maxBlocksPerPoll',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 1000,
	description:
		'How many blocks a poll reads at most, not counting those before the first find. The next poll goes on from there.',
	read: wholeNumber(1),
} as const satisfies Field;

const path = {
	displayName: 'Path',
	name: 'path',
	type: 'string',
	default: '/',
	placeholder: 'e.g. /evm',
	description:
		'Where the whole API lives below the address of the node. / stands for the address itself. Without this option, blocks are read at /evm and traces at the address itself.',
	read: apiPath,
} as const satisfies Field;

export const fields = [
	authentication,
	event,
	addresses,
	direction,
	simplify,
	rpcOptions(confirmations, maxBlocksPerPoll, path),
] as const satisfies readonly Field[];

export interface Wanted extends Omit<Params<typeof fields>, 'options'> {
	readonly confirmations: number;
	readonly maxBlocksPerPoll: number;
	readonly blockPath: string;
	readonly tracePath: string;
}

/** What the user set, and the usual for the rest. Both paths are the documented ones. */
export function wanted({ options, ...others }: Params<typeof fields>): Wanted {
	return {
		...others,
		confirmations: options.confirmations ?? confirmations.default,
		maxBlocksPerPoll: options.maxBlocksPerPoll ?? maxBlocksPerPoll.default,
		blockPath: options.path ?? '/evm',
		tracePath: options.path ?? '/',
	};
}
