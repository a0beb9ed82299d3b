import {
	beginCell,
	Cell,
	Dictionary,
	loadShardAccount,
	loadTransaction,
	parseTuple,
	type ShardAccount,
	storeShardAccount,
	type Transaction,
	type TupleItem,
} from '@ton/core';
import { defaultConfig, Executor } from '@ton/sandbox';

/**
 * Loads the executor once for all chains of a process, even for those of other test files.
 * It has no state of its own, and takes a second to load.
 */
const held = globalThis as { tonExecutor?: Promise<Executor> };
const loadExecutor = async () => await (held.tonExecutor ??= Executor.create());

const NO_RANDOMNESS = Buffer.alloc(32);
const GET_METHOD_GAS = 10_000_000n;

/** A failure that means that the virtual machine refused a message, so that there is no transaction. */
export class NotAccepted extends Error {
	/** The exit code. It is undefined if no code ran. */
	readonly exitCode: number | undefined;

	constructor(message: string, exitCode: number | undefined) {
		super(message);
		this.exitCode = exitCode;
	}
}

/** Accounts in the serialized form of the virtual machine, by raw address. */
export type Accounts = Map<string, string>;

export interface Execution {
	readonly transaction: Transaction;
	readonly after: ShardAccount;
	/** The account in the serialized form of the virtual machine. */
	readonly account: string;
	readonly outgoing: readonly Cell[];
}

/** Runs a message at its receiver. The run changes nothing until the caller stores the returned account. */
export async function execute(
	shardAccount: string | undefined,
	message: Cell,
	{ now, lt, ignoreChksig = false }: { now: number; lt: bigint; ignoreChksig?: boolean },
): Promise<Execution> {
	const { result } = await (
		await loadExecutor()
	).runTransaction({
		config: defaultConfig,
		libs: null,
		verbosity: 'short',
		shardAccount: shardAccount ?? NO_ACCOUNT,
		now,
		lt,
		randomSeed: NO_RANDOMNESS,
		ignoreChksig,
		debugEnabled: false,
		message,
	});
	if (!result.success) {
		const { vmLog, vmExitCode } = result.vmResults ?? {};
		throw new NotAccepted(result.error, vmLog ? vmExitCode : undefined);
	}
	const transaction = loadTransaction(Cell.fromBase64(result.transaction).beginParse());
	return {
		transaction,
		account: result.shardAccount,
		after: parseAccount(result.shardAccount),
		outgoing: listOutgoing(transaction),
	};
}

/** Lists the cells of the outgoing messages in their order. Cells that are written anew might have other hashes. */
export function listOutgoing({ raw }: Transaction): readonly Cell[] {
	const messages = raw.refs[0]!.beginParse();
	messages.loadMaybeRef();
	return messages.loadDict(Dictionary.Keys.Uint(15), Dictionary.Values.Cell()).values();
}

export function getIncoming({ raw }: Transaction): Cell | null {
	return raw.refs[0]!.beginParse().loadMaybeRef();
}

export const parseAccount = (account: string): ShardAccount =>
	loadShardAccount(Cell.fromBase64(account).beginParse());

export const formatAccount = (account: ShardAccount): string =>
	beginCell().store(storeShardAccount(account)).endCell().toBoc().toString('base64');

const NO_ACCOUNT = formatAccount({ lastTransactionHash: 0n, lastTransactionLt: 0n });

interface MethodResult {
	readonly exitCode: number;
	readonly gasUsed: number;
	readonly stack: TupleItem[];
}

/** Runs a get-method. Returns undefined if the account has no code. */
export async function runMethod(
	{ account }: ShardAccount,
	methodId: number,
	stack: TupleItem[],
	now: number,
): Promise<MethodResult | undefined> {
	if (account?.storage.state.type !== 'active') return undefined;
	const { code, data } = account.storage.state.state;
	if (!code) return undefined;
	const { output } = await (
		await loadExecutor()
	).runGetMethod({
		code,
		data: data ?? new Cell(),
		methodId,
		stack,
		config: defaultConfig,
		verbosity: 'short',
		address: account.addr,
		unixTime: now,
		balance: account.storage.balance.coins,
		randomSeed: NO_RANDOMNESS,
		gasLimit: GET_METHOD_GAS,
		debugEnabled: false,
	});
	if (!output.success) throw new Error(output.error);
	return {
		exitCode: output.vm_exit_code,
		gasUsed: Number(output.gas_used),
		stack: parseTuple(Cell.fromBase64(output.stack)),
	};
}
