import { InvalidValue } from './parse';

/**
 * How many microseconds parsing may take on an ordinary machine, because parsing blocks n8n and cannot be
 * interrupted. The rest of 250 ms is for other work on the answer.
 */
const MAX_PARSE_US = 200_000;

/**
 * The measured costs of parts of a JSON text, in microseconds: of searching them, and of parsing them for the first
 * time.
 */
const COSTS_US = {
	container: 0.45,
	text: 0.15,
	textChar: 0.003,
	/** The cost of a character of a long text. It is higher than in a short text, because the runtime must first allocate memory. */
	longTextChar: 0.008,
	escapedQuote: 0.02,
	comma: 0.07,
	number: 0.08,
	digit: 0.008,
	space: 0.01,
	other: 0.02,
	name: 0.02,
	newName: 2,
	quotedNumber: 1.3,
};

const LONG_TEXT_CHARS = 100_000;

/**
 * Each of the first names in a JSON text counts as a new name, even if it stood before. So only texts with many names
 * need a set of the names that were seen.
 */
const UNCHECKED_NAMES = 10_000;

/** Is thrown if parsing a JSON text would block n8n for too long. */
export class JsonTooLarge extends InvalidValue {
	constructor() {
		super('smaller JSON: to parse so much would hold n8n up');
	}
}

/** Adds up the estimated cost of parsing a JSON text. Throws JsonTooLarge if the cost is too high. */
export class JsonCost {
	private spentUs = 0;
	/** The number of member names in the text, including repeated names. */
	names = 0;
	private readonly known = new Set<string>();

	addContainer(): void {
		this.spend(COSTS_US.container);
	}

	addText(chars: number): void {
		const { textChar, longTextChar } = COSTS_US;
		this.spend(COSTS_US.text + chars * (chars > LONG_TEXT_CHARS ? longTextChar : textChar));
	}

	addEscapedQuote(): void {
		this.spend(COSTS_US.escapedQuote);
	}

	addComma(): void {
		this.spend(COSTS_US.comma);
	}

	addNumber(chars: number): void {
		this.spend(COSTS_US.number + chars * COSTS_US.digit);
	}

	addSpace(chars: number): void {
		this.spend(chars * COSTS_US.space);
	}

	/** Adds the cost of a letter of true, false or null, or of a character that is not JSON. */
	addOther(): void {
		this.spend(COSTS_US.other);
	}

	/** Adds the cost of a number that will be parsed as a string, so that all its digits are kept. */
	addQuotedNumber(): void {
		this.spend(COSTS_US.quotedNumber);
	}

	/** Adds the cost of the name of a member. The cost of its characters was already added as for any string. */
	addName(source: string, start: number, end: number): void {
		const isNew = ++this.names <= UNCHECKED_NAMES || this.isNew(source.slice(start, end));
		this.spend(isNew ? COSTS_US.newName : COSTS_US.name);
	}

	private isNew(name: string): boolean {
		return this.known.size < this.known.add(name).size;
	}

	private spend(us: number): void {
		this.spentUs += us;
		if (this.spentUs > MAX_PARSE_US) throw new JsonTooLarge();
	}
}
