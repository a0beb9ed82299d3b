import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** The npm package with the TypeScript types of each version. The maintainers of the interface publish it. */
const PACKAGES = {
	'0.7': 'starknet-types-07',
	'0.8': 'starknet-types-08',
	'0.9': 'starknet-types-09',
	'0.10': 'starknet-types-0101',
	'0.10.4': 'starknet-types-0104',
} as const;

export type TypedVersion = keyof typeof PACKAGES;

export const TYPED_VERSIONS = Object.keys(PACKAGES) as TypedVersion[];

const ROOT = join(import.meta.dirname, '../../..');
const CHECKED_FILE = join(ROOT, 'checked.ts');

const OPTIONS: ts.CompilerOptions = {
	strict: true,
	noEmit: true,
	skipLibCheck: true,
	types: [],
	lib: ['lib.es2022.d.ts'],
	target: ts.ScriptTarget.ES2022,
	module: ts.ModuleKind.Preserve,
	moduleResolution: ts.ModuleResolutionKind.Bundler,
};

/** A call of a method, with its result or its error. */
export interface Exchange {
	/** The name of the method without its prefix, such as `getNonce`. */
	readonly method: string;
	readonly part: 'params' | 'result' | 'errors';
	readonly value: unknown;
}

type Correction = readonly [versions: readonly TypedVersion[], wrong: RegExp, right: string];

/** Corrections of the published types, which were written by hand and differ from the documents of the interface. */
const CORRECTIONS: readonly Correction[] = [
	// The type says that this member never occurs, so it is not required.
	[TYPED_VERSIONS, /\bblock_hash: never;/g, ''],
	// An event in a trace has its fields directly beside the field `order`.
	[
		['0.7', '0.8'],
		/(ORDERED_EVENT = \{\s+order: number;)\s+event: EVENT;\s+\}/,
		'$1 } & EVENT_CONTENT',
	],
	// An event of the pending block has no block hash and no block number.
	[
		['0.7', '0.8', '0.9'],
		/(EMITTED_EVENT = EVENT & \{)\s+block_hash: BLOCK_HASH;\s+block_number: BLOCK_NUMBER;/,
		'$1 block_hash?: BLOCK_HASH; block_number?: BLOCK_NUMBER;',
	],
	// The values of estimates are felts in all versions. From 0.8 on, the reason of a failed run is nested.
	[['0.8'], /(\b(?:l[12]_(?:data_)?gas_(?:consumed|price)|overall_fee)): number;/g, '$1: FELT;'],
	[['0.8'], /execution_error: string;/, 'execution_error: CONTRACT_EXECUTION_ERROR;'],
	// The ABI of Cairo 0 is a list of entries. Only functions that read name their mutability.
	[
		['0.7'],
		/CONTRACT_ABI = readonly CONTRACT_ABI_ENTRY\[\];/,
		'CONTRACT_ABI = readonly (FUNCTION_ABI_ENTRY | EVENT_ABI_ENTRY | STRUCT_ABI_ENTRY)[];',
	],
	[['0.7'], /stateMutability: FUNCTION/, 'stateMutability?: FUNCTION'],
	// A trace has its fields directly, and not below a field for its kind of transaction, such as `invoke_tx_trace`.
	[
		['0.7'],
		/TRANSACTION_TRACE = \{[^}]+\};/,
		'TRANSACTION_TRACE = INVOKE_TXN_TRACE | DECLARE_TXN_TRACE | DEPLOY_ACCOUNT_TXN_TRACE | L1_HANDLER_TXN_TRACE;',
	],
];

/** Reads the types of a version with the corrections applied. */
function readCorrected(version: TypedVersion, name: string): string {
	const others = CORRECTIONS.filter(([versions]) => versions.includes(version));
	return others.reduce(
		(source, [, wrong, right]) => source.replace(wrong, right),
		readTypes(version, name),
	);
}

/** Lists the corrections that change nothing in the types. */
export function listIdleCorrections(): string[] {
	return CORRECTIONS.flatMap(([versions, wrong]) =>
		versions
			.filter((one) =>
				['components', 'errors'].every((name) => readTypes(one, name).search(wrong) < 0),
			)
			.map((one) => `${one}: ${wrong.source}`),
	);
}

const parsed = new Map<string, ts.SourceFile | undefined>();

function parseCorrected(path: string): ts.SourceFile | undefined {
	const [, folder, name = ''] =
		/@starknet-io\/([^/]+)\/dist\/types\/api\/(\w+)\.d\.ts$/.exec(path) ?? [];
	const version = TYPED_VERSIONS.find((one) => PACKAGES[one] === folder);
	return version && ts.createSourceFile(path, readCorrected(version, name), OPTIONS.target ?? 0);
}

/** Compiles a text as if it were a file of this project. Imported files are parsed only once. */
function compile(text: string): readonly ts.Diagnostic[] {
	const host = ts.createCompilerHost(OPTIONS);
	const { getSourceFile, fileExists } = host;
	host.fileExists = (name) => name === CHECKED_FILE || fileExists(name);
	host.getSourceFile = (name, target) => {
		if (name === CHECKED_FILE) return ts.createSourceFile(name, text, target);
		const known =
			parsed.get(name) ?? parseCorrected(name) ?? getSourceFile.call(host, name, target);
		parsed.set(name, known);
		return known;
	};
	return ts.getPreEmitDiagnostics(ts.createProgram([CHECKED_FILE], OPTIONS, host));
}

/**
 * Checks requests and answers against the types of a version.
 * They are compiled as literals, so TypeScript refuses undeclared members as well as missing members. Returns a line
 * for each refusal.
 */
export function findTypeProblems(version: TypedVersion, exchanges: readonly Exchange[]): string[] {
	const lines = exchanges.map(({ method, part, value }, index) => {
		const literal = JSON.stringify(part === 'params' ? nameParams(version, method, value) : value);
		return `export const v${index}: Methods['starknet_${method}']['${part}'] = ${literal};`;
	});
	const header = `import type { Methods } from '@starknet-io/${PACKAGES[version]}';`;
	const types = compile([header, ...lines].join('\n')).map(({ messageText, file, start = 0 }) => {
		const line = file?.getLineAndCharacterOfPosition(start).line ?? 0;
		const { method = '', part = '' } = exchanges[line - 1] ?? {};
		return `${method} ${part}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
	});
	const felts = exchanges.flatMap(({ method, part, value }) =>
		listHex(value)
			.filter((hex) => !FELT_PATTERN.test(hex))
			.map((hex) => `${method} ${part}: ${hex} is no felt`),
	);
	return [...types, ...felts];
}

/** Reads the pattern of a felt from a comment of the types. The type itself allows any text. */
function readFeltPattern(): RegExp {
	const source = readTypes('0.10.4', 'components');
	const [, pattern] = /@pattern (\S+)\s+\*\/\s*export type FELT\b/.exec(source) ?? [];
	if (pattern === undefined) throw new Error('the types do not say what a felt is');
	return new RegExp(pattern);
}

function readTypes(version: TypedVersion, name: string): string {
	const folder = join(ROOT, 'node_modules/@starknet-io', PACKAGES[version]);
	return readFileSync(join(folder, `dist/types/api/${name}.d.ts`), 'utf8');
}

const FELT_PATTERN = readFeltPattern();

function listHex(value: unknown): string[] {
	if (typeof value === 'string') return /^0x[\da-f]*$/i.test(value) ? [value] : [];
	if (typeof value !== 'object' || value === null) return [];
	return Object.values(value).flatMap(listHex);
}

/** Names the parameters of a call, because the types use names and the call sends positions. */
function nameParams(version: TypedVersion, method: string, params: unknown): unknown {
	const names = listParamNames(version, method);
	if (names.length === 0 || !Array.isArray(params)) return params;
	return Object.fromEntries(params.map((value, index) => [names[index] ?? `more_${index}`, value]));
}

function listParamNames(version: TypedVersion, method: string): string[] {
	const file = ts.createSourceFile('m.ts', readTypes(version, 'methods'), ts.ScriptTarget.ES2022);
	const names: string[] = [];
	const findMember = (node: ts.Node, name: string): ts.TypeNode | undefined =>
		ts.isTypeLiteralNode(node)
			? node.members.filter(ts.isPropertySignature).find((one) => getName(one) === name)?.type
			: undefined;
	const visit = (node: ts.Node): void => {
		const declared = findMember(node, `starknet_${method}`);
		const params = declared && findMember(declared, 'params');
		if (params && ts.isTypeLiteralNode(params))
			names.push(...params.members.filter(ts.isPropertySignature).map(getName));
		ts.forEachChild(node, visit);
	};
	visit(file);
	return names;
}

function getName({ name }: ts.PropertySignature): string {
	return ts.isIdentifier(name) || ts.isStringLiteral(name) ? name.text : '';
}
