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

/** The outcome of an item, and whether it has sent something that must not be carried out twice. */
type ItemOutcome = { readonly isAtMostOnce?: boolean } & (
	| { readonly results: readonly unknown[] }
	| { readonly failure: unknown }
);

/** Executes a node: runs the chosen operation on every input item, several at a time, and returns results in order. */
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
	// Stop cancels the retries of failed items.
	stop.stop();
	addHints(context, hints);
	if (isStopped) throw firstError(context, outcomes);
	return [outcomes.flatMap((outcome, item) => formatItems(context, outcome, item))];
}

/** Older versions of n8n have no place for hints. */
function addHints(context: IExecuteFunctions, hints: ReadonlySet<string>): void {
	if (!('addExecutionHints' in context)) return;
	for (const message of hints) context.addExecutionHints({ message });
}

/** What all items of a run change. */
interface RunState {
	readonly stop: Stop;
	/** The hints above the output, once each. */
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
		// Without a credential or a known operation, each item fails for the same reason.
		return new Array<ItemOutcome>(count).fill(recordFailure(failure));
	}
}

/** The run of an operation on one item. */
class ItemRun<Request> {
	/** Whether it has sent something that must not be carried out twice. */
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
			// If another call of this item has failed, no further calls of the item are sent.
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

	/** Turns the failure into the error that the user will read. */
	explainFailure(failure: unknown): unknown {
		if (!(failure instanceof RequestFailure)) return failure;
		const advised = withAdvice(failure, this.operation.advice?.(failure));
		return withoutSecrets(
			this.isAtMostOnce ? withExecutionWarning(advised) : advised,
			this.client.redact,
		);
	}
}

/** Collects the results of an operation for one item, up to its limit. */
export async function collectResults<Request>(
	operation: AnyOperation<Request>,
	parameters: Readonly<Record<string, unknown>>,
	context: RunContext<Request>,
): Promise<readonly unknown[]> {
	const wanted = typeof parameters.limit === 'number' ? parameters.limit : Infinity;
	// Nothing is awaited before: the items reserve in their own order.
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

/** No request is made beyond the limit, so it is unknown whether there are more results. */
const LIMIT_HINT = "The limit was reached, and there may be more. 'Return All' gives all.";

const NOTHING_RESERVED = { release: () => {} };

/** Fetches page after page. Pages whose requests are known travel side by side and are put in order. */
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
 * Remembers a request or an answer of a list; false if it was seen before. Without this check, a service that repeats a
 * page would keep the node in a loop.
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

/** What the run gives to the operation on each item alike. */
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

/** The error of the first item, in their order, that failed for a reason of its own. */
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
	// The output has no `error` beside the json: n8n would discard the rest and the input item.
	const error = nodeError(context.getNode(), outcome.failure, item);
	return [{ json: formatErrorJson(error), pairedItem }];
}

function formatResult(result: unknown): Pick<INodeExecutionData, 'json' | 'binary'> {
	if (!(result instanceof FileResult)) return { json: formatItemJson(result) };
	const { json, binaryProperty, file } = result;
	return { json: formatItemJson(json), binary: { [binaryProperty]: file.binary } };
}

/** An object becomes the item; a scalar, a list or null becomes its `result`. */
function formatItemJson(result: unknown): IDataObject {
	return isRecord(result) ? (result as IDataObject) : { result: result as IDataObject };
}
