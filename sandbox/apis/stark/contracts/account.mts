import { encodeShortString } from '../machine/felts.mts';
import { getSelector } from '../machine/hashes.mts';
import { Panic, createPanicError, createRefusalError } from '../machine/execution.mts';
import * as abi from '../machine/contract.mts';

export const PUBLIC_KEY = 'publicKey';

/**
 * The answer of an account that accepts a transaction. The account always gives it, because the sandbox checks the
 * signature before the account's code runs.
 */
const VALIDATED = encodeShortString('VALID');

const CALL = 'core::starknet::account::Call';

interface Step {
	to: bigint;
	selector: bigint;
	calldata: bigint[];
}

/**
 * Reads the calls in the argument of `__execute__`. The argument has the number of calls, then each call with its own
 * calldata.
 */
function readSteps(felts: readonly bigint[]): Step[] {
	const steps: Step[] = [];
	for (let at = 1; at < felts.length; ) {
		const [to = 0n, selector = 0n, length = 0n] = felts.slice(at, at + 3);
		const end = at + 3 + Number(length);
		steps.push({ to, selector, calldata: felts.slice(at + 3, end) });
		at = end;
	}
	return steps;
}

function throwIfCalledByContract({ caller }: abi.Context): void {
	if (caller !== 0n) throw createPanicError('Account: invalid caller');
}

/** Runs a call of an account. If the call fails, some accounts name the call first and then give the reason. */
function runStep(context: abi.Context, step: Step, index: number, namesCalls: boolean) {
	try {
		return context.call(step.to, step.selector, step.calldata);
	} catch (error) {
		if (!namesCalls || !(error instanceof Panic)) throw error;
		const { felts, words, frames } = error;
		const prefix = [encodeShortString('argent/multicall-failed'), BigInt(index)];
		throw new Panic([...prefix, ...felts], { words, frames });
	}
}

/** Creates the class of an account of Cairo 1, which has one key of the STARK curve. */
export const createAccountClass = (key: string, { namesCalls }: { namesCalls: boolean }) =>
	abi.createSierraClass(
		key,
		[
			abi.describeSpan(abi.FELT),
			abi.describeStruct(CALL, {
				to: abi.ADDRESS,
				selector: abi.FELT,
				calldata: abi.spanOf(abi.FELT),
			}),
			...abi.describeInterface('openzeppelin::account::interface::ISRC6', [
				abi.describeFunction(
					'__execute__',
					{ calls: abi.arrayOf(CALL) },
					abi.arrayOf(abi.spanOf(abi.FELT)),
					'external',
				),
				abi.describeFunction('__validate__', { calls: abi.arrayOf(CALL) }, abi.FELT),
			]),
			...abi.describeInterface('openzeppelin::account::interface::IPublicKey', [
				abi.describeFunction('get_public_key', {}, abi.FELT),
			]),
			abi.describeEvents('sandbox::account::Account::Event', {}),
		],
		{
			__execute__: (context, felts = []) => {
				throwIfCalledByContract(context);
				const results = readSteps(felts).map((step, index) =>
					runStep(context, step, index, namesCalls),
				);
				return [
					BigInt(results.length),
					...results.flatMap((result) => [BigInt(result.length), ...result]),
				];
			},
			__validate__: () => [VALIDATED],
			get_public_key: (context) => [context.read(PUBLIC_KEY)],
		},
	);

/**
 * Creates the class of an account of Cairo 0. The calls of a transaction share one list of calldata, and each call says
 * which part of the list is its own.
 */
export const createOldAccountClass = (key: string) =>
	abi.createCairo0Class(
		key,
		[
			{
				type: 'struct',
				name: 'AccountCallArray',
				size: 4,
				members: ['to', 'selector', 'data_offset', 'data_len'].map((name, offset) => ({
					name,
					offset,
					type: 'felt',
				})),
			},
			describeOldExecute('__execute__', [
				{ name: 'response_len', type: 'felt' },
				{ name: 'response', type: 'felt*' },
			]),
			describeOldExecute('__validate__', []),
			{
				type: 'function',
				name: 'getPublicKey',
				inputs: [],
				outputs: [{ name: 'publicKey', type: 'felt' }],
				stateMutability: 'view',
			},
		],
		{
			__execute__: (context, _count, calls = [], _length, data = []) => {
				if (context.caller !== 0n) throw createRefusalError('Account: no reentrant call');
				const starts = Array.from({ length: calls.length / 4 }, (_, index) => index * 4);
				const results = starts.flatMap((start) => {
					const [to = 0n, selector = 0n, offset, length] = calls.slice(start, start + 4);
					const from = Number(offset);
					return context.call(to, selector, data.slice(from, from + Number(length)));
				});
				return [BigInt(results.length), ...results];
			},
			__validate__: () => [],
			getPublicKey: (context) => [context.read(PUBLIC_KEY)],
		},
	);

const describeOldExecute = (name: string, outputs: { name: string; type: string }[]) => ({
	type: 'function',
	name,
	inputs: [
		{ name: 'call_array_len', type: 'felt' },
		{ name: 'call_array', type: 'AccountCallArray*' },
		{ name: 'calldata_len', type: 'felt' },
		{ name: 'calldata', type: 'felt*' },
	],
	outputs,
});

export const EXECUTE = getSelector('__execute__');
export const VALIDATE = getSelector('__validate__');
