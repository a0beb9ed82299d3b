import { ExpressionEvaluator, IsolatedVmBridge } from '@n8n/expression-runtime';
import { Expression } from 'n8n-workflow';
import { expressionSandboxHooks } from 'n8n-workflow/expression-sandboxing';

/** The native part of vm needs the Node that n8n runs on, and not an older one. */
const ENGINES =
	Number(process.versions.node.split('.')[0]) >= 24
		? (['legacy', 'vm'] as const)
		: (['legacy'] as const);

/** Declares the tests once for each engine that can evaluate expressions here, and evaluates them by it. */
export function describeByEngine(declare: (engine: (typeof ENGINES)[number]) => void): void {
	describe.each(ENGINES)('evaluated by the engine %s', (engine) => {
		let stopEngine: (() => Promise<void>) | undefined;

		beforeAll(async () => {
			if (engine === 'vm') stopEngine = await startVmEngine();
			expect(Expression.getActiveImplementation()).toBe(engine);
		});
		afterAll(async () => await stopEngine?.());

		declare(engine);
	});
}

/**
 * Starts the engine with which n8n 2 evaluates expressions in an isolate, as `initExpressionEngine` does: n8n's
 * function imports its parts in a way that jest does not support. Returns the function that ends it.
 */
async function startVmEngine(): Promise<() => Promise<void>> {
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
