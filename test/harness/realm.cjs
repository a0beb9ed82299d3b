const vm = require('node:vm');
const { TestEnvironment } = require('jest-environment-node');

/** Jest leaves these globals behind in a test file. Names such as test are overwritten by the next one. */
const JEST_S =
	/^Symbol\((\$\$jest.*|JEST_.*|EVENT_HANDLERS|TEST_TIMEOUT_.*|.*RETRY.*)\)$|^__coverage__$/;

const { constants, createContext } = vm;
let realm;

/**
 * Jest's environment for Node, created once per process instead of once per test file: objects that packages created in
 * one file belong to the realm of the next (`runtime.cjs`). What a file changed in the globals, process and its
 * environment is undone afterwards; what packages added stays. Its globals are plain properties if this Node knows such a
 * realm (20.18 and newer): Jest's own realm asks JavaScript code for each of them, each time that it is read.
 */
module.exports = class Realm extends TestEnvironment {
	constructor(...options) {
		if (realm) return realm;
		vm.createContext = (global) => createContext(constants.DONT_CONTEXTIFY ?? global);
		super(...options);
		vm.createContext = createContext;
		realm = this;
		const { global } = this;
		const ofJest = (key) => JEST_S.test(String(key));
		this.undo = [
			restoring(global, ofJest),
			restoring(global.process, () => false),
			restoring(global.process.env, () => true),
		];
	}

	async teardown() {
		this.fakeTimers.clearAllTimers();
		this.fakeTimersModern.dispose();
		for (const undo of this.undo) undo();
	}
};

/** Restores the present properties of an object, and removes later ones that are not to stay. */
function restoring(object, isOver) {
	const before = Object.getOwnPropertyDescriptors(object);
	return () => {
		for (const key of Reflect.ownKeys(object)) {
			if (!Object.hasOwn(before, key) && isOver(key)) Reflect.deleteProperty(object, key);
		}
		for (const key of Reflect.ownKeys(before)) {
			const now = Object.getOwnPropertyDescriptor(object, key);
			if (now?.value === before[key].value && now?.get === before[key].get) continue;
			Reflect.defineProperty(object, key, before[key]);
		}
	};
}
