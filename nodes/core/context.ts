import type {
	IExecuteFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
	ITriggerFunctions,
} from 'n8n-workflow';

export type NodeContext = IExecuteFunctions | IPollFunctions | ITriggerFunctions;

/** The context of a node that runs, or of one that loads options in the editor. */
export type AnyContext = NodeContext | ILoadOptionsFunctions;

/** Returns the signal that aborts when the user cancels the execution. Polls and triggers have none. */
export function getCancelSignal(context: AnyContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

export function isExecution(context: AnyContext): context is IExecuteFunctions {
	return 'getInputData' in context;
}
