const { TestEnvironment } = require('jest-environment-node');

/** What jest leaves in the globals for the rest of a test file. Its names, such as test, are written over by the next one. */
const JEST_S =
	/^Symbol\((\$\$jest.*|JEST_.*|EVENT_HANDLERS|TEST_TIMEOUT_.*|.*RETRY.*)\)$|^__coverage__$/;

let realm;

/**
 * Jest's environment for Node, made once per process instead of once per test file: what packages have made in one file
 * is of the same realm in the next (`runtime.cjs`). What a file changed in the globals, process and its environment is
 * undone when it is over; what packages added stays.
 */
module.exports = class Realm extends TestEnvironment {
	constructor(...options) {
		if (realm) return realm;
		super(...options);
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

/** Puts back what an object has now, and takes away what has come since and is not to stay. */
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
