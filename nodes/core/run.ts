import { createHash } from 'crypto';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Client, Connect } from './operation/client';
import {
	repeatedPageError,
	RequestFailure,
	withAdvice,
	withExecutionWarning,
	withoutSecrets,
} from './errors/requestFailure';
import { nodeError, formatErrorJson, withCarriedOut } from './errors/nodeError';
import { createDownload } from './net/http/download';
import { createFileStreams } from './net/http/fileStream';
import { Stop, Stopped } from './net/pacing/stop';
import { mapInParallel } from './net/pacing/concurrency';
import { WaitRounds } from './net/pacing/waitRounds';
import { isRecord } from './values/parse';
import { FileResult } from './operation/fileResult';
import type {
	AnyOperation,
	AnyRequestOperation,
	Resources,
	RunContext,
} from './operation/operation';
import { pickFields } from './operation/outputFields';
import { createParameterParser, createParameterSource } from './operation/parameters';
import { InvalidInput } from './errors/invalidInput';
import { createShared } from './net/pacing/shared';

/** The outcome of an item. `isAtMostOnce`: the item sent something that must not be sent twice. */
type ItemOutcome = { readonly isAtMostOnce?: boolean } & (
	| { readonly results: readonly unknown[] }
	| { readonly failure: unknown }
);

/** Runs the chosen operation on every input item, several at a time. The results have the order of the items. */
export async function run<Request>(
	context: IExecuteFunctions,
	menu: Resources<Request>,
	connect: Connect<Request>,
): Promise<INodeExecutionData[][]> {
	if (context.getInputData().length === 0) return [[]];
	const stop = new Stop(context.getExecutionCancelSignal());
	const hints = new Set<string>();
	const outcomes = await runItems(context, menu, connect, { stop, hints });
	const { isStopped } = stop;
	// Stopping cancels the pending retries of failed items.
	stop.stop();
	addHints(context, hints);
	if (isStopped) throw firstError(context, outcomes);
	return [outcomes.flatMap((outcome, item) => formatItems(context, outcome, item))];
}

/** Shows hints above the output. Older versions of n8n cannot show hints. */
function addHints(context: IExecuteFunctions, hints: ReadonlySet<string>): void {
	if (!('addExecutionHints' in context)) return;
	for (const message of hints) context.addExecutionHints({ message });
}

/** The state that all items of a run share and change. */
interface RunState {
	readonly stop: Stop;
	/** The messages to show above the output, each once. */
	readonly hints: Set<string>;
}

async function runItems<Request>(
	context: IExecuteFunctions,
	menu: Resources<Request>,
	connect: Connect<Request>,
	{ stop, hints }: RunState,
): Promise<readonly ItemOutcome[]> {
	const count = context.getInputData().length;
	const recordFailure = (failure: unknown, isAtMostOnce = false): ItemOutcome => {
		if (!context.continueOnFail()) stop.stop();
		return { failure, isAtMostOnce };
	};
	try {
		const operation = getChosenOperation(context, menu);
		const client = await connect(context, stop);
		const parameters = createParameterParser(createParameterSource(context), operation.fields);
		const common = createCommonContext(context, client, { stop, hints });
		const { waits, itemsPerRequest = 1 } = operation;
		const width = waits ? count : client.parallelItems * itemsPerRequest;
		const outcomes = mapInParallel(count, width, async (item): Promise<ItemOutcome> => {
			const attempt = new ItemRun(operation, client, item);
			try {
				stop.throwIfStopped();
				const results = await attempt.run(parameters(item), common);
				return { results, isAtMostOnce: attempt.isAtMostOnce };
			} catch (failure) {
				return recordFailure(attempt.explainFailure(failure), attempt.isAtMostOnce);
			}
		});
		return await outcomes.finally(() => client.close?.());
	} catch (failure) {
		// If there is no credential or the operation is unknown, all items fail for this reason.
		return new Array<ItemOutcome>(count).fill(recordFailure(failure));
	}
}

/** The run of an operation for one item. */
class ItemRun<Request> {
	/** Whether the item has sent something that must not be sent twice. */
	isAtMostOnce = false;
	private isOver = false;

	constructor(
		private readonly operation: AnyOperation<Request>,
		private readonly client: Client<Request>,
		private readonly item: number,
	) {}

	async run(
		parameters: Readonly<Record<string, unknown>>,
		common: CommonContext,
	): Promise<readonly unknown[]> {
		const call = async (request: Request) => {
			// After one call of an item has failed, the item sends no further calls.
			if (this.isOver) throw new Stopped();
			const atMostOnce = this.operation.atMostOnce || this.client.isAtMostOnce?.(request) || false;
			this.isAtMostOnce ||= atMostOnce;
			return await this.client.call(request, { item: this.item, atMostOnce });
		};
		try {
			return await collectResults(this.operation, parameters, { ...common, call });
		} finally {
			this.isOver = true;
		}
	}

	/** Converts a failure into the text that the user reads: with advice, and without secrets. */
	explainFailure(failure: unknown): unknown {
		if (!(failure instanceof RequestFailure)) return failure;
		const advised = withAdvice(failure, this.operation.advice?.(failure));
		return withoutSecrets(
			this.isAtMostOnce ? withExecutionWarning(advised) : advised,
			this.client.redact,
		);
	}
}

/** Collects the results of an operation for one item, up to the limit. */
export async function collectResults<Request>(
	operation: AnyOperation<Request>,
	parameters: Readonly<Record<string, unknown>>,
	context: RunContext<Request>,
): Promise<readonly unknown[]> {
	const wanted = typeof parameters.limit === 'number' ? parameters.limit : Infinity;
	// Nothing may be awaited before this line, so that reservations follow the order of the items.
	const place = 'reserve' in operation ? operation.reserve(parameters, context) : NOTHING_RESERVED;
	const results: unknown[] = [];
	try {
		const found =
			'run' in operation
				? operation.run(parameters, context, place)
				: fetchPages(operation, parameters, context, wanted);
		for await (const result of found) {
			results.push(result);
			if (results.length < wanted) continue;
			context.addHint(LIMIT_HINT);
			break;
		}
	} finally {
		place.release();
	}
	return pickFields(results, parameters, context.addHint);
}

/** Nothing is requested beyond the limit, so there may or may not be more results. */
const LIMIT_HINT = "The limit was reached, and there may be more. 'Return All' gives all.";

const NOTHING_RESERVED = { release: () => {} };

/**
 * Reads a list page by page. Pages whose requests are already known are requested at the same time, and their results
 * are put in order.
 */
async function* fetchPages<Request>(
	operation: AnyRequestOperation<Request>,
	parameters: Readonly<Record<string, unknown>>,
	{ call }: RunContext<Request>,
	wanted: number,
): AsyncGenerator<unknown> {
	const seen = new Set<string>();
	let missing = wanted;
	const plan = operation.plan ? operation.plan(parameters) : parameters;
	let requests: readonly Request[] = [operation.request(plan)];
	while (requests.length > 0) {
		if (operation.next && !requests.every((request) => rememberIfNew(seen, request)))
			throw repeatedPageError();
		const bodies = await Promise.all(requests.map(async (request) => await call(request)));
		const answers = bodies.map((body) => operation.answer(body));
		for (const answer of answers) {
			const found = operation.items?.(answer, plan) ?? [answer];
			if (operation.next && found.length > 0 && !rememberIfNew(seen, answer))
				throw repeatedPageError();
			yield* found;
			missing -= found.length;
		}
		const state = { request: requests.at(-1) as Request, missing };
		requests = missing > 0 ? (operation.next?.(answers.at(-1), state) ?? []) : [];
	}
}

/**
 * Remembers a request or an answer, and returns false if it came before. Without this check, a service that repeats a page would keep the
 * node in an endless loop.
 */
function rememberIfNew(seen: Set<string>, page: unknown): boolean {
	const before = seen.size;
	seen.add(createHash('sha256').update(JSON.stringify(page)).digest('base64'));
	return seen.size > before;
}

function getChosenOperation<Request>(
	context: IExecuteFunctions,
	menu: Resources<Request>,
): AnyOperation<Request> {
	const [only = '', ...others] = Object.keys(menu);
	const resource = others.length > 0 ? getChoice(context, 'resource') : only;
	const name = getChoice(context, 'operation');
	const operations = Object.hasOwn(menu, resource) ? menu[resource]?.operations : undefined;
	const operation = operations && Object.hasOwn(operations, name) ? operations[name] : undefined;
	if (!operation)
		throw nodeError(context.getNode(), new InvalidInput('This operation does not exist'), 0);
	return operation;
}

function getChoice(context: IExecuteFunctions, name: string): string {
	const given: unknown = context.getNodeParameter(name, 0);
	return typeof given === 'string' ? given : '';
}

/** The functions of a run that are the same for every item. */
type CommonContext = Omit<RunContext<unknown>, 'call'>;

function createCommonContext<Request>(
	context: IExecuteFunctions,
	{ batchSize = 1, redact }: Client<Request>,
	{ stop, hints }: RunState,
): CommonContext {
	const polls = new WaitRounds(batchSize, stop);
	return {
		timezone: context.getTimezone(),
		shared: createShared(),
		download: createDownload(context, stop),
		...createFileStreams(context, stop),
		wait: async (milliseconds, calls = 1) => await polls.wait(milliseconds, calls),
		addHint: (message) => hints.add(message),
		redact,
	};
}

/** Returns the error of the first item that failed for a reason of its own, and not because the run was stopped. */
function firstError(context: IExecuteFunctions, outcomes: readonly ItemOutcome[]): Error {
	const failures = outcomes.map((outcome) => ('failure' in outcome ? outcome.failure : undefined));
	const item = failures.findIndex((failure) => failure && !(failure instanceof Stopped));
	const cause = failures[item] ?? new Stopped();
	const others = outcomes.map((outcome, index) => ({ ...outcome, item: index }));
	const spent = others.filter((other) => other.isAtMostOnce && other.item !== item);
	return nodeError(context.getNode(), withCarriedOut(cause, spent), Math.max(item, 0));
}

function formatItems(
	context: IExecuteFunctions,
	outcome: ItemOutcome,
	item: number,
): INodeExecutionData[] {
	const pairedItem = { item };
	if ('results' in outcome) {
		return outcome.results.map((result) => ({ ...formatResult(result), pairedItem }));
	}
	// The error is in the JSON only. With an `error` field beside the JSON, n8n would discard the other data and the
	// input item.
	const error = nodeError(context.getNode(), outcome.failure, item);
	return [{ json: formatErrorJson(error), pairedItem }];
}

function formatResult(result: unknown): Pick<INodeExecutionData, 'json' | 'binary'> {
	if (!(result instanceof FileResult)) return { json: formatItemJson(result) };
	const { json, binaryProperty, file } = result;
	return { json: formatItemJson(json), binary: { [binaryProperty]: file.binary } };
}

/** Makes the JSON of an item. An object is used as it is; any other value becomes the field `result`. */
function formatItemJson(result: unknown): IDataObject {
	return isRecord(result) ? (result as IDataObject) : { result: result as IDataObject };
}
