import { attempt, InvalidValue, mustBe } from '../values/read';
import { abiTupleOf, keyed, type Declared } from './composed';
import type { Declaration } from './declarations';
import { elementary, invalidAbi, type AbiType } from './elementary';
import { parameter, type NamedType } from './parameters';
import { Tokens } from './tokens';

const CONTRACTS = ['contract', 'interface'];
const DECLARING = ['struct', 'enum', 'type', ...CONTRACTS];

/** Structs become tuples, enums uint8, contracts addresses, as Solidity encodes them. */
export class NamedTypes {
	/** By `Name`, `Scope.Name`, and `*.Name` for those of any scope; by their text, because one may be given twice. */
	private readonly declared = new Map<string, Map<string, Declaration>>();
	/** By how many tuples and lists are around them: what is too deep in one place may be used in another. */
	private readonly structs = new Map<Declaration, Array<AbiType | InvalidValue>>();
	private readonly beingRead = new Set<Declaration>();

	constructor(declarations: readonly Declaration[]) {
		for (const declaration of declarations) {
			const { keyword, name, scope } = declaration;
			if (!DECLARING.includes(keyword)) continue;
			for (const key of scope === '' ? [name] : [`${scope}.${name}`, `*.${name}`]) {
				const same = this.declared.get(key) ?? new Map<string, Declaration>();
				this.declared.set(key, same.set(textOf(declaration), declaration));
			}
		}
	}

	/** As they are seen from within a contract, interface or library. */
	seenFrom(scope: string): NamedType {
		return (name, depth) => {
			// One that is inherited, or one of a contract that is not given.
			const elsewhere = name.includes('.') ? name.slice(name.lastIndexOf('.') + 1) : `*.${name}`;
			const key = [`${scope}.${name}`, name, elsewhere].find((one) => this.declared.has(one));
			const [first, other] = this.declared.get(key ?? '')?.values() ?? [];
			if (!first) return undefined;
			return other ? unclear(first, other) : this.typeOf(first, depth);
		};
	}

	private typeOf(declaration: Declaration, depth: number): AbiType {
		const { keyword, rest } = declaration;
		if (keyword === 'enum') return elementary('uint8');
		if (keyword === 'type') return underlying(new Tokens(rest));
		return keyword === 'struct' ? this.struct(declaration, depth) : elementary('address');
	}

	private struct(declaration: Declaration, depth: number): AbiType {
		if (this.beingRead.has(declaration))
			return invalidAbi(`the struct ${declaration.name} contains itself`);
		const known = this.structs.get(declaration) ?? [];
		this.structs.set(declaration, known);
		const type = (known[depth] ??= this.read(declaration, depth));
		return type instanceof InvalidValue ? mustBe(type.message) : type;
	}

	private read(declaration: Declaration, depth: number): AbiType | InvalidValue {
		const named = this.seenFrom(declaration.scope);
		this.beingRead.add(declaration);
		const type = attempt(InvalidValue, () =>
			abiTupleOf(keyed(members(new Tokens(declaration.rest), named, depth))),
		);
		this.beingRead.delete(declaration);
		return type;
	}
}

/** `{ address to; uint256 amount; }` */
function members(tokens: Tokens, named: NamedType, depth: number): Declared[] {
	const declared: Declared[] = [];
	tokens.expect('{');
	while (!tokens.takeIf('}')) {
		declared.push(parameter(tokens, named, depth));
		if (tokens.next.text !== '}') tokens.expect(';');
	}
	return declared;
}

/** `is uint256` */
function underlying(tokens: Tokens): AbiType {
	tokens.expect('is');
	const type = elementary(tokens.take().text);
	return tokens.isAtEnd ? type : invalidAbi(`${tokens.found} is not allowed after a type`);
}

function unclear(first: Declaration, other: Declaration): never {
	const titles = [first, other].map(titleOf);
	return titles[0] === titles[1]
		? invalidAbi(`${titles[0]} is declared in two ways`)
		: invalidAbi(`'${first.name}' may be ${titles.join(' or ')}: write which`);
}

function titleOf({ scope, name }: Declaration): string {
	return scope === '' ? name : `${scope}.${name}`;
}

/** As much of it as the type depends on, where it is declared included. */
function textOf(declaration: Declaration): string {
	const { keyword, rest } = declaration;
	const kind = CONTRACTS.includes(keyword) ? 'contract' : keyword;
	const isDetailed = keyword === 'struct' || keyword === 'type';
	const details = isDetailed ? rest.map(({ text }) => text) : [];
	return [kind, titleOf(declaration), ...details].join(' ');
}
