/** A part of assembled code: an instruction by its name, a jump target, the position of data, or raw bytes. */
export type Part =
	| string
	| Push
	| { readonly label: string }
	| { readonly data: string }
	| { readonly addressOf: string; readonly isPushed?: boolean }
	| { readonly bytes: Uint8Array };

interface Push {
	readonly value: bigint;
	readonly size: number;
}

const OPCODES: Readonly<Record<string, number>> = {
	STOP: 0x00,
	ADD: 0x01,
	MUL: 0x02,
	DIV: 0x04,
	MOD: 0x06,
	EXP: 0x0a,
	GT: 0x11,
	EQ: 0x14,
	ISZERO: 0x15,
	AND: 0x16,
	XOR: 0x18,
	SHL: 0x1b,
	SHR: 0x1c,
	CALLVALUE: 0x34,
	CALLDATALOAD: 0x35,
	CALLDATASIZE: 0x36,
	CALLDATACOPY: 0x37,
	CODECOPY: 0x39,
	TIMESTAMP: 0x42,
	MLOAD: 0x51,
	MSTORE: 0x52,
	JUMP: 0x56,
	JUMPI: 0x57,
	JUMPDEST: 0x5b,
	PUSH0: 0x5f,
	PUSH1: 0x60,
	PUSH2: 0x61,
	SWAP1: 0x90,
	DUP1: 0x80,
	DUP2: 0x81,
	DUP3: 0x82,
	DUP4: 0x83,
	INVALID: 0xfe,
};

/** Pushes a number. It takes as many bytes as the number needs, or more if `size` is greater. */
export function push(value: bigint | number, size = 0): Push {
	const needed = Math.ceil(value.toString(16).length / 2);
	return { value: BigInt(value), size: Math.max(size, needed) };
}

export const jumpTo = (label: string): Part => ({ addressOf: label, isPushed: true });

/** Assembles the parts to bytes. Each address takes two bytes. */
export function assemble(parts: readonly Part[]): Buffer {
	const places = new Map<string, number>();
	let at = 0;
	for (const part of parts) {
		if (typeof part === 'object' && 'label' in part) places.set(part.label, at);
		if (typeof part === 'object' && 'data' in part) places.set(part.data, at);
		at += encode(part, () => 0).length;
	}
	return Buffer.concat(parts.map((part) => encode(part, (name) => places.get(name) ?? fail(name))));
}

function encode(part: Part, find: (name: string) => number): Uint8Array {
	if (typeof part === 'string') return Buffer.from([OPCODES[part] ?? fail(part)]);
	if ('bytes' in part) return part.bytes;
	if ('data' in part) return Buffer.alloc(0);
	if ('label' in part) return encode('JUMPDEST', find);
	if ('addressOf' in part) {
		const address = Buffer.alloc(2);
		address.writeUInt16BE(find(part.addressOf));
		return part.isPushed ? Buffer.concat([encode('PUSH2', find), address]) : address;
	}
	const digits = part.value.toString(16).padStart(2 * part.size, '0');
	return Buffer.concat([Buffer.from([0x5f + part.size]), Buffer.from(digits, 'hex')]);
}

function fail(name: string): never {
	throw new Error(`There is no ${name}`);
}
