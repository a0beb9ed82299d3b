import { RequestFailure } from '../errors/requestFailure';
import { formatExcerpt } from '../values/excerpt';
import { parseExactInteger } from '../values/numbers';
import { catching, InvalidValue, isRecord, trimText, type Parse } from '../values/parse';
import { raise } from '../errors/raise';

/** An object that the index answered with. A wrong value is a failure that names its field. */
export class Answer {
	private constructor(
		/** What was asked for. */
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

	/** Reads a value that may be left out; null where it is missing or null. */
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

	/** JSON may lack a key that all objects inherit. */
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

const HASH_PATTERN = /^(?:0x)?([0-9a-f]{64})$/i;
const BASE64_HASH_PATTERN = /^[\w+/-]{43}=?$/;

/** A hash as people and services write it, hex or base64, as 64 hex digits. */
export const parseTonHash: Parse<string> = (given) => {
	const text = trimText(given);
	const [, digits] = HASH_PATTERN.exec(text) ?? [];
	if (digits) return digits.toLowerCase();
	const bytes = BASE64_HASH_PATTERN.test(text) ? Buffer.from(text, 'base64') : undefined;
	return bytes?.length === 32
		? bytes.toString('hex')
		: raise(new InvalidValue('a hash: 64 hex digits, or 44 characters of base64'));
};

function wholeParser(bits: number, wanted: string): Parse<bigint> {
	return (given) => {
		const value = parseExactInteger(given, /^\d+$/, wanted);
		return value >= 0n && value >> BigInt(bits) === 0n ? value : raise(new InvalidValue(wanted));
	};
}

/** Nanocoins, or the smallest unit of a jetton. */
export const parseUnits: Parse<bigint> = wholeParser(120, 'a whole amount of at most 120 bits');
/** The chain's own time, which grows with each transaction. */
export const parseLogicalTime: Parse<bigint> = wholeParser(64, 'a whole number of at most 64 bits');

/** A code with or without a sign. */
export const parseCode: Parse<number> = (given) => {
	const code = Number(parseExactInteger(given, /^-?\d+$/, 'a whole number'));
	return Math.abs(code) <= 2 ** 31
		? code
		: raise(new InvalidValue('a whole number of at most 32 bits'));
};

export const parseTruth: Parse<boolean> = (given) =>
	typeof given === 'boolean' ? given : raise(new InvalidValue('true or false'));

/** Unix seconds as ISO 8601. */
export function formatSeconds(seconds: number): string {
	return new Date(seconds * 1000).toISOString();
}
