import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';
import { activationError, nodeError } from '../errors/nodeError';
import { InvalidInput } from '../errors/invalidInput';
import { RequestFailure, withAdvice, withoutSecrets } from '../errors/requestFailure';
import { getNodeCredentialType } from '../nodeCredentials';
import type { Client, Connect } from '../operation/client';
import { Stop } from '../transport/pacing/stop';
import { throwAgain } from '../values/parse';
import { copyItems } from './executions';

type Item = Readonly<Record<string, unknown>>;

interface Polling<Request> {
	readonly connect: Connect<Request, IPollFunctions>;
	/** Reads what is new since the last poll. */
	read(client: Client<Request>): Promise<readonly Item[]>;
	/** What the user can do about a failure. */
	advise(failure: RequestFailure): string | undefined;
}

/** One poll: what is new, or null: n8n starts no execution then. */
export async function runPoll<Request>(
	context: IPollFunctions,
	{ connect, read, advise }: Polling<Request>,
): Promise<INodeExecutionData[][] | null> {
	const stop = new Stop();
	try {
		const client = await connect(context, stop);
		const found = await read(client).catch(async (failure) => {
			if (!(failure instanceof RequestFailure)) return throwAgain(failure);
			throw withoutSecrets(withAdvice(failure, advise(failure)), client.redact);
		});
		return found.length > 0 ? copyItems(found) : null;
	} catch (failure) {
		const errorFor = context.getMode() === 'manual' ? nodeError : activationError;
		throw errorFor(context.getNode(), failure);
	} finally {
		// Cancels pending retries.
		stop.stop();
	}
}

const DEFAULT_BUDGET_MS = 60_000;
/** The rest of the time is for the range that is under way then. */
const READING_SHARE = 0.8;

/** When a poll that begins now must have read enough. Older versions of n8n set no limit. */
export function getPollDeadline(context: IPollFunctions): number {
	return Date.now() + (context.getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS) * READING_SHARE;
}

/** n8n does not say whether it can store an execution. That it finds the credential is the best sign of it. */
export async function checkDatabase(context: IPollFunctions): Promise<void> {
	await context.getCredentials(getNodeCredentialType(context));
}

/** A trigger's part of n8n's static data. */
interface Storage<Saved> {
	/** All that n8n stores for the node. */
	readonly data: unknown;
	/** Undefined for what is not of this kind, as before the first poll. */
	load(): Saved | undefined;
	save(saved: Saved): void;
}

/**
 * What n8n stores for the node from poll to poll. A poll may begin while the last one is still going: the first
 * to end replaces what it began from, and the other one gives up.
 */
export function createPollStorage<Saved>({ data, load, save }: Storage<Saved>) {
	const before = JSON.stringify(data);
	return {
		saved: load(),
		/** False, and nothing is changed, if another poll has come first. */
		replace: (next: Saved): boolean => {
			if (JSON.stringify(data) !== before) return false;
			save(next);
			return true;
		},
	};
}

/** The latest event is shown while a workflow is built. */
export interface Sample {
	/** How many blocks are searched for it; without this, as many as a poll may read. */
	readonly maxBlocks?: number;
	/** What there is none of, as a sentence without its end. */
	readonly none: string;
	/** What the user should check then. */
	readonly check: string;
}

export function throwNoSample({ none, check }: Sample, searchedBlocks: number): never {
	throw new InvalidInput(
		`${none} ${searchedBlocks} blocks`,
		`Check ${check}, or raise the option 'Max Blocks Per Poll' to search further back. Once the workflow is published, it starts for everything that happens from then on.`,
	);
}

/** For a trigger without an option that says how far back a sample is searched. */
export function throwNothingFound({ none, check }: Sample): never {
	throw new InvalidInput(
		none,
		`Check ${check}. Once the workflow is published, it starts for everything that happens from then on.`,
	);
}
