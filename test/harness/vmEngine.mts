import { ExpressionEvaluator, IsolatedVmBridge } from '@n8n/expression-runtime';
import { Expression } from 'n8n-workflow';
import { expressionSandboxHooks } from 'n8n-workflow/expression-sandboxing';

/** The native part needs the Node that n8n runs on, and not an older one. */
export const hasVmEngine = Number(process.versions.node.split('.')[0]) >= 24;

/**
 * Starts the engine with which n8n 2 evaluates expressions in an isolate, as `initExpressionEngine` does: n8n's
 * function imports its parts in a way that jest does not support. Returns the function that ends it.
 */
export async function startVmEngine(): Promise<() => Promise<void>> {
	const evaluator = new ExpressionEvaluator({
		createBridge: () => new IsolatedVmBridge({ timeout: 5000, memoryLimit: 128 }),
		maxCodeCacheSize: 1024,
		poolSize: 1,
		hooks: expressionSandboxHooks,
	});
	await evaluator.initialize();
	Reflect.set(Expression, 'vmEvaluator', evaluator);
	Expression.setExpressionEngine('vm');
	return async () => {
		await Expression.disposeExpressionEngine();
		Expression.setExpressionEngine('legacy');
	};
}
