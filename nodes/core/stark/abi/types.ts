import { withKeys } from '../../values/namedValues';
import { catching, InvalidValue } from '../../values/parse';
import { byteArrayCodec } from './byteArray';
import {
	getLastPart,
	shortenTypeName,
	invalidAbiError,
	type CairoCodec,
	type CairoParameter,
	type Declared,
} from './codec';
import {
	buildEnumCodec,
	buildFixedListCodec,
	buildListCodec,
	buildNonZeroCodec,
	buildOptionCodec,
	buildStructCodec,
	buildTupleCodec,
	unitCodec,
} from './composed';
import { buildBoundedCodec, buildLimbsCodec, ELEMENTARY_CODECS } from './elementary';
import { parseTypeText, type TypeText } from './typeText';

/** A struct or an enum as an ABI declares it. */
export interface DeclaredType {
	readonly kind: 'struct' | 'enum';
	readonly members: readonly Declared[];
}

/** Types may be nested this deep. No contract needs more, and a hostile ABI could nest types without end. */
const MAX_TYPE_DEPTH = 32;

/** Makes codecs for the types of an ABI. Each codec is made once, when it is first needed. */
export class CairoTypes {
	private readonly known = new Map<string, CairoCodec | InvalidValue>();
	private readonly around = new Set<string>();
	/** The number of levels of each type, counting the type itself. */
	private readonly levels = new Map<string, number>();
	/** The highest number of levels among the types inside the type that is being built. */
	private levelsBelow = 0;

	constructor(private readonly declared: ReadonlyMap<string, DeclaredType>) {}

	/** Finds the codec of a type. Throws InvalidValue for a type that cannot be parsed. */
	get(text: string): CairoCodec {
		const codec = this.known.get(text) ?? this.remember(text);
		if (codec instanceof InvalidValue) throw codec;
		this.levelsBelow = Math.max(this.levelsBelow, this.levels.get(text) ?? 0);
		return codec;
	}

	/** Makes the parameters of a function. In Cairo 0, a length and the pointer after it become one list. */
	getParameters(declared: readonly Declared[]): CairoParameter[] {
		return withKeys(mergePointers(declared)).map(({ name, key, type }) => ({
			name,
			key,
			type: this.get(type),
		}));
	}

	/**
	 * Builds and stores the codec of a type. A refusal is stored only for an outermost type, because an inner type may
	 * be valid by itself.
	 */
	private remember(text: string): CairoCodec | InvalidValue {
		const codec = catching(InvalidValue, () => this.build(text));
		if (!(codec instanceof InvalidValue) || this.around.size === 0) this.known.set(text, codec);
		return codec;
	}

	private build(text: string): CairoCodec {
		if (this.around.has(text))
			throw invalidAbiError(`the type ${shortenTypeName(text)} contains itself`);
		const besides = this.levelsBelow;
		this.levelsBelow = 0;
		this.around.add(text);
		try {
			throwIfTooDeep(this.around.size);
			const codec = this.buildOf(parseTypeText(text), shortenTypeName(text));
			throwIfTooDeep(this.levelsBelow + 1);
			this.levels.set(text, this.levelsBelow + 1);
			return codec;
		} finally {
			this.around.delete(text);
			this.levelsBelow = besides;
		}
	}

	private buildOf(type: TypeText, name: string): CairoCodec {
		switch (type.form) {
			case 'tuple':
				return type.members.length === 0
					? unitCodec
					: buildTupleCodec(name, this.getParameters(type.members));
			case 'fixedList':
				return buildFixedListCodec(name, this.get(type.item), type.length);
			case 'pointer':
				throw invalidAbiError(`the length of ${name} is missing before it`);
			case 'path':
				return this.buildNamed(type, name);
		}
	}

	private buildNamed(type: Extract<TypeText, { form: 'path' }>, name: string): CairoCodec {
		const builtIn = isBuiltIn(type.path, this.declared)
			? this.buildBuiltIn(getLastPart(type.path), type.args, name)
			: undefined;
		return builtIn ?? this.buildDeclared(type.whole, name);
	}

	private buildBuiltIn(
		last: string,
		args: readonly string[],
		name: string,
	): CairoCodec | undefined {
		const [first, second] = args;
		if (first === undefined)
			return last === 'ByteArray' ? byteArrayCodec : ELEMENTARY_CODECS.get(last);
		switch (last) {
			case 'Array':
			case 'Span':
				return buildListCodec(name, this.get(first));
			case 'Option':
				return buildOptionCodec(name, this.get(first));
			case 'BoundedInt':
				return buildBoundedCodec(name, first, second);
			case 'NonZero':
				return buildNonZeroCodec(name, this.get(first));
			case 'Result':
				return buildEnumCodec(name, [
					{ name: 'Ok', key: 'Ok', type: this.get(first) },
					{ name: 'Err', key: 'Err', type: this.get(second ?? '()') },
				]);
			default:
				return undefined;
		}
	}

	private buildDeclared(whole: string, name: string): CairoCodec {
		const type = this.declared.get(whole);
		if (!type) throw invalidAbiError(`it does not say what the type ${name} is`);
		if (isUint256(whole, type)) return buildLimbsCodec(name, 2);
		const members = this.getParameters(type.members);
		return type.kind === 'enum' ? buildEnumCodec(name, members) : buildStructCodec(name, members);
	}
}

function throwIfTooDeep(levels: number): void {
	if (levels > MAX_TYPE_DEPTH)
		throw invalidAbiError(`a type has more than ${MAX_TYPE_DEPTH} levels`);
}

/**
 * Whether a type belongs to the core library. A name without a path does so only if the contract declares no type of
 * that name.
 */
function isBuiltIn(path: string, declared: ReadonlyMap<string, DeclaredType>): boolean {
	return path.startsWith('core::') || (!path.includes('::') && !declared.has(path));
}

/** Whether the type is the u256 of Cairo 0. */
function isUint256(name: string, { members }: DeclaredType): boolean {
	return name === 'Uint256' && members.map((member) => member.name).join() === 'low,high';
}

function mergePointers(declared: readonly Declared[]): Declared[] {
	return declared.flatMap((one, index) => {
		if (isLengthOf(one, declared[index + 1])) return [];
		const isCounted = isLengthOf(declared[index - 1], one);
		return isCounted
			? [{ name: one.name, type: `Array::<${one.type.trim().slice(0, -1)}>` }]
			: [one];
	});
}

function isLengthOf(length: Declared | undefined, list: Declared | undefined): boolean {
	return list?.type.trim().endsWith('*') === true && length?.name === `${list.name}_len`;
}
