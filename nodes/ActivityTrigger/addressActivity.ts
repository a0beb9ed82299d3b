import { headerAt, NodeLagging, type Ask, type Header } from '../core/chain/blocks';
import { asDate, listOfObjects, simpleTrace, type ChainObject } from '../core/chain/objects';
import {
	blockOf,
	isReverted,
	pathOf,
	transactionOf,
	transactionsToCheck,
} from '../core/chain/traces';
import type { ChainEvent } from '../core/follow/position';
import { onChain } from '../core/follow/views';
import type { Field } from '../core/operation/field';
import { simplify } from '../core/operation/sharedFields';
import { evmAddress } from '../core/values/hex';
import { listOf } from '../core/values/json';
import { mustBe, type Read } from '../core/values/read';
import { pollEvent } from './pollEvent';
import { searchFor } from './traces';

const someAddresses: Read<string[]> = (given) => {
	const addresses = listOf(evmAddress)(given);
	return addresses.length > 0 ? addresses : mustBe('at least one address');
};

const addresses = {
	displayName: 'Addresses',
	name: 'addresses',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description: 'The accounts and contracts to watch: comma-separated, or an array',
	read: someAddresses,
} as const satisfies Field;

const direction = {
	displayName: 'Direction',
	name: 'direction',
	type: 'options',
	default: 'any',
	description: 'Which side of the transfer to match',
	options: [
		{ name: 'Any', value: 'any' },
		{ name: 'From the Addresses', value: 'from' },
		{ name: 'To the Addresses', value: 'to' },
	],
} as const satisfies Field;

export const addressActivity = pollEvent({
	name: 'Address Activity',
	description: 'Calls and transfers from or to addresses, including those inside transactions',
	fields: [addresses, direction, simplify],
	choices: (p) => ['addressActivity', p.direction, p.addresses],
	samples: ({ maxBlocksPerPoll }) => maxBlocksPerPoll,
	view: (p, asks, { includeReverted }) => {
		const search = searchFor(p.addresses, p.direction, asks);
		const item = itemFor(p.simplify, includeReverted);
		return {
			emitsRemovals: true,
			blockRef: async (number) => await headerAt(asks.blocks, number),
			events: async (range, head) => {
				const traces = await search(range, head);
				const places = traces.map((trace) => ({ number: blockOf(trace), hash: hashOf(trace) }));
				const [blocks, reverted] = await Promise.all([
					onChain(asks.blocks, places),
					revertedAmong(traces, asks.traces),
				]);
				return traces
					.filter((trace) => includeReverted || !reverted.has(trace))
					.map((trace): ChainEvent => {
						const block = blocks.get(blockOf(trace)) as Header;
						return { block, json: item(trace, block, reverted.has(trace)) };
					});
			},
		};
	},
});

function itemFor(isSimple: boolean, tellsReverted: boolean) {
	return (trace: ChainObject, { json }: Header, reverted: boolean): ChainObject => ({
		...(isSimple ? simpleTrace(trace) : trace),
		timestamp: asDate(json.timestamp),
		...(tellsReverted && { reverted }),
	});
}

/** What was undone: for a nested call, the calls above it show that, and only all traces of the transaction hold them. */
async function revertedAmong(
	traces: readonly ChainObject[],
	ask: Ask,
): Promise<ReadonlySet<ChainObject>> {
	const hashes = transactionsToCheck(traces);
	const all = await Promise.all(hashes.map(async (hash) => await tracesOf(hash, ask)));
	const transactions = new Map(all.map((one, index) => [hashes[index], one]));
	for (const trace of traces) {
		const transaction = transactions.get(transactionOf(trace));
		if (transaction && !transaction.paths.has(String(pathOf(trace)))) {
			throw new NodeLagging(blockOf(trace), 'with all its traces');
		}
	}
	const failures = (trace: ChainObject) => transactions.get(transactionOf(trace))?.failures;
	return new Set(traces.filter((trace) => isReverted(trace, failures(trace))));
}

async function tracesOf(hash: string, ask: Ask) {
	const answer = await ask('trace_transaction', [hash]);
	const traces = answer === null ? [] : listOfObjects('a list of traces')(answer);
	return {
		paths: new Set(traces.map((trace) => String(pathOf(trace)))),
		failures: traces.filter(({ error }) => Boolean(error)),
	};
}

/** Some nodes do not say in their traces which block it was. */
function hashOf({ blockHash }: ChainObject): string | undefined {
	return typeof blockHash === 'string' && blockHash !== '' ? blockHash.toLowerCase() : undefined;
}
