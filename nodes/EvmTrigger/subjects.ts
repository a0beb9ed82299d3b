import { listOfObjects, type ChainObject } from '../core/chain/evm';
import type { Happening, News } from '../core/chain/position';
import { simpleHeader } from '../core/chain/simpleBlock';
import { simpleLog } from '../core/chain/simpleLog';
import { headerAt, headersBetween, heightOf, hex, type Ask, type Header } from '../core/chain/view';
import type { Subject } from './followBlocks';

/** What a block has beyond its header; an announcement does not bring it. */
const BODY = ['size', 'totalDifficulty', 'transactions', 'uncles', 'withdrawals'];

/** Every block, by its header. */
export function blocks(ask: Ask): Subject {
	return {
		isTakenBack: false,
		place: async (number) => await headerAt(ask, number),
		happenings: async (from, to) => (await headersBetween(ask, from, to)).map(asHappening),
		happenedIn: async (header) => [asHappening(header)],
	};
}

function asHappening(header: Header): Happening {
	const kept = Object.entries(header.json).filter(([key]) => !BODY.includes(key));
	return { block: header, json: Object.fromEntries(kept) };
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
			asHappenings(await ask('eth_getLogs', [{ ...where, ...wanted }]));
		const between = async (from: number, to: number) =>
			(await get({ fromBlock: hex(from), toBlock: hex(to) })).filter(
				({ block: { number } }) => number >= from && number <= to,
			);
		return {
			isTakenBack: true,
			place: async (number) => await headerAt(ask, number),
			happenings: between,
			happenedIn: async ({ hash }) => await get({ blockHash: hash }),
		};
	};
}

function asHappenings(result: unknown): Happening[] {
	const found = listOfObjects('a list of logs')(result).filter(({ removed }) => removed !== true);
	const happened = found.map((json) => ({
		block: { number: heightOf(json.blockNumber), hash: String(json.blockHash).toLowerCase() },
		index: heightOf(json.logIndex),
		json,
	}));
	// Some nodes name a log twice. Its index alone does not tell: on some chains it counts within a transaction.
	const once = new Map(happened.map((one) => [JSON.stringify(one.json), one]));
	return [...once.values()].sort((a, b) => a.block.number - b.block.number || a.index - b.index);
}

/** As the user sees it. */
export function blockItem({ json, fate }: News, isSimple: boolean): ChainObject {
	return { ...(isSimple ? simpleHeader(json) : json), reorganized: fate === 'replacing' };
}

export function logItem({ json, fate }: News, isSimple: boolean): ChainObject {
	return { ...(isSimple ? simpleLog(json) : json), removed: fate === 'removed' };
}
