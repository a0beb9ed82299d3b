import { createHash } from 'node:crypto';
import type { Cell, Fault } from '../../faults/fault.mts';
import { answers } from '../../faults/faults/answers.mts';
import { replies } from '../../faults/faults/batches.mts';
import { connections } from '../../faults/faults/connections.mts';
import { limits } from '../../faults/faults/limits.mts';
import { failures, refusals } from '../../faults/faults/statuses.mts';
import { itemsIn, markOf } from '../../faults/mark.mts';
import { cellOf, type Service } from '../../faults/service.mts';
import { startServer, type TestServer } from '../../harness/server.mts';

/** A service in a process of its own. Some items meet a fault, and the seed decides which items and which faults. */

export interface Soak extends Service {
	readonly name: string;
	readonly seed: number;
	readonly items: number;
}

export interface Report {
	readonly requests: number;
	/** How often a fault happened. */
	readonly faults: number;
	/** The number of times that each item was carried out. */
	readonly carriedOut: readonly number[];
	/** The number of requests that are still open. */
	readonly open: number;
}

/**
 * One of 50 items meets a fault, or one of 500 items in batches. With two faults in most batches of a hundred, the
 * server would look like a server that accepts no batches.
 */
const ONE_OF = 50;
const ONE_OF_BATCHED = 500;

const all = [...refusals, ...failures, ...limits, ...connections, ...answers, ...replies];

/** Returns a number from 0 to 1 that depends only on the seed and the purpose, and not on the order of calls. */
function random(...parts: ReadonlyArray<string | number>): number {
	const digest = createHash('sha256').update(parts.join(' ')).digest();
	return digest.readUInt32BE() / 2 ** 32;
}

let server: TestServer | undefined;
let report: () => Report;

async function begin({ name, seed, items, ...service }: Soak): Promise<string> {
	await server?.stop();
	const met = all.filter(
		({ only, isShared }) => !isShared && (only?.includes(service.travels) ?? true),
	);
	const carriedOut = Array<number>(items).fill(0);
	const left = new Map<number, number>();
	const oneOf = service.travels === 'batched' ? ONE_OF_BATCHED : ONE_OF;
	let faults = 0;
	let requests = 0;
	const faultOf = (item: number): Fault | undefined => {
		if (item < 0 || random(seed, name, item) * oneOf >= 1) return undefined;
		const fault = met[Math.floor(random(seed, name, item, 'fault') * met.length)];
		return fault && (left.get(item) ?? fault.times ?? 1) > 0 ? fault : undefined;
	};
	const happen = (item: number, fault: Fault, cell: Cell) => {
		faults++;
		if (fault.times) left.set(item, (left.get(item) ?? fault.times) - 1);
		fault.do(cell);
	};
	const started = await startServer((received, response) => {
		requests++;
		server?.received.splice(0);
		const inside = itemsIn(received);
		const carryOut = () =>
			inside.forEach((item) => (carriedOut[item] = (carriedOut[item] ?? 0) + 1));
		const [victim = -1] = inside.filter(faultOf);
		const fault = faultOf(victim);
		const cell = cellOf({ service, received, response, mark: markOf(victim), carryOut });
		if (fault) happen(victim, fault, cell);
		else cell.honest();
	});
	server = started;
	report = () => ({ requests, faults, carriedOut, open: started.open() });
	return started.url;
}

process.on('message', (asked: Soak | 'report') => {
	if (asked === 'report') process.send?.(report());
	else void begin(asked).then((url) => process.send?.(url));
});
