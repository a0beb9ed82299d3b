import type { Sliced } from '../../../net/pacing/slices';
import { Memory } from './memory';
import { countPushedBytes, OP, STACK_CHANGE_BY_CODE } from './opcodes';
import {
	compare,
	createWord,
	differ,
	divide,
	followsFromSelector,
	getBytes,
	getCondition,
	getSentByte,
	maskBytes,
	multiply,
	negate,
	shiftLeft,
	shiftRight,
	UNKNOWN_BYTE,
	WORD_BYTES,
	type Word,
} from './words';

/** The state of a contract at one instruction: the position in the code, the stack and the memory. */
interface Path {
	readonly at: number;
	readonly stack: Word[];
	readonly memory: Memory;
	/** How many instructions have run since the code last read the selector. */
	readonly idle: number;
}

/** More than any contract needs. */
const MAX_STEPS = 100_000;
const MAX_PATHS = 5_000;
const MAX_STACK = 64;
/** Limits the instructions of a path that do not read the selector, because such a path does not choose a function. */
const MAX_IDLE_STEPS = 1_500;
/** How often the same branch is taken both ways. */
const MAX_FORKS = 8;
/** Limits the size of a table of functions. Some compilers look up functions in a table, by a remainder of the selector. */
const MAX_TABLE = 1_024;
const STEPS_PER_SLICE = 4_000;
/** More than any function takes. */
const SENT_BYTES = 0x2000n;

/**
 * Finds the functions of a contract. It runs the part of the code that chooses a function, with an unknown selector.
 * Each selector that the code compares is noted, and the run follows the branch on which the comparison fails.
 */
export function* findSelectors(code: Uint8Array): Sliced<ReadonlySet<number>> {
	const search = new Search(code);
	for (let steps = 0; steps < MAX_STEPS; steps++) {
		if (!search.step()) break;
		if (steps % STEPS_PER_SLICE === STEPS_PER_SLICE - 1) yield;
	}
	return search.found;
}

class Search {
	readonly found = new Set<number>();
	private readonly targets: Uint8Array;
	private readonly paths: Path[] = [];
	private readonly forks = new Map<number, number>();
	private pathCount = 0;
	private at = 0;
	private idle = 0;
	private stack: Word[] = [];
	private memory = Memory.create();
	private isOver = false;

	constructor(private readonly code: Uint8Array) {
		this.targets = findJumpTargets(code);
	}

	/** Carries out one instruction. Returns whether another instruction follows. */
	step(): boolean {
		if (this.isOver && !this.resume()) return false;
		const at = this.at++;
		const op = this.code[at] ?? 0;
		if (++this.idle > MAX_IDLE_STEPS) this.isOver = true;
		else if (op >= OP.PUSH0 && op <= OP.PUSH32) this.pushConstant(op);
		else if (op >= OP.DUP1 && op <= OP.DUP16) this.duplicate(op - OP.DUP1 + 1);
		else if (op >= OP.SWAP1 && op <= OP.SWAP16) this.swap(op - OP.SWAP1 + 1);
		else this.carryOut(op, at);
		return true;
	}

	private resume(): boolean {
		const path = this.paths.pop();
		if (!path) return false;
		this.at = path.at;
		this.idle = path.idle;
		this.stack = path.stack;
		this.memory = path.memory;
		this.isOver = false;
		return true;
	}

	private push(word: Word): void {
		if (this.stack.length < MAX_STACK) this.stack.push(word);
		else this.isOver = true;
	}

	private pushConstant(op: number): void {
		const size = countPushedBytes(op);
		const bytes = Buffer.alloc(size);
		bytes.set(this.code.subarray(this.at, this.at + size));
		this.at += size;
		this.push(size === 0 ? 0n : BigInt(`0x${bytes.toString('hex')}`));
	}

	private duplicate(depth: number): void {
		const word = this.stack.at(-depth);
		if (word === undefined) this.isOver = true;
		else this.push(word);
	}

	private swap(depth: number): void {
		const [top, below] = [this.stack.length - 1, this.stack.length - 1 - depth];
		const [first, second] = [this.stack[top], this.stack[below]];
		if (first === undefined || second === undefined) this.isOver = true;
		else [this.stack[top], this.stack[below]] = [second, first];
	}

	private carryOut(op: number, at: number): void {
		const change = STACK_CHANGE_BY_CODE.get(op);
		if (!change || this.stack.length < change.takes) {
			this.isOver = true;
			return;
		}
		const taken = this.stack.splice(this.stack.length - change.takes).reverse();
		if (op === OP.JUMP) this.jump(taken[0]);
		else if (op === OP.JUMPI) this.branch(taken[0], taken[1], at);
		else if (change.puts === 0) this.write(op, taken);
		else this.put(op, taken, at);
	}

	private jump(target: Word | undefined): void {
		if (typeof target === 'bigint' && this.targets[Number(target)] === 1) this.at = Number(target);
		else this.isOver = true;
	}

	/** Follows the branch on which the selector does not match, because the code of functions is not searched. */
	private branch(target: Word | undefined, word: Word = 'unknown', at: number): void {
		const condition = getCondition(word);
		if (condition === undefined) this.branchBothWays(target, at);
		else if (typeof condition === 'bigint') {
			if (condition !== 0n) this.jump(target);
		} else {
			this.found.add(condition.selector);
			this.idle = 0;
			if (!condition.isTrue) this.jump(target);
		}
	}

	private branchBothWays(target: Word | undefined, at: number): void {
		const forks = this.forks.get(at) ?? 0;
		this.forks.set(at, forks + 1);
		if (forks < MAX_FORKS) this.fork((stack) => stack);
		this.jump(target);
	}

	/** Keeps a second path for later. The second path continues at the next instruction. */
	private fork(change: (stack: Word[]) => Word[]): void {
		if (++this.pathCount > MAX_PATHS) return;
		this.paths.push({
			at: this.at,
			stack: change([...this.stack]),
			memory: this.memory.copy(),
			idle: this.idle,
		});
	}

	private write(op: number, [first = 0n, second = 0n, third = 0n]: readonly Word[]): void {
		const from = typeof second === 'bigint' ? Number(second) : NaN;
		if (op === OP.MSTORE) this.memory.store(first, second);
		else if (op === OP.MSTORE8)
			this.memory.fill(first, 1n, () => getBytes(second)[WORD_BYTES - 1] ?? UNKNOWN_BYTE);
		else if (op === OP.CODECOPY)
			this.memory.fill(first, third, (index) => this.getCodeByte(from + index));
		else if (op === OP.CALLDATACOPY)
			this.memory.fill(first, third, (index) => getCopiedByte(from + index));
		else if (op === OP.RETURNDATACOPY) this.memory.fill(first, third, () => UNKNOWN_BYTE);
	}

	private getCodeByte(at: number): number {
		return Number.isNaN(at) ? UNKNOWN_BYTE : (this.code[at] ?? 0);
	}

	private put(op: number, taken: readonly Word[], at: number): void {
		const [first = 0n, second = 0n] = taken;
		const size = findTableSize(op, first, second);
		if (size !== undefined) this.tryEach(size);
		else if (op === OP.MLOAD) this.push(this.memory.load(first));
		else if (op === OP.PC) this.push(BigInt(at));
		else if (op === OP.CODESIZE) this.push(BigInt(this.code.length));
		else this.push(compute(op, first, second));
	}

	/** Follows each entry of a table of functions. The last entry is followed first, the others later. */
	private tryEach(size: number): void {
		for (let place = 0; place < size - 1; place++) this.fork((stack) => [...stack, BigInt(place)]);
		this.push(BigInt(size - 1));
	}
}

/**
 * Returns the size of the table of functions if the instruction computes an index into that table from the selector;
 * otherwise undefined.
 */
function findTableSize(op: number, first: Word, second: Word): number | undefined {
	if (op === OP.MOD) return followsFromSelector(first) ? toTableSize(second, 0n) : undefined;
	if (op !== OP.AND) return undefined;
	if (followsFromSelector(first)) return toTableSize(second, 1n);
	return followsFromSelector(second) ? toTableSize(first, 1n) : undefined;
}

function toTableSize(bound: Word, more: bigint): number | undefined {
	if (typeof bound !== 'bigint') return undefined;
	const size = bound + more;
	const isMask = more === 0n || (size & bound) === 0n;
	return size > 0n && size <= MAX_TABLE && isMask ? Number(size) : undefined;
}

function getCopiedByte(at: number): number {
	return Number.isNaN(at) ? UNKNOWN_BYTE : getSentByte(at);
}

/**
 * Finds the positions that a contract may jump to, and marks each of them in an array with one byte for each byte of
 * code.
 */
function findJumpTargets(code: Uint8Array): Uint8Array {
	const targets = new Uint8Array(code.length);
	for (let at = 0; at < code.length; at++) {
		const op = code[at] ?? 0;
		if (op === OP.JUMPDEST) targets[at] = 1;
		at += countPushedBytes(op);
	}
	return targets;
}

/**
 * Computes the result of an instruction, for a call that sends no coins. The results of other contracts are unknown.
 */
function compute(op: number, first: Word, second: Word): Word {
	switch (op) {
		case OP.CALLVALUE:
		case OP.RETURNDATASIZE:
			return 0n;
		case OP.CALLDATASIZE:
			return SENT_BYTES;
		case OP.CALLDATALOAD:
			return loadSent(first);
		case OP.EQ:
			return compare(first, second);
		case OP.ISZERO:
			return negate(first);
		case OP.SHR:
			return typeof first === 'bigint' ? shiftRight(second, first) : 'unknown';
		case OP.SHL:
			return typeof first === 'bigint' ? shiftLeft(second, first) : 'unknown';
		case OP.DIV:
			return divide(first, second);
		case OP.MUL:
			return multiply(first, second);
		case OP.AND:
			return maskBytes(first, second);
		default:
			return typeof first === 'bigint' && typeof second === 'bigint'
				? calculate(op, first, second)
				: combine(op, first, second);
	}
}

function loadSent(at: Word): Word {
	if (typeof at !== 'bigint' || at >= SENT_BYTES) return 'unknown';
	return createWord(
		Array.from({ length: WORD_BYTES }, (_, index) => getSentByte(Number(at) + index)),
	);
}

function combine(op: number, first: Word, second: Word): Word {
	if (op === OP.SUB || op === OP.XOR) return differ(first, second);
	return (op === OP.OR || op === OP.ADD) && first === 0n
		? second
		: (op === OP.OR || op === OP.ADD) && second === 0n
			? first
			: 'unknown';
}

const MAX_EXPONENT = 256n;

function calculate(op: number, first: bigint, second: bigint): Word {
	switch (op) {
		case OP.ADD:
			return BigInt.asUintN(256, first + second);
		case OP.SUB:
			return BigInt.asUintN(256, first - second);
		case OP.MOD:
			return second === 0n ? 0n : first % second;
		case OP.EXP:
			return second <= MAX_EXPONENT ? BigInt.asUintN(256, first ** second) : 'unknown';
		case OP.LT:
			return BigInt(first < second);
		case OP.GT:
			return BigInt(first > second);
		case OP.OR:
			return first | second;
		case OP.XOR:
			return first ^ second;
		case OP.NOT:
			return BigInt.asUintN(256, ~first);
		default:
			return 'unknown';
	}
}
