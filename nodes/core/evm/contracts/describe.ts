import type { RpcReader } from '../../chain/reader';
import { RequestFailure } from '../../errors/requestFailure';
import { runInSlices } from '../../net/pacing/slices';
import type { AbiParameter } from '../abi/composed';
import type { AbiError, AbiEvent, AbiFunction } from '../abi/entry';
import { checksumAddress } from '../address';
import { findPushedSelectors } from './bytecode/opcodes';
import { findSelectors } from './bytecode/selectors';
import { fetchAbi, type MetadataSource } from './metadata';
import { findMetadataCid } from './metadataCid';
import { readRunCode, type RunCode } from './proxies';
import { nameByStandards } from './standards';
import { sharedKey } from '../../net/pacing/shared';

/** The source of a function's name: the deployer's metadata, or a standard. `bytecode` means that the name is unknown. */
type Source = 'metadata' | 'standard' | 'bytecode';

interface FoundFunction {
	readonly selector: string;
	readonly source: Source;
	/** The function as it was declared, if its name is known. */
	readonly declared?: AbiFunction;
}

/** A contract, as its code on the chain and its deployer's metadata describe it. */
export interface FoundContract {
	readonly run: RunCode;
	readonly functions: readonly FoundFunction[];
	readonly events: readonly AbiEvent[];
	readonly errors: readonly AbiError[];
	/** The reason why the contract's metadata was not used although it exists. */
	readonly problem?: RequestFailure;
}

/** Reads the functions, events and errors of a contract, from its address alone. */
export async function readFoundContract(
	reader: RpcReader,
	contract: string,
	source: MetadataSource | undefined,
): Promise<FoundContract> {
	const run = await readRunCode(reader, contract);
	const [found, claimed] = await Promise.all([
		findFunctions(reader, run),
		findClaimedAbi(run.code, source),
	]);
	const abi = claimed && !(claimed instanceof RequestFailure) ? claimed : undefined;
	const isOwn = abi && hasAll(run.code, found, abi.functions);
	const { functions: named = [], events = [], errors = [] } = isOwn ? abi : {};
	const functions = mergeFunctions(named, found);
	if (functions.length === 0) throw noFunctionsError(contract);
	return {
		run,
		functions,
		events,
		errors,
		problem:
			claimed instanceof RequestFailure ? claimed : isOwn === false ? foreignError() : undefined,
	};
}

function noFunctionsError(contract: string): RequestFailure {
	return new RequestFailure(`No functions are found in the contract ${checksumAddress(contract)}`, {
		description:
			'The contract may forward its calls in an unknown way. If you need its ABI, enter the ABI yourself.',
	});
}

function foreignError(): RequestFailure {
	return new RequestFailure(
		"The metadata from the IPFS gateway does not fit the contract: it declares functions that the contract's code does not have",
	);
}

const FUNCTION_SEARCHES = sharedKey(
	'evm.functionSearches',
	() => new Map<string, Promise<ReadonlySet<string>>>(),
);

/** Searches the code of a contract for functions, once in a run. */
async function findFunctions(
	reader: RpcReader,
	{ address, code }: RunCode,
): Promise<ReadonlySet<string>> {
	const searches = reader.shared(FUNCTION_SEARCHES);
	const key = address.toLowerCase();
	const searching = searches.get(key) ?? searchCode(code);
	searches.set(key, searching);
	return await searching;
}

async function searchCode(code: Buffer): Promise<ReadonlySet<string>> {
	const found = await runInSlices(findSelectors(code));
	return new Set([...found].map((selector) => `0x${selector.toString(16).padStart(8, '0')}`));
}

async function findClaimedAbi(code: Buffer, source: MetadataSource | undefined) {
	const cid = source && findMetadataCid(code);
	return source && cid ? await fetchAbi(source, cid) : undefined;
}

/** Whether the code has all functions that the metadata declares. If not, the metadata belongs to another contract. */
function hasAll(
	code: Buffer,
	found: ReadonlySet<string>,
	functions: readonly AbiFunction[],
): boolean {
	const missing = functions.filter(({ selector }) => !found.has(selector));
	if (missing.length === 0) return true;
	const pushed = findPushedSelectors(code);
	return missing.every(({ selector }) => pushed.has(Number(selector)));
}

/** Sorts functions: those of the deployer's metadata in its order, those of standards, those without a name. */
function mergeFunctions(
	named: readonly AbiFunction[],
	found: ReadonlySet<string>,
): FoundFunction[] {
	const known = new Set(named.map(({ selector }) => selector));
	const standard = nameByStandards(found);
	const others = [...found]
		.filter((selector) => !known.has(selector))
		.map((selector): FoundFunction => {
			const declared = standard.get(selector);
			return declared
				? { selector, source: 'standard', declared }
				: { selector, source: 'bytecode' };
		});
	return [
		...named.map((declared): FoundFunction => {
			const { selector } = declared;
			return { selector, source: 'metadata', declared };
		}),
		...others.filter(({ declared }) => declared),
		...others.filter(({ declared }) => !declared),
	];
}

/** Describes a contract with one item for each function, event and error. */
export function describeContract(contract: string, found: FoundContract): object[] {
	const { address, proxies } = found.run;
	const whose = {
		contract: checksumAddress(contract),
		implementation: proxies.length === 0 ? null : checksumAddress(address),
		proxy: proxies.length === 0 ? null : proxies.join(', '),
	};
	return [
		...found.functions.map((one) => ({ ...describeFunction(one), ...whose, source: one.source })),
		...found.events.map((one) => ({ ...describeEvent(one), ...whose, source: 'metadata' })),
		...found.errors.map((one) => ({ ...describeError(one), ...whose, source: 'metadata' })),
	];
}

function describeFunction({ selector, declared }: FoundFunction) {
	return {
		kind: 'function',
		name: declared?.name ?? null,
		signature: declared?.signature ?? null,
		selector,
		view: declared?.isView ?? null,
		payable: declared?.isPayable ?? null,
		inputs: declared ? declared.inputs.map(describeParameter) : null,
		outputs: declared ? declared.outputs.map(describeParameter) : null,
	};
}

/** Events and errors have no `view` or `payable`, which only functions have. */
const NO_FUNCTION = { view: null, payable: null };

function describeEvent({ name, signature, topic, isAnonymous, inputs }: AbiEvent) {
	return {
		kind: 'event',
		name,
		signature,
		topic: isAnonymous ? null : topic,
		...NO_FUNCTION,
		inputs: inputs.map((one) => ({ ...describeParameter(one), indexed: one.isIndexed })),
		outputs: [],
	};
}

function describeError({ name, signature, selector, inputs }: AbiError) {
	const described = inputs.map(describeParameter);
	return {
		kind: 'error',
		name,
		signature,
		selector,
		...NO_FUNCTION,
		inputs: described,
		outputs: [],
	};
}

function describeParameter({ name, type }: AbiParameter) {
	return { name, type: type.name };
}
