import type { INodeExecutionData, INodeParameters, INodeType } from 'n8n-workflow';
import { EvmRpc } from '../../nodes/EvmRpc/EvmRpc.node';
import { WitnessWallet } from '../../nodes/WitnessWallet/WitnessWallet.node';
import { buildFileInMemory } from '../harness/binary.mts';
import { markOf } from './mark.mts';

/** How an operation travels, which decides the effect of a fault. */
export type Travels = 'batched' | 'rest' | 'once' | 'onceOverRpc';

export interface Operation {
	readonly name: string;
	readonly node: () => INodeType;
	readonly credential: 'platform' | 'token';
	readonly travels: Travels;
	/** The parameters of each item, with its mark somewhere in them. */
	readonly parameters: INodeParameters;
	/** The service's answer: the body, or the result of a call. */
	readonly answer: unknown;
	/** Replaces the answer: the transaction of the witness chain that the request asks for, by its contract. */
	readonly builds?: string;
	/** Whether any answer is valid, because its form is unknown. */
	readonly takesAny?: boolean;
	/** The results of further methods that it calls. */
	readonly others?: Readonly<Record<string, unknown>>;
}

export const ITEMS = 3;

export const items = itemsOf(ITEMS);

export function itemsOf(count: number): readonly INodeExecutionData[] {
	return Array.from({ length: count }, (_, item) => ({
		json: { item, mark: markOf(item) },
		binary: { data: buildFileInMemory(Buffer.from(`file of ${markOf(item)}`)) },
	}));
}

export const address = '={{ "0x" + $json.mark }}';
export const ZERO = `0x${'0'.repeat(64)}`;

export const evm = (parameters: INodeParameters, answer: unknown, travels: Travels = 'batched') =>
	({ node: () => new EvmRpc(), credential: 'token', travels, parameters, answer }) as const;

export const rpc = (method: string) => ({
	resource: 'rpc',
	operation: 'request',
	method,
	params: `={{ ["0x" + $json.mark] }}`,
});

export const wallet = (parameters: INodeParameters, answer: unknown, travels: Travels = 'rest') =>
	({ node: () => new WitnessWallet(), credential: 'token', travels, parameters, answer }) as const;

export const built = (parameters: INodeParameters, builds: string) =>
	({ ...wallet({ ...parameters, visible: false }, undefined), builds }) as const;
