import fc from 'fast-check';
import { StolenValues } from '../../../test/harness/hostile.mts';

/** The objects of this file cannot be written as JSON. If code reads them twice or calls their methods, it gets another value. */

/** Methods and traps keep here whatever the node's own code hands them. */
export const loot = new StolenValues();

type Values = Readonly<Record<string, unknown>>;

type Define = (target: object, name: string, honest: unknown, evil: unknown) => void;

const define = (target: object, name: string, property: PropertyDescriptor) =>
	void Object.defineProperty(target, name, { enumerable: true, configurable: true, ...property });

/** Adds methods to an object that code is likely to call. They return the given value instead of the object's own. */
function withMethods<T extends object>(target: T, given: unknown): T {
	const answer = (...handed: unknown[]) => {
		loot.collect(handed);
		return given;
	};
	const names = ['toString', 'valueOf', 'toJSON', 'trim', 'map', 'toLowerCase', 'slice', 'then'];
	for (const name of names) Object.defineProperty(target, name, { value: answer });
	Object.defineProperty(target, Symbol.toPrimitive, { value: answer });
	return target;
}

/** Creates an object that changes. It shows each property of `target` a number of times, and then the property of `other`. */
function createChanging(target: object, other: object, looks = 1): object {
	const seen = new Map<PropertyKey, number>();
	return new Proxy(target, {
		get: (_, name) => Reflect.get(other, name) as unknown,
		getOwnPropertyDescriptor: (inner, name) => {
			const property = Reflect.getOwnPropertyDescriptor(inner, name);
			const look = (seen.get(name) ?? 0) + 1;
			seen.set(name, look);
			if (!property || look <= looks) return property;
			return { ...property, get: undefined, set: undefined, value: Reflect.get(other, name) };
		},
	});
}

/** Ways to define a property with two values. The rules could read the honest value, and the signing code the evil value. */
const WAYS: Readonly<Record<string, Define>> = {
	plain: (target, name, honest) => define(target, name, { value: honest }),
	evil: (target, name, _honest, evil) => define(target, name, { value: evil }),
	getter: (target, name, honest, evil) => {
		let reads = 0;
		define(target, name, { get: () => (reads++ === 0 ? honest : evil) });
	},
	'a value with methods': (target, name, honest, evil) =>
		define(target, name, { value: withMethods(Object(structuredClone(honest)) as object, evil) }),
	'an empty object with methods': (target, name, honest) =>
		define(target, name, { value: withMethods({}, honest) }),
	'a list of one': (target, name, honest) => define(target, name, { value: [honest] }),
	'a list with methods': (target, name, honest, evil) =>
		define(target, name, { value: withMethods([honest], evil) }),
	hidden: (target, name, honest) => define(target, name, { value: honest, enumerable: false }),
	inherited: (target, name, honest) =>
		define(Object.getPrototypeOf(target) as object, name, { value: honest }),
	'a proxy that changes': (target, name, honest, evil) =>
		define(target, name, { value: createChanging(Object(structuredClone(honest)), Object(evil)) }),
	'a function': (target, name, honest) => define(target, name, { value: () => honest }),
};

/** Ways to wrap an object so that a later read returns another value than the first read. */
const WRAPPERS: Readonly<Record<string, (target: object, evil: Values) => object>> = {
	none: (target) => target,
	'another value to whoever gets it': (target, evil) =>
		new Proxy(target, { get: (_, name) => evil[String(name)] }),
	'another value at the second look': createChanging,
	'another value at the third look': (target, evil) => createChanging(target, evil, 2),
	'another value at the fourth look': (target, evil) => createChanging(target, evil, 3),
	'more names at the second look': (target) => {
		let looks = 0;
		return new Proxy(target, {
			ownKeys: (inner) => [...Reflect.ownKeys(inner), ...(looks++ > 0 ? ['unknown'] : [])],
		});
	},
	'names that it has not': (target, evil) =>
		new Proxy(target, { has: () => true, get: (_, name) => evil[String(name)] }),
	'another prototype each time': (target, evil) =>
		new Proxy(target, { getPrototypeOf: () => ({ ...evil }) }),
	'methods of its own': withMethods,
	'a member of an item': (target) => ({ transaction: target }),
};

const PLAIN = 'plain';
const way = fc.oneof(
	{ weight: 12, arbitrary: fc.constant(PLAIN) },
	{ weight: 1, arbitrary: fc.constantFrom(...Object.keys(WAYS)) },
);

/** The wrappers whose objects look honest to code that reads each property once, by its descriptor. */
const HARMLESS = Object.keys(WRAPPERS).filter((name) => name !== 'more names at the second look');

interface ChangingObject {
	readonly given: object;
	readonly about: object;
	/** Whether a careful reader sees the honest values, so that the object must be accepted. */
	readonly isHonest: boolean;
}

/** Generates objects that show the honest values, the evil values, or first one and then the other. */
export function changingObjects(honest: Values, evil: Values): fc.Arbitrary<() => ChangingObject> {
	const names = Object.keys(honest);
	const ways = fc.record(Object.fromEntries(names.map((name) => [name, way])));
	return fc
		.record({ chosen: ways, wrapper: fc.constantFrom(...Object.keys(WRAPPERS)) })
		.map(({ chosen, wrapper }) => () => {
			const target = Object.create({}) as object;
			for (const name of names) WAYS[chosen[name]!]!(target, name, honest[name], evil[name]);
			return {
				given: WRAPPERS[wrapper]!(target, evil),
				about: { chosen, wrapper },
				isHonest: HARMLESS.includes(wrapper) && Object.values(chosen).every((one) => one === PLAIN),
			};
		});
}
