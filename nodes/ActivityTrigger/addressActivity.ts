import { headerAt, NodeLagging, type Header } from '../core/chain/blocks';
import { asDate, simpleTrace, type ChainObject } from '../core/chain/objects';
import {
	blockOf,
	isReverted,
	pathOf,
	readTransactionTraces,
	transactionOf,
	transactionsToCheck,
} from '../core/chain/traces';
import type { ChainEvent } from '../core/follow/position';
import { onChain } from '../core/follow/views';
import type { Field } from '../core/operation/field';
import { simplify } from '../core/operation/sharedFields';
import type { Caller } from '../core/rpc/chain';
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
	action: 'On activity of an address (wallet, deposit)',
	description: 'Calls and transfers from or to addresses, including those inside transactions',
	fields: [addresses, direction, simplify],
	choices: (p) => ['addressActivity', p.direction, p.addresses],
	samples: ({ maxBlocksPerPoll }) => maxBlocksPerPoll,
	sought: { none: 'No activity of these addresses in the last', check: 'the addresses' },
	view: (p, chain, { includeReverted }) => {
		const search = searchFor(p.addresses, p.direction, chain);
		const item = itemFor(p.simplify, includeReverted);
		return {
			emitsRemovals: true,
			blockRef: async (number) => await headerAt(chain.blocks, number),
			events: async (range, head) => {
				const traces = await search(range, head);
				const places = traces.map((trace) => ({ number: blockOf(trace), hash: hashOf(trace) }));
				const [blocks, reverted] = await Promise.all([
					onChain(chain.blocks, places),
					revertedAmong(traces, chain.traces),
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
	chain: Caller,
): Promise<ReadonlySet<ChainObject>> {
	const hashes = transactionsToCheck(traces);
	const all = await Promise.all(hashes.map(async (hash) => await outcomeOf(hash, chain)));
	const outcomes = new Map(all.map((one, index) => [hashes[index], one]));
	const missing = traces.find((trace) => {
		const outcome = outcomes.get(transactionOf(trace));
		return outcome && !outcome.paths.has(pathText(trace));
	});
	if (missing) throw new NodeLagging(blockOf(missing), 'with all its traces');
	const failures = (trace: ChainObject) => outcomes.get(transactionOf(trace))?.failures;
	return new Set(traces.filter((trace) => isReverted(trace, failures(trace))));
}

/** Of a transaction: where its traces stand, and which of them failed. */
async function outcomeOf(hash: string, chain: Caller) {
	const traces = await readTransactionTraces(chain, hash);
	return {
		paths: new Set(traces.map(pathText)),
		failures: traces.filter(({ error }) => Boolean(error)),
	};
}

function pathText(trace: ChainObject): string {
	return String(pathOf(trace));
}

/** Some nodes do not say in their traces which block it was. */
function hashOf({ blockHash }: ChainObject): string | undefined {
	return typeof blockHash === 'string' && blockHash !== '' ? blockHash.toLowerCase() : undefined;
}
