const asyncHooks = require('node:async_hooks');
const { Script } = require('node:vm');
const { default: JestRuntime } = require('jest-runtime');

const compiled = new Map();
/** The packages that the test files so far have loaded, by path: those of the next one find them as they are. */
const packages = new Map();
/** That of the current test file, by which packages load what they need later. */
let current;
/** The counters of the coverage that were above zero in a test file so far, by path. */
const reached = new Map();
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
 * Jest's runtime, which compiles each module once per process instead of once per test file, and loads what lies below
 * node_modules once per process (all files of which share one realm, `realm.cjs`): n8n's core alone has 1,800 modules.
 * What is of this repository is loaded anew for every file.
 */
module.exports = class Runtime extends JestRuntime {
	constructor(...options) {
		super(...options);
		current = this;
		const loaded = this.registries.getActiveCjsRegistry();
		for (const [path, module] of packages) loaded.set(path, module);
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

	requireModuleOrMock(from, name) {
		if (this === current || !isKept(from)) return super.requireModuleOrMock(from, name);
		return current.requireModuleOrMock(from, name);
	}

	/** Of the modules in which this file has reached what those before it have not: to send and add all takes longer than most tests. */
	getAllCoverageInfoCopy() {
		const all = Object.entries(this._environment.global.__coverage__ ?? {});
		return structuredClone(Object.fromEntries(all.filter(([, module]) => reachesMore(module))));
	}

	/** Before version 24, Node carries the storages of all test files so far through every promise. */
	teardown() {
		for (const [path, module] of this.registries.getActiveCjsRegistry()) {
			if (isKept(path) && module.loaded) packages.set(path, module);
		}
		super.teardown();
		for (const storage of storages) storage.disable();
		storages.clear();
	}
};

/** grpc-js remembers the certificates of the service that the first test file started. */
function isKept(path) {
	return /[\\/]node_modules[\\/](?!@grpc|@bufbuild|protobufjs)/.test(path);
}

/** Whether a counter of a module is above zero for the first time in this process. */
function reachesMore({ path, s, f, b }) {
	const counters = [...Object.values(s), ...Object.values(f), ...Object.values(b).flat()];
	const before = reached.get(path) ?? [];
	reached.set(
		path,
		counters.map((count, index) => count > 0 || before[index] === true),
	);
	return counters.some((count, index) => count > 0 && !before[index]);
}

function scriptOf(source, filename, parameters) {
	const known = compiled.get(filename);
	if (known?.source === source) return known.script;
	const head = `(function (${parameters.join(',')}) {`;
	const script = new Script(`${head}${source}\n})`, { filename, columnOffset: -head.length });
	compiled.set(filename, { source, script });
	return script;
}
