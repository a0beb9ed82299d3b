const asyncHooks = require('node:async_hooks');
const { Script } = require('node:vm');
const { default: JestRuntime } = require('jest-runtime');

const compiled = new Map();
/** What the modules of the current test file have made. */
const storages = new Set();

Object.defineProperty(asyncHooks, 'AsyncLocalStorage', {
	value: class AsyncLocalStorage extends asyncHooks.AsyncLocalStorage {
		constructor(...options) {
			super(...options);
			storages.add(this);
		}
	},
});

/**
 * Jest's runtime, which compiles each module once per process instead of once per test file: n8n's core alone has 1,800.
 * What runs is the same; only the script is shared, in which V8 keeps what it has compiled.
 */
module.exports = class Runtime extends JestRuntime {
	constructor(...options) {
		super(...options);
		const { executor } = this;
		const compile = executor.compile.bind(executor);
		executor.compile = (source, filename) => {
			const context = executor.environment.getVmContext();
			// What jest says about a context that is gone or a source that is faulty stays jest's.
			if (!context) return compile(source, filename);
			try {
				return scriptOf(source, filename, executor.injectedModuleParameters).runInContext(context);
			} catch (error) {
				if (error instanceof SyntaxError) return compile(source, filename);
				throw error;
			}
		};
	}

	/** Jest copies the counters of the coverage property by property, which takes longer than most tests. */
	getAllCoverageInfoCopy() {
		return structuredClone(this._environment.global.__coverage__);
	}

	/** Before version 24, Node carries the storages of all test files so far through every promise. */
	teardown() {
		super.teardown();
		for (const storage of storages) storage.disable();
		storages.clear();
	}
};

function scriptOf(source, filename, parameters) {
	const known = compiled.get(filename);
	if (known?.source === source) return known.script;
	const head = `(function (${parameters.join(',')}) {`;
	const script = new Script(`${head}${source}\n})`, { filename, columnOffset: -head.length });
	compiled.set(filename, { source, script });
	return script;
}
