import { raise } from '../errors/raise';
import { RequestFailure } from '../errors/requestFailure';
import { formatExcerpt } from '../values/excerpt';
import { catching, InvalidValue, isRecord, type Parse } from '../values/parse';

/** An object that a service returned. Reading a wrong value throws a failure that names the field. */
export class Answer {
	private constructor(
		/** A description of the expected answer, for error messages. */
		private readonly promised: string,
		private readonly path: string,
		private readonly json: Readonly<Record<string, unknown>>,
	) {}

	static parse(promised: string, json: unknown): Answer {
		return isRecord(json)
			? new Answer(promised, '', json)
			: raise(invalidAnswerError(promised, 'Its answer', 'a JSON object', json));
	}

	read<T>(key: string, parse: Parse<T>): T {
		const given = this.get(key);
		const value = catching(InvalidValue, () => parse(given));
		return value instanceof InvalidValue ? this.throwInvalid(key, value.message, given) : value;
	}

	/** Reads an optional value; null if it is missing or null. */
	readOptional<T>(key: string, parse: Parse<T>): T | null {
		return this.isMissing(key) ? null : this.read(key, parse);
	}

	readObject(key: string): Answer | null {
		return this.isMissing(key) ? null : this.toAnswer(key, this.get(key));
	}

	readObjects(key: string): readonly Answer[] {
		return this.readList(key).map((one, index) => this.toAnswer(`${key}[${index}]`, one));
	}

	readList(key: string): readonly unknown[] {
		const list = this.get(key);
		return Array.isArray(list) ? list : this.throwInvalid(key, 'a list', list);
	}

	throwInvalid(key: string, wanted: string, given: unknown): never {
		throw invalidAnswerError(this.promised, `Its ${this.path}${key}`, wanted, given);
	}

	private toAnswer(key: string, json: unknown): Answer {
		return isRecord(json)
			? new Answer(this.promised, `${this.path}${key}.`, json)
			: this.throwInvalid(key, 'a JSON object', json);
	}

	private isMissing(key: string): boolean {
		const given = this.get(key);
		return given === undefined || given === null;
	}

	/** Reads only own keys, because every object inherits some keys. */
	get(key: string): unknown {
		return Object.hasOwn(this.json, key) ? this.json[key] : undefined;
	}
}

function invalidAnswerError(
	promised: string,
	what: string,
	wanted: string,
	given: unknown,
): RequestFailure {
	return new RequestFailure(`The service did not answer with ${promised}`, {
		description: `${what} must be ${wanted}; got ${formatExcerpt(given)}.`,
	});
}
