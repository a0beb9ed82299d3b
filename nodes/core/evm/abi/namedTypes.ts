import { catching, InvalidValue } from '../../values/parse';
import { withKeys } from '../../values/namedValues';
import { buildTupleCodec, type DeclaredParameter } from './composed';
import type { Declaration } from './declarations';
import { getElementaryCodec, invalidAbiError, type AbiCodec } from './elementary';
import { parseParameter, type ResolveType } from './parameters';
import { TokenStream } from './lexer';
import { raise } from '../../errors/raise';

const CONTRACT_KEYWORDS = ['contract', 'interface'];
const TYPE_KEYWORDS = ['struct', 'enum', 'type', ...CONTRACT_KEYWORDS];

/**
 * Resolves the names of declared types as Solidity encodes them. Structs become tuples, enums uint8, and contracts
 * addresses.
 */
export class NamedTypes {
	/** Keyed by `Name`, `Scope.Name`, and `*.Name` for any scope; then by text, because one declaration may be given twice. */
	private readonly declarations = new Map<string, Map<string, Declaration>>();
	/** The codecs of each struct, one for each depth: a struct that is nested too deep in one place may be valid in another. */
	private readonly structCodecs = new Map<Declaration, Array<AbiCodec | InvalidValue>>();
	private readonly structsInProgress = new Set<Declaration>();

	constructor(declarations: readonly Declaration[]) {
		for (const declaration of declarations) {
			const { keyword, name, scope } = declaration;
			if (!TYPE_KEYWORDS.includes(keyword)) continue;
			for (const key of scope === '' ? [name] : [`${scope}.${name}`, `*.${name}`]) {
				const same = this.declarations.get(key) ?? new Map<string, Declaration>();
				this.declarations.set(key, same.set(getIdentityText(declaration), declaration));
			}
		}
	}

	/** Resolves names that are visible in a contract, interface or library (`scope`). */
	createResolver(scope: string): ResolveType {
		return (name, depth) => {
			// The type may be inherited, or belong to a contract that is not given.
			const elsewhere = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : `*.${name}`;
			const key = [`${scope}.${name}`, name, elsewhere].find((one) => this.declarations.has(one));
			const [first, other] = this.declarations.get(key ?? '')?.values() ?? [];
			if (!first) return undefined;
			return other ? raise(ambiguousTypeError(first, other)) : this.buildCodec(first, depth);
		};
	}

	private buildCodec(declaration: Declaration, depth: number): AbiCodec {
		const { keyword, rest } = declaration;
		if (keyword === 'enum') return getElementaryCodec('uint8');
		if (keyword === 'type') return parseUnderlyingType(new TokenStream(rest));
		return keyword === 'struct'
			? this.getStructCodec(declaration, depth)
			: getElementaryCodec('address');
	}

	private getStructCodec(declaration: Declaration, depth: number): AbiCodec {
		if (this.structsInProgress.has(declaration))
			throw invalidAbiError(`the struct ${declaration.name} contains itself`);
		const known = this.structCodecs.get(declaration) ?? [];
		this.structCodecs.set(declaration, known);
		const type = (known[depth] ??= this.buildStructCodec(declaration, depth));
		return type instanceof InvalidValue ? raise(new InvalidValue(type.message)) : type;
	}

	private buildStructCodec(declaration: Declaration, depth: number): AbiCodec | InvalidValue {
		const named = this.createResolver(declaration.scope);
		this.structsInProgress.add(declaration);
		const type = catching(InvalidValue, () =>
			buildTupleCodec(withKeys(parseMembers(new TokenStream(declaration.rest), named, depth))),
		);
		this.structsInProgress.delete(declaration);
		return type;
	}
}

/** Parses the members of a struct in braces, such as `{ address to; uint256 amount; }`. */
function parseMembers(tokens: TokenStream, named: ResolveType, depth: number): DeclaredParameter[] {
	const declared: DeclaredParameter[] = [];
	tokens.takeExpected('{');
	while (!tokens.takeIf('}')) {
		declared.push(parseParameter(tokens, named, depth));
		if (tokens.next.text !== '}') tokens.takeExpected(';');
	}
	return declared;
}

/** `is uint256` */
function parseUnderlyingType(tokens: TokenStream): AbiCodec {
	tokens.takeExpected('is');
	const type = getElementaryCodec(tokens.take().text);
	return tokens.isAtEnd
		? type
		: raise(invalidAbiError(`${tokens.nextForErrors} is not allowed after a type`));
}

function ambiguousTypeError(first: Declaration, other: Declaration): InvalidValue {
	const titles = [first, other].map(getTitle);
	return titles[0] === titles[1]
		? invalidAbiError(`${titles[0]} is declared in two ways`)
		: invalidAbiError(`'${first.name}' may be ${titles.join(' or ')}: write which`);
}

function getTitle({ scope, name }: Declaration): string {
	return scope === '' ? name : `${scope}.${name}`;
}

/** Returns a text that is equal for declarations of the same type. It contains the contract around the type. */
function getIdentityText(declaration: Declaration): string {
	const { keyword, rest } = declaration;
	const kind = CONTRACT_KEYWORDS.includes(keyword) ? 'contract' : keyword;
	const isDetailed = keyword === 'struct' || keyword === 'type';
	const details = isDetailed ? rest.map(({ text }) => text) : [];
	return [kind, getTitle(declaration), ...details].join(' ');
}
