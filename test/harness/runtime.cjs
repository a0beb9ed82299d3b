const asyncHooks = require('node:async_hooks');
const { appendFileSync } = require('node:fs');
const { Script } = require('node:vm');
const { default: JestRuntime } = require('jest-runtime');

const compiled = new Map();
/** The packages that test files have loaded so far, by path: later files share them. */
const packages = new Map();
/** What Jest has found out for earlier test files: the file that an import means, its text, and its text for Node. */
const remembered = { files: new Map(), sources: new Map(), transforms: new Map() };
/** The runtime of the current test file, through which packages load lazily. */
let current;
/** The coverage counters that were above zero in a test file so far, by path. */
const reached = new Map();
/** The storages that modules of the current test file have created. */
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
 * Jest's runtime, which reads and compiles each module once per process instead of once per test file, and loads
 * packages below node_modules once per process (all files share one realm, `realm.cjs`): n8n's core alone has 1,800
 * modules. Modules of this repository are loaded again for every file.
 */
module.exports = class Runtime extends JestRuntime {
	constructor(...options) {
		super(...options);
		current = this;
		this.before = process.cpuUsage();
		[this.file] = options.filter((one) => /\.(test|all)\.m?[jt]s$/.test(one));
		const loaded = this.registries.getActiveCjsRegistry();
		for (const [path, module] of packages) loaded.set(path, module);
		const [config, , , transformer] = options;
		const { watch, watchAll } = options.at(-1);
		if (!watch && !watchAll) this.rememberFiles(config, transformer);
		const { executor } = this;
		const compile = executor.compile.bind(executor);
		executor.compile = (source, filename) => {
			const context = executor.environment.getVmContext();
			// Jest itself reports a context that is gone or an invalid source.
			if (!context) return compile(source, filename);
			try {
				return scriptOf(source, filename, executor.injectedModuleParameters).runInContext(context);
			} catch (error) {
				if (error instanceof SyntaxError) return compile(source, filename);
				throw error;
			}
		};
	}

	/** Makes Jest look at each file once per process: files do not change while tests run. */
	rememberFiles(config, transformer) {
		remember(this._resolution, 'resolveCjs', remembered.files, (from, to) => `${from}\0${to}`);
		remember(this.fileCache, 'readFile', remembered.sources, (path) => path);
		remember(transformer, 'transform', remembered.transforms, (path, { supportsStaticESM }) =>
			[config.id, supportsStaticESM, path].join('\0'),
		);
	}

	requireModuleOrMock(from, name) {
		if (this === current || !isKept(from)) return super.requireModuleOrMock(from, name);
		return current.requireModuleOrMock(from, name);
	}

	/** Returns the modules in which this file has reached new code: sending and adding all takes longer than most tests. */
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
		if (process.env.TEST_TIMES) this.report(process.env.TEST_TIMES);
	}

	/** Adds a line to a file: the seconds of the processor that this process took for the test file. */
	report(times) {
		const { user, system } = process.cpuUsage(this.before);
		appendFileSync(times, `${((user + system) / 1e6).toFixed(2)} ${this.file}\n`);
	}
};

/** Makes a method answer from earlier answers. `keyOf` returns a text that tells its arguments apart. */
function remember(object, method, known, keyOf) {
	const ask = object[method].bind(object);
	object[method] = (...values) => {
		const key = keyOf(...values);
		if (!known.has(key)) known.set(key, ask(...values));
		return known.get(key);
	};
}

/** grpc-js keeps the certificates of the service that the first test file started. */
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
