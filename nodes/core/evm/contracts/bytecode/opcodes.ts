/** How many words each instruction takes from the stack and puts on it. A row is for instructions from `first` to `last`. */
const STACK_CHANGES: ReadonlyArray<
	readonly [first: number, last: number, takes: number, puts: number]
> = [
	[0x01, 0x07, 2, 1],
	[0x08, 0x09, 3, 1],
	[0x0a, 0x0b, 2, 1],
	[0x10, 0x14, 2, 1],
	[0x15, 0x15, 1, 1],
	[0x16, 0x18, 2, 1],
	[0x19, 0x19, 1, 1],
	[0x1a, 0x1d, 2, 1],
	[0x1e, 0x1e, 1, 1],
	[0x20, 0x20, 2, 1],
	[0x30, 0x30, 0, 1],
	[0x31, 0x31, 1, 1],
	[0x32, 0x34, 0, 1],
	[0x35, 0x35, 1, 1],
	[0x36, 0x36, 0, 1],
	[0x37, 0x37, 3, 0],
	[0x38, 0x38, 0, 1],
	[0x39, 0x39, 3, 0],
	[0x3a, 0x3a, 0, 1],
	[0x3b, 0x3b, 1, 1],
	[0x3c, 0x3c, 4, 0],
	[0x3d, 0x3d, 0, 1],
	[0x3e, 0x3e, 3, 0],
	[0x3f, 0x40, 1, 1],
	[0x41, 0x48, 0, 1],
	[0x49, 0x49, 1, 1],
	[0x4a, 0x4a, 0, 1],
	[0x50, 0x50, 1, 0],
	[0x51, 0x51, 1, 1],
	[0x52, 0x53, 2, 0],
	[0x54, 0x54, 1, 1],
	[0x55, 0x55, 2, 0],
	[0x56, 0x56, 1, 0],
	[0x57, 0x57, 2, 0],
	[0x58, 0x5a, 0, 1],
	[0x5b, 0x5b, 0, 0],
	[0x5c, 0x5c, 1, 1],
	[0x5d, 0x5d, 2, 0],
	[0x5e, 0x5e, 3, 0],
	[0xa0, 0xa0, 2, 0],
	[0xa1, 0xa1, 3, 0],
	[0xa2, 0xa2, 4, 0],
	[0xa3, 0xa3, 5, 0],
	[0xa4, 0xa4, 6, 0],
	[0xf0, 0xf0, 3, 1],
	[0xf1, 0xf2, 7, 1],
	[0xf4, 0xf4, 6, 1],
	[0xf5, 0xf5, 4, 1],
	[0xfa, 0xfa, 6, 1],
];

interface StackChange {
	readonly takes: number;
	readonly puts: number;
}

/** How each instruction changes the stack. A path of the code ends at an instruction that is not in the map. */
export const STACK_CHANGE_BY_CODE: ReadonlyMap<number, StackChange> = new Map(
	STACK_CHANGES.flatMap(([first, last, takes, puts]) =>
		Array.from({ length: last - first + 1 }, (_, at) => [first + at, { takes, puts }] as const),
	),
);

export const OP = {
	ADD: 0x01,
	MUL: 0x02,
	SUB: 0x03,
	DIV: 0x04,
	MOD: 0x06,
	EXP: 0x0a,
	LT: 0x10,
	GT: 0x11,
	EQ: 0x14,
	ISZERO: 0x15,
	AND: 0x16,
	OR: 0x17,
	XOR: 0x18,
	NOT: 0x19,
	SHL: 0x1b,
	SHR: 0x1c,
	CALLVALUE: 0x34,
	CALLDATALOAD: 0x35,
	CALLDATASIZE: 0x36,
	CALLDATACOPY: 0x37,
	CODESIZE: 0x38,
	CODECOPY: 0x39,
	RETURNDATASIZE: 0x3d,
	RETURNDATACOPY: 0x3e,
	MLOAD: 0x51,
	MSTORE: 0x52,
	MSTORE8: 0x53,
	JUMP: 0x56,
	JUMPI: 0x57,
	PC: 0x58,
	GAS: 0x5a,
	JUMPDEST: 0x5b,
	PUSH0: 0x5f,
	PUSH32: 0x7f,
	DUP1: 0x80,
	DUP16: 0x8f,
	SWAP1: 0x90,
	SWAP16: 0x9f,
	DELEGATECALL: 0xf4,
} as const;

/** How many bytes after the instruction are pushed by it. */
export function countPushedBytes(code: number): number {
	return code > OP.PUSH0 && code <= OP.PUSH32 ? code - OP.PUSH0 : 0;
}

/** Yields the instructions in order. The bytes that an instruction pushes are between `start` and `end`. */
export function* readInstructions(code: Uint8Array) {
	for (let at = 0; at < code.length; ) {
		const op = code[at] ?? 0;
		const start = at + 1;
		at = start + countPushedBytes(op);
		yield { op, start, end: at };
	}
}

const SELECTOR_BYTES = 4;

/** Finds all numbers in the code that may be selectors. The code omits the leading zeros of a selector. */
export function findPushedSelectors(code: Buffer): ReadonlySet<number> {
	const found = new Set<number>();
	for (const { start, end } of readInstructions(code)) {
		const size = end - start;
		if (size > 0 && size <= SELECTOR_BYTES && end <= code.length)
			found.add(code.readUIntBE(start, size));
	}
	return found;
}
