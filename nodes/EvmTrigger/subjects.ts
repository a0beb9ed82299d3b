import { listOfObjects, type ChainObject } from '../core/evm/chainObject';
import type { ChainEvent, Emission } from '../core/evm/follow/cursor';
import { simpleHeader } from '../core/evm/simpleBlock';
import { simpleLog } from '../core/evm/simpleLog';
import { headerAt, headersBetween, heightOf, hex, type Ask, type Header } from '../core/evm/header';
import type { Subject } from './followBlocks';

/** What a block has beyond its header; an announcement does not bring it. */
const BODY = ['size', 'totalDifficulty', 'transactions', 'uncles', 'withdrawals'];

/** Every block, by its header. */
export function blocks(ask: Ask): Subject {
	return {
		isTakenBack: false,
		blockRef: async (number) => await headerAt(ask, number),
		events: async (from, to) => (await headersBetween(ask, from, to)).map(asEvent),
		eventsIn: async (header) => [asEvent(header)],
	};
}

function asEvent(header: Header): ChainEvent {
	const saved = Object.entries(header.json).filter(([key]) => !BODY.includes(key));
	return { block: header, json: Object.fromEntries(saved) };
}

interface LogFilter {
	readonly addresses: readonly string[];
	readonly topics: readonly unknown[];
}

/** The logs that a filter lets through. Asked for by block: a subscription would lose those of a cut. */
export function logs({ addresses, topics }: LogFilter): (ask: Ask) => Subject {
	const wanted = {
		...(addresses.length > 0 && { address: addresses }),
		...(topics.length > 0 && { topics }),
	};
	return (ask) => {
		const get = async (where: object) =>
			asEvents(await ask('eth_getLogs', [{ ...where, ...wanted }]));
		const between = async (from: number, to: number) =>
			(await get({ fromBlock: hex(from), toBlock: hex(to) })).filter(
				({ block: { number } }) => number >= from && number <= to,
			);
		return {
			isTakenBack: true,
			blockRef: async (number) => await headerAt(ask, number),
			events: between,
			eventsIn: async ({ hash }) => await get({ blockHash: hash }),
		};
	};
}

function asEvents(result: unknown): ChainEvent[] {
	const found = listOfObjects('a list of logs')(result).filter(({ removed }) => removed !== true);
	const events = found.map((json) => ({
		block: { number: heightOf(json.blockNumber), hash: String(json.blockHash).toLowerCase() },
		index: heightOf(json.logIndex),
		json,
	}));
	// Some nodes name a log twice. Its index alone does not tell: on some chains it counts within a transaction.
	const once = new Map(events.map((one) => [JSON.stringify(one.json), one]));
	return [...once.values()].sort((a, b) => a.block.number - b.block.number || a.index - b.index);
}

/** As the user sees it. */
export function blockItem({ json, fate }: Emission, isSimple: boolean): ChainObject {
	return { ...(isSimple ? simpleHeader(json) : json), reorganized: fate === 'replacing' };
}

export function logItem({ json, fate }: Emission, isSimple: boolean): ChainObject {
	return { ...(isSimple ? simpleLog(json) : json), removed: fate === 'removed' };
}
