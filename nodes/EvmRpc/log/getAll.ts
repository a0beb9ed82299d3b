import { abiWith } from '../../core/evm/abi/abi';
import { eventTopics } from '../../core/evm/abi/filter';
import { decodeLog } from '../../core/evm/abi/log';
import { withTimes } from '../../core/evm/blockTimes';
import { listOfObjects, type ChainObject } from '../../core/evm/chainObject';
import { asParameter } from '../../core/evm/logs/logFilter';
import { topics as readTopics } from '../../core/evm/logs/topics';
import { endsOf, readRange } from '../../core/evm/ranges/readRange';
import { simpleLog } from '../../core/evm/simpleLog';
import { completed } from '../../core/operation/completing';
import type { Field, Params } from '../../core/operation/field';
import { limit, path, returnAll, simplify } from '../../core/operation/sharedFields';
import { rpc } from '../../core/protocols/rpc';
import { rpcOptions } from '../../core/protocols/transportOptions';
import { evmAddress } from '../../core/values/hex';
import { json, listOf } from '../../core/values/json';
import { isRecord } from '../../core/values/parseJson';
import { optional } from '../../core/values/quantity';
import { isBlank, unfit } from '../../core/values/read';
import { Refusal } from '../../../credentials/refusal';
import { fromBlock, toBlock } from '../fields';

const addresses = {
	displayName: 'Addresses',
	name: 'addresses',
	type: 'string',
	default: '',
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description:
		'Only logs of these contracts: comma-separated, or an array. Empty for the logs of all contracts.',
	read: listOf(evmAddress),
} as const satisfies Field;

const event = {
	displayName: 'Event',
	name: 'event',
	type: 'string',
	default: '',
	placeholder: 'e.g. Transfer(address indexed from, address indexed to, uint256 value)',
	description:
		'Only logs of this event, decoded: its declaration, or a JSON ABI with one or more events. Empty for the logs of all events.',
	read: optional(abiWith('event')),
} as const satisfies Field;

const where = {
	displayName: 'Where',
	name: 'where',
	type: 'json',
	default: '{}',
	placeholder: 'e.g. { "to": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" }',
	description:
		'Only logs whose indexed arguments have these values: a JSON object, by the names in Event. A list holds alternatives.',
	read: (given: unknown): Record<string, unknown> => {
		const conditions = isBlank(given) ? {} : json(given);
		return isRecord(conditions) ? conditions : unfit('a JSON object');
	},
} as const satisfies Field;

const topics = {
	displayName: 'Topics',
	name: 'topics',
	type: 'string',
	default: '',
	placeholder: 'e.g. 0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
	description:
		'In place of Event, a filter by topic position: comma-separated, or an array. Each is a hash, an address, the signature of an event, or empty for any; in an array also a list of alternatives.',
	read: readTopics,
} as const satisfies Field;

const fields = [
	...[addresses, event, where, topics, fromBlock, toBlock],
	...[returnAll, limit, simplify, path('/'), rpcOptions()],
] as const;
type Wanted = Params<typeof fields>;

const logs = listOfObjects('a list of logs');

export const getAll = rpc({
	name: 'Get Many',
	action: 'Get many logs',
	description: 'Get the logs (events) of contracts over any range of blocks, decoded',
	fields,
	begin: (p, run) => {
		const filter = asParameter({ addresses: p.addresses, topics: topicsOf(p) });
		const list = {
			requests: (from: string, to: string) => [
				{
					path: p.path,
					method: 'eth_getLogs',
					params: [{ ...filter, fromBlock: from, toBlock: to }],
				},
			],
			things: ([found]: readonly unknown[]) =>
				logs(found).filter(({ removed }) => removed !== true),
		};
		const found = readRange(list, endsOf(p), p.path, run);
		return p.simplify ? completed(found, withTimes(p.path, run, formOf(p))) : found;
	},
});

function topicsOf({ event: wanted, where: conditions, topics: places }: Wanted) {
	if (wanted && places.length > 0) {
		throw new Refusal("'Topics' must be empty where 'Event' is given: it says the same");
	}
	if (!wanted && Object.keys(conditions).length > 0) {
		throw new Refusal("'Where' needs an 'Event' that says what its arguments are");
	}
	return wanted ? eventTopics(wanted.events, conditions) : places;
}

function formOf({ event: wanted }: Wanted): (log: ChainObject) => ChainObject {
	return (log) => ({ ...simpleLog(log), ...(wanted && decodeLog(wanted.events, log)) });
}
