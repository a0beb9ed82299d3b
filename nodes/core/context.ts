import type {
	IExecuteFunctions,
	ILoadOptionsFunctions,
	IPollFunctions,
	ITriggerFunctions,
} from 'n8n-workflow';

export type NodeContext = IExecuteFunctions | IPollFunctions | ITriggerFunctions;

/** Also while the editor loads options. */
export type AnyContext = NodeContext | ILoadOptionsFunctions;

/** Polls and triggers have none. */
export function getCancelSignal(context: AnyContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

export function isExecution(context: AnyContext): context is IExecuteFunctions {
	return 'getInputData' in context;
}
