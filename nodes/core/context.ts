import type {
	IExecuteFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
	ITriggerFunctions,
} from 'n8n-workflow';

/** What n8n gives a node, whichever way it runs. */
export type NodeContext = IExecuteFunctions | IPollFunctions | ITriggerFunctions;

/** The same, and what the editor asks a node for while its form is filled in. */
export type AnyContext = NodeContext | ILoadOptionsFunctions;

/** Only an execution can be stopped; a poll or a trigger has no such signal. */
export function cancelSignalOf(context: AnyContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

/** A run over input items, rather than a look at what is new. */
export function isExecution(context: AnyContext): context is IExecuteFunctions {
	return 'getInputData' in context;
}
