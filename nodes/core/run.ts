import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { Client, Connect } from './operation/client';
import {
	RequestFailure,
	withAdvice,
	warnedIfExecuted,
	withoutSecrets,
} from './errors/requestFailure';
import { nodeError, toErrorJson, withCarriedOut } from './errors/nodeError';
import { downloads } from './http/download';
import { Stop, Stopped } from './pacing/stop';
import { inParallel } from './pacing/concurrency';
import { PollScheduler } from './pacing/pollScheduler';
import { isRecord } from './values/read';
import type { AnyOperation, Menu, RunContext } from './operation/operation';
import { memoryOf, resultsOf } from './operation/results';
import { parameterReader, parameterSource } from './operation/parameters';
import { InvalidInput } from '../../credentials/invalidInput';

/** What became of an item, and whether it has sent something that must not be carried out twice. */
type ItemOutcome = { readonly isNonIdempotent?: boolean } & (
	| { readonly results: readonly unknown[] }
	| { readonly failure: unknown }
);

/** Executes a node: every input item through the chosen operation, several at a time, in order at the end. */
export async function run<Request>(
	context: IExecuteFunctions,
	menu: Menu<Request>,
	connect: Connect<Request>,
): Promise<INodeExecutionData[][]> {
	if (context.getInputData().length === 0) return [[]];
	const stop = new Stop(context.getExecutionCancelSignal());
	const outcomes = await processItems(context, menu, connect, stop);
	const { isStopped } = stop;
	// Cancels what failed items still have to retry.
	stop.stopNow();
	if (isStopped) throw firstError(context, outcomes);
	return [outcomes.flatMap((outcome, item) => toItems(context, outcome, item))];
}

async function processItems<Request>(
	context: IExecuteFunctions,
	menu: Menu<Request>,
	connect: Connect<Request>,
	stop: Stop,
): Promise<readonly ItemOutcome[]> {
	const count = context.getInputData().length;
	const failed = (failure: unknown, isNonIdempotent = false): ItemOutcome => {
		if (!context.continueOnFail()) stop.stopNow();
		return { failure, isNonIdempotent };
	};
	try {
		const operation = chosen(context, menu);
		const client = await connect(context, stop);
		const parameters = parameterReader(parameterSource(context), operation.fields);
		const shared = sharedByItems(context, client, stop);
		const width = operation.waits ? count : client.width;
		const outcomes = inParallel(count, width, async (item): Promise<ItemOutcome> => {
			const attempt = new Attempt(operation, client, item);
			try {
				stop.check();
				const results = await attempt.perform(parameters(item), shared);
				return { results, isNonIdempotent: attempt.isNonIdempotent };
			} catch (failure) {
				return failed(attempt.explained(failure), attempt.isNonIdempotent);
			}
		});
		return await outcomes.finally(() => client.close?.());
	} catch (failure) {
		// Without a credential or a known operation, each item fails for the same reason.
		return new Array<ItemOutcome>(count).fill(failed(failure));
	}
}

/** An operation on one item. */
class Attempt<Request> {
	/** Whether it has sent something that must not be carried out twice. */
	isNonIdempotent = false;
	private isOver = false;

	constructor(
		private readonly operation: AnyOperation<Request>,
		private readonly client: Client<Request>,
		private readonly item: number,
	) {}

	async perform(
		parameters: Readonly<Record<string, unknown>>,
		shared: Shared,
	): Promise<readonly unknown[]> {
		const call = async (request: Request) => {
			// One of several calls has failed: nothing that would follow from the others is sent.
			if (this.isOver) throw new Stopped();
			const nonIdempotent =
				this.operation.nonIdempotent || this.client.isNonIdempotent?.(request) || false;
			this.isNonIdempotent ||= nonIdempotent;
			return await this.client.call(request, { item: this.item, nonIdempotent });
		};
		try {
			return await resultsOf(this.operation, parameters, { ...shared, call });
		} finally {
			this.isOver = true;
		}
	}

	/** The failure as the user will read it. */
	explained(failure: unknown): unknown {
		if (!(failure instanceof RequestFailure)) return failure;
		const advised = withAdvice(failure, this.operation.advice?.(failure));
		return withoutSecrets(
			this.isNonIdempotent ? warnedIfExecuted(advised) : advised,
			this.client.redact,
		);
	}
}

function chosen<Request>(context: IExecuteFunctions, menu: Menu<Request>): AnyOperation<Request> {
	const [only = '', ...others] = Object.keys(menu);
	const resource = others.length > 0 ? choice(context, 'resource') : only;
	const name = choice(context, 'operation');
	const operations = Object.hasOwn(menu, resource) ? menu[resource]?.operations : undefined;
	const operation = operations && Object.hasOwn(operations, name) ? operations[name] : undefined;
	if (!operation)
		throw nodeError(context.getNode(), new InvalidInput('This operation does not exist'), 0);
	return operation;
}

function choice(context: IExecuteFunctions, name: string): string {
	const given: unknown = context.getNodeParameter(name, 0);
	return typeof given === 'string' ? given : '';
}

type Shared = Omit<RunContext<unknown>, 'call'>;

function sharedByItems<Request>(
	context: IExecuteFunctions,
	{ batchSize = 1 }: Client<Request>,
	stop: Stop,
): Shared {
	const polls = new PollScheduler(batchSize, stop);
	return {
		timezone: context.getTimezone(),
		memory: memoryOf(),
		download: downloads(context, stop),
		wait: async (milliseconds, calls = 1) => await polls.wait(milliseconds, calls),
	};
}

/** The first item, in their order, that failed for a reason of its own. */
function firstError(context: IExecuteFunctions, outcomes: readonly ItemOutcome[]): Error {
	const failures = outcomes.map((outcome) => ('failure' in outcome ? outcome.failure : undefined));
	const item = failures.findIndex((failure) => failure && !(failure instanceof Stopped));
	const cause = failures[item] ?? new Stopped();
	const others = outcomes.map((outcome, index) => ({ ...outcome, item: index }));
	const spent = others.filter((other) => other.isNonIdempotent && other.item !== item);
	return nodeError(context.getNode(), withCarriedOut(cause, spent), Math.max(item, 0));
}

function toItems(
	context: IExecuteFunctions,
	outcome: ItemOutcome,
	item: number,
): INodeExecutionData[] {
	const pairedItem = { item };
	if ('results' in outcome) {
		return outcome.results.map((result) => ({ json: toJson(result), pairedItem }));
	}
	// No `error` beside the json: for it n8n would throw away the rest, and the item that came in.
	const error = nodeError(context.getNode(), outcome.failure, item);
	return [{ json: toErrorJson(error), pairedItem }];
}

/** An object is an item as it stands; a scalar, a list or null is a result. */
function toJson(result: unknown): IDataObject {
	return isRecord(result) ? (result as IDataObject) : { result: result as IDataObject };
}
