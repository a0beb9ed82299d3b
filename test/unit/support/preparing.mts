import type { Field } from '../../../nodes/core/operation/field';
import { createParameterParser } from '../../../nodes/core/operation/parameters';
import { collectResults } from '../../../nodes/core/run';
import type { RpcRequest } from '../../../nodes/core/protocols/rpc/request';
import { prepare } from '../../../nodes/EvmRpc/transaction/prepare/prepare';
import { createContext } from './chains.mts';
import { createShared } from '../../../nodes/core/net/pacing/shared';

/** The answers of a node by method. An error as an answer is thrown. */
export type Answers = Readonly<Record<string, unknown>>;

export interface Prepared {
	readonly transaction: Readonly<Record<string, string>>;
	readonly unsignedTransaction: string;
	readonly signingHash: string;
	readonly maxCost: string;
	readonly contractAddress: string | null;
	readonly summary: string;
}

export const PAYER = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
export const PAYEE = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';

export const numberToHex = (number: bigint | number) => `0x${number.toString(16)}`;
export const toWord = (number: bigint | number) => `0x${number.toString(16).padStart(64, '0')}`;
const GWEI = 10n ** 9n;

/** The answers of an honest chain with EIP-1559 fees. Payers have high balances, and nothing fails. */
export const HONEST_ANSWERS: Answers = {
	eth_chainId: '0x1',
	eth_gasPrice: numberToHex(11n * GWEI),
	eth_feeHistory: {
		baseFeePerGas: [numberToHex(10n * GWEI)],
		gasUsedRatio: [0.5],
		reward: [[numberToHex(GWEI), numberToHex(2n * GWEI), numberToHex(3n * GWEI)]],
	},
	eth_getBlockByNumber: {
		number: '0x1',
		baseFeePerGas: numberToHex(10n * GWEI),
		gasLimit: numberToHex(30_000_000),
	},
	eth_getBalance: numberToHex(10n ** 24n),
	eth_getTransactionCount: '0x7',
	eth_getCode: '0x',
	eth_estimateGas: numberToHex(21_000),
	eth_call: toWord(1),
};

type ParameterValues = Readonly<Record<string, unknown>>;

/** Prepares the items of a run side by side, and returns the outcome of each item. */
export async function prepareAll(items: readonly ParameterValues[], answers: Answers = {}) {
	const asked: string[] = [];
	const failures: Error[] = [];
	const memory = createShared();
	const call = async ({ method, params }: RpcRequest) => {
		asked.push(method);
		const answer = { ...HONEST_ANSWERS, ...answers }[method];
		const result: unknown = typeof answer === 'function' ? answer(params) : answer;
		if (result instanceof Error) throw result;
		return result;
	};
	const outcomes = await Promise.all(
		items.map(async (item): Promise<Prepared | string> => {
			const given: ParameterValues = { from: PAYER, ...item };
			try {
				const read = createParameterParser(
					(field) => given[field.name] ?? field.default,
					prepare.fields as readonly Field[],
				);
				const [made] = await collectResults(
					prepare,
					read(0),
					createContext(call, { shared: memory }),
				);
				return made as Prepared;
			} catch (failure) {
				failures.push(failure as Error);
				return (failure as Error).message;
			}
		}),
	);
	return { outcomes, asked, failures };
}

/** Prepares a single item, which must not fail, and returns its outcome. */
export async function prepareOne(given: ParameterValues, answers: Answers = {}): Promise<Prepared> {
	const { outcomes } = await prepareAll([given], answers);
	const [made] = outcomes;
	if (typeof made !== 'object') throw new Error(made);
	return made;
}

/** Prepares an item that must be refused, and returns the message. */
export async function getRefusal(given: ParameterValues, answers: Answers = {}): Promise<string> {
	const { outcomes } = await prepareAll([given], answers);
	const [words] = outcomes;
	return typeof words === 'string' ? words : `not refused: ${JSON.stringify(words)}`;
}

/** Prepares an item that must be refused, and returns the failure. */
export async function getFailure(given: ParameterValues, answers: Answers = {}) {
	return (await prepareAll([given], answers)).failures[0];
}
