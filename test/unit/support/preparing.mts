import type { Field } from '../../../nodes/core/operation/field';
import { parameterReader } from '../../../nodes/core/operation/parameters';
import { memoryOf, resultsOf } from '../../../nodes/core/operation/results';
import type { RpcRequest } from '../../../nodes/core/rpc/request';
import { prepare } from '../../../nodes/EvmRpc/prepare/prepare';
import { contextOf } from './chains.mts';

/** What a node answers to a method; what is an error is thrown. */
export type Answers = Readonly<Record<string, unknown>>;

export interface Prepared {
	readonly transaction: Readonly<Record<string, string>>;
	readonly unsignedTransaction: string;
	readonly signingHash: string;
	readonly maxCost: string;
	readonly contractAddress: string | null;
	readonly summary: string;
}

export const payer = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
export const payee = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';

export const hex = (number: bigint | number) => `0x${number.toString(16)}`;
export const word = (number: bigint | number) => `0x${number.toString(16).padStart(64, '0')}`;
const GWEI = 10n ** 9n;

/** An honest chain of EIP-1559 on which payers are rich and nothing fails. */
export const honest: Answers = {
	eth_chainId: '0x1',
	eth_gasPrice: hex(11n * GWEI),
	eth_feeHistory: {
		baseFeePerGas: [hex(10n * GWEI)],
		gasUsedRatio: [0.5],
		reward: [[hex(GWEI), hex(2n * GWEI), hex(3n * GWEI)]],
	},
	eth_getBlockByNumber: {
		number: '0x1',
		baseFeePerGas: hex(10n * GWEI),
		gasLimit: hex(30_000_000),
	},
	eth_getBalance: hex(10n ** 24n),
	eth_getTransactionCount: '0x7',
	eth_getCode: '0x',
	eth_estimateGas: hex(21_000),
	eth_call: word(1),
};

type Given = Readonly<Record<string, unknown>>;

/** What comes of each item of a run, whose items are worked on side by side, at a node that answers so. */
export async function preparedAll(items: readonly Given[], answers: Answers = {}) {
	const asked: string[] = [];
	const memory = memoryOf();
	const call = async ({ method, params }: RpcRequest) => {
		asked.push(method);
		const answer = { ...honest, ...answers }[method];
		const result: unknown = typeof answer === 'function' ? answer(params) : answer;
		return await (result instanceof Error ? Promise.reject(result) : Promise.resolve(result));
	};
	const outcomes = await Promise.all(
		items.map(async (item): Promise<Prepared | string> => {
			const given: Given = { from: payer, ...item };
			try {
				const read = parameterReader(
					(field) => given[field.name] ?? field.default,
					prepare.fields as readonly Field[],
				);
				const [made] = await resultsOf(prepare, read(0), contextOf(call, { memory }));
				return made as Prepared;
			} catch (failure) {
				return (failure as Error).message;
			}
		}),
	);
	return { outcomes, asked };
}

/** The same for one item that must not fail. */
export async function preparedOne(given: Given, answers: Answers = {}): Promise<Prepared> {
	const { outcomes } = await preparedAll([given], answers);
	const [made] = outcomes;
	if (typeof made !== 'object') throw new Error(made);
	return made;
}

/** The words with which one item is refused. */
export async function refused(given: Given, answers: Answers = {}): Promise<string> {
	const { outcomes } = await preparedAll([given], answers);
	const [words] = outcomes;
	return typeof words === 'string' ? words : `not refused: ${JSON.stringify(words)}`;
}
