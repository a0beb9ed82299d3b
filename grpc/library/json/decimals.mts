const NUMBER_PATTERN = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Normalizes the text of a number; an integer is written in digits alone, unless it is huge. */
export function normalizeDecimal(text: string): string {
	const [, sign = '', whole, part = '', exponent = '0'] = NUMBER_PATTERN.exec(text) ?? [];
	if (whole === undefined) return text;
	const all = (whole + part).replace(/^0+/, '');
	const digits = all.replace(/(?<!0)0+$/, '');
	if (digits === '') return '0';
	const zeros = Number(exponent) - part.length + all.length - digits.length;
	const isLong = zeros >= 0 && zeros <= 20;
	return sign + digits + (isLong ? '0'.repeat(zeros) : `e${zeros}`);
}

export function isSameNumber(one: string, other: string): boolean {
	return one === other || normalizeDecimal(one) === normalizeDecimal(other);
}

/** Whether a double can represent the number: an integer exactly, a fraction as closely as doubles can. */
export function isDouble(text: string): boolean {
	const value = Number(text);
	if (!Number.isFinite(value)) return false;
	if (!Number.isInteger(value)) return true;
	return [String(value), String(BigInt(value))].some((spelling) => isSameNumber(spelling, text));
}
