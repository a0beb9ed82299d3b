import { Address, Cell } from '@ton/core';

/** A failure whose message is shown to the caller. */
export class ApiError extends Error {
	readonly status: number;

	constructor(status: number, message: string) {
		super(message);
		this.status = status;
	}
}

export const throwUnreadable = (message: string): never => {
	throw new ApiError(422, message);
};

const MAX_LIMIT = 1000;
const DEFAULT_LIMIT = 10;

export interface Page {
	readonly limit: number;
	readonly offset: number;
	readonly isAscending: boolean;
}

/** The parameters of a GET request. A list repeats its key, and unknown keys are ignored. */
export class Query {
	private readonly given: Readonly<Record<string, unknown>>;

	constructor(given: unknown) {
		this.given = given as Readonly<Record<string, unknown>>;
	}

	/** Returns a list of values, which is empty if the key is missing or has no value. */
	list(key: string): readonly string[] {
		return [this.given[key] ?? []]
			.flat()
			.map(String)
			.filter((text) => text !== '');
	}

	text(key: string): string | undefined {
		const [text, ...others] = this.list(key);
		return others.length > 0 ? throwUnreadable(`${key} is given several times`) : text;
	}

	flag(key: string, usual: boolean): boolean {
		const text = this.text(key);
		if (text === undefined) return usual;
		return /^(true|false|1|0)$/.test(text)
			? /^(true|1)$/.test(text)
			: throwUnreadable(`${key} is no boolean`);
	}

	integer(key: string): bigint | undefined {
		const text = this.text(key);
		if (text === undefined) return undefined;
		return /^-?\d{1,20}$/.test(text) ? BigInt(text) : throwUnreadable(`${key} is no integer`);
	}

	/** The addresses are raw. */
	addresses(key: string): readonly string[] {
		return this.list(key).map((text) => parseAddress(key, text).toRawString());
	}

	address(key: string): string | undefined {
		const text = this.text(key);
		return text === undefined ? undefined : parseAddress(key, text).toRawString();
	}

	requireAddress(key: string): string {
		return this.address(key) ?? throwMissing(key);
	}

	/** The hash is in base64. */
	hash(key: string): string | undefined {
		const text = this.text(key);
		return text === undefined ? undefined : parseHash(key, text);
	}

	choice<T extends string>(key: string, ...allowed: readonly T[]): T | undefined {
		const text = this.text(key);
		const found = allowed.find((one) => one === text);
		return text === undefined || found !== undefined
			? found
			: throwUnreadable(`${key} must be ${allowed.join(' or ')}`);
	}

	page(): Page {
		const limit = Number(this.integer('limit') ?? DEFAULT_LIMIT);
		const offset = Number(this.integer('offset') ?? 0);
		if (limit > MAX_LIMIT) {
			throwUnreadable(`limit is not allowed: ${limit} > ${MAX_LIMIT}`);
		}
		if (offset < 0) throwUnreadable('offset must not be negative');
		const isAscending = this.choice('sort', 'asc', 'desc') === 'asc';
		return { limit: Math.max(1, limit), offset, isAscending };
	}
}

/** Throws for a missing parameter. Like the real service, it answers 401, although the API key is not the problem. */
export const throwMissing = (key: string): never => {
	throw new ApiError(401, `${key} is required`);
};

export function parseAddress(key: string, text: string): Address {
	try {
		return Address.parse(text);
	} catch {
		return throwUnreadable(`${key} is no address: ${text.slice(0, 100)}`);
	}
}

function parseHash(key: string, text: string): string {
	const [, digits] = /^(?:0x)?([0-9a-f]{64})$/i.exec(text) ?? [];
	if (digits) return Buffer.from(digits, 'hex').toString('base64');
	const isBase64 = /^[\w+/-]{43}=$/.test(text);
	return isBase64
		? Buffer.from(text, 'base64').toString('base64')
		: throwUnreadable(`${key} is no hash: ${text.slice(0, 100)}`);
}

/** Parses a bag of cells with one root. A text that cannot be parsed gets status 500, as at the real service. */
export function parseCell(text: string): Cell {
	try {
		return Cell.fromBase64(text);
	} catch {
		throw new ApiError(500, 'failed to deserialize a bag of cells');
	}
}

/** Returns whether a text is among the wanted texts. An empty list of wanted texts accepts any text. */
export const isAsked = (text: string | undefined, wanted: readonly string[]) =>
	wanted.length === 0 || (text !== undefined && wanted.includes(text));

export const takePage = <T,>(rows: readonly T[], { limit, offset }: Page): readonly T[] =>
	rows.slice(offset, offset + limit);
