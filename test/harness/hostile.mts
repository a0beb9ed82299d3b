import { runInNewContext } from 'node:vm';

/** Collects what hostile values received from code that called their methods, getters or traps. */
export class StolenValues {
	/** The received functions, and the results of calling them. */
	readonly collected: unknown[] = [];

	/**
	 * Calls each received function, and keeps the result. A result of bytes is kept together with the memory around it.
	 */
	collect(handed: readonly unknown[]): void {
		for (const one of handed) {
			if (typeof one !== 'function') continue;
			this.collected.push(one);
			for (const argument of [[], '', {}])
				this.collectFrom(one as (given: unknown) => unknown, argument);
		}
	}

	private collectFrom(work: (given: unknown) => unknown, argument: unknown): void {
		try {
			const made = work(argument);
			this.collected.push(made);
			if (made instanceof Uint8Array)
				this.collected.push(Buffer.from(made.buffer).toString('latin1'));
		} catch (error) {
			this.collected.push(error);
		}
	}

	/** Returns the stolen functions, without those that n8n itself passes when it prepares parameters. */
	get functions(): readonly unknown[] {
		return this.collected.filter(
			(one) => typeof one === 'function' && !N8N_FUNCTION_PATTERN.test(String(one)),
		);
	}
}

const N8N_FUNCTION_PATTERN = /cleanupParameterData|\[native code\]/;

/** Methods of lists, texts and objects that code is likely to call on a value. */
const METHOD_NAMES = [
	'map',
	'filter',
	'find',
	'some',
	'every',
	'flatMap',
	'reduce',
	'forEach',
	'entries',
	'slice',
	'join',
	'trim',
	'split',
	'replace',
	'startsWith',
	'match',
	'toLowerCase',
	'toString',
	'valueOf',
	'toJSON',
	'then',
	'getTime',
	'toMillis',
	'toISO',
	'hasOwnProperty',
	'constructor',
	'concat',
	'includes',
	'equals',
];

/**
 * Builds values that resemble the given value. Each value harms code that uses its methods, getters or traps instead of
 * its plain data.
 */
export function buildHostileForms(
	sample: unknown,
	loot: StolenValues,
): Readonly<Record<string, unknown>> {
	const spy =
		(result: unknown) =>
		(...handed: unknown[]) => {
			loot.collect(handed);
			return result;
		};
	const object = (): Record<string, unknown> =>
		typeof sample === 'object' && sample !== null
			? (structuredClone(sample) as Record<string, unknown>)
			: { value: sample };
	const list = (): unknown[] => (Array.isArray(sample) ? structuredClone(sample) : [sample]);
	const withMethods = <T extends object>(target: T): T => {
		for (const name of METHOD_NAMES) {
			Object.defineProperty(target, name, { value: spy(chain), enumerable: true });
		}
		for (const name of [Symbol.toPrimitive, Symbol.iterator, Symbol.isConcatSpreadable]) {
			Object.defineProperty(target, name, { value: spy(String(sample)) });
		}
		return target;
	};
	/** A function whose results have methods again, so that whole chains of calls are recorded. */
	const chain: unknown = new Proxy(() => undefined, {
		get: (_, name) => (name === Symbol.toPrimitive ? () => '1' : spy(chain)),
		apply: (_target, _self, handed: unknown[]) => {
			loot.collect(handed);
			return chain;
		},
	});
	const traps: ProxyHandler<object> = {
		get: (target, name, receiver) => {
			const value: unknown = Reflect.get(target, name, receiver);
			return typeof value === 'function' ? spy(chain) : value;
		},
		apply: (_target, _self, handed: unknown[]) => {
			loot.collect(handed);
			return chain;
		},
	};
	const nested = (wrap: (value: object) => object): unknown => {
		const within = (value: unknown): unknown => {
			if (typeof value !== 'object' || value === null) return value;
			for (const [key, part] of Object.entries(value)) Reflect.set(value, key, within(part));
			return wrap(value);
		};
		return within(object());
	};
	class OwnList extends Array<unknown> {
		static override get [Symbol.species]() {
			loot.collect([]);
			return Array;
		}

		override map(...handed: unknown[]): never[] {
			loot.collect(handed);
			return [];
		}
	}
	return {
		'a list with its own methods': withMethods(list()),
		'an object with its own methods': withMethods(object()),
		'the sample, each part with its own methods': nested(withMethods),
		'the sample, each part a proxy': nested((value) => new Proxy(value, traps)),
		'a list that is a proxy': new Proxy(list(), traps),
		'a list of a class of its own': OwnList.from(list()),
		'a text of a class of its own': withMethods(new String(String(sample))),
		'an object with getters': Object.defineProperties(
			{},
			Object.fromEntries(
				[...Object.keys(object()), 'length', '0', 'value', 'map'].map((name) => [
					name,
					{ get: spy(chain), enumerable: true },
				]),
			),
		),
		'a list that says another length': new Proxy(list(), {
			getOwnPropertyDescriptor: (target, name) => {
				const property = Reflect.getOwnPropertyDescriptor(target, name);
				return name === 'length' && property ? { ...property, value: withMethods({}) } : property;
			},
		}),
		'a proxy that throws': new Proxy(object(), {
			ownKeys: () => {
				throw withMethods({ message: 'thrown' });
			},
		}),
		'an object of another realm': runInNewContext(
			'Object.assign(Object.create({ map: spy }), { value: sample, map: spy, toString: spy })',
			{ spy: spy(chain), sample },
		),
		'a prototype under __proto__': JSON.parse('{"__proto__":{"map":1},"value":"x"}'),
	};
}
