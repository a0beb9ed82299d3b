import { ExpressionEvaluator, IsolatedVmBridge } from '@n8n/expression-runtime';
import { Expression } from 'n8n-workflow';
import { expressionSandboxHooks } from 'n8n-workflow/expression-sandboxing';

/** The engines that evaluate expressions. The native part of `vm` needs the version of Node that n8n runs on. */
const ENGINES =
	Number(process.versions.node.split('.')[0]) >= 24
		? (['legacy', 'vm'] as const)
		: (['legacy'] as const);

/**
 * Declares tests once for each engine that can evaluate expressions here. In each group, that engine evaluates them.
 */
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
 * Starts the engine of n8n 2 that evaluates expressions in an isolate. Returns a function that stops it.
 * It repeats the steps of `initExpressionEngine`, whose imports do not work under Jest.
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
