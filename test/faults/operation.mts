import type { INodeExecutionData, INodeParameters, INodeType } from 'n8n-workflow';
import { CASES, type CaseOfNode } from '../cases/all.mts';
import type { FaultRow, Scene } from '../cases/case.mts';
import { MARKED_ADDRESS, MARKED_HASH, TOKEN_ADDRESS } from '../cases/marked.mts';
import { buildFileInMemory } from '../harness/binary.mts';
import { getNode } from '../harness/nodes.mts';
import { markOf } from './mark.mts';

/** An operation that is tested with faults: its request and answer in a test case, and the node of the case. */
export interface Operation extends FaultRow {
	readonly name: string;
	readonly node: INodeType;
	readonly credential: 'platform' | 'token';
	/** The parameters of each item. They contain `$json.mark`, which identifies the item in requests. */
	readonly parameters: INodeParameters;
}

export const ITEMS = 3;

export const items = itemsOf(ITEMS);

export function itemsOf(count: number): readonly INodeExecutionData[] {
	return Array.from({ length: count }, (_, item) => ({
		json: { item, mark: markOf(item) },
		binary: { data: buildFileInMemory(Buffer.from(`file of ${markOf(item)}`)) },
	}));
}

/**
 * A scene without a chain. Every account and every hash in it contains `$json.mark`, which identifies the item in
 * requests.
 */
const MARKED_SCENE = {
	payer: MARKED_ADDRESS,
	holder: MARKED_ADDRESS,
	other: MARKED_ADDRESS,
	lastPayment: { transactionHash: MARKED_HASH, blockHash: MARKED_HASH, blockNumber: 1 },
	token: { address: TOKEN_ADDRESS },
} as Scene;

/** Counts the requests for an item when no request fails. */
export const countRequests = ({ steps = [1] }: Operation) =>
	steps.reduce((sum, step) => sum + step);

/** Every row of every case. */
export const operations: readonly Operation[] = CASES.flatMap((one) =>
	(one.faults ?? []).map((row) => buildOperation(one, row)),
);

function buildOperation(one: CaseOfNode, row: FaultRow): Operation {
	const { node, resource, operation, accesses } = one;
	return {
		...row,
		name: `${node} ${resource} ${operation}${row.about ? `, ${row.about}` : ''}`,
		node: getNode(node),
		credential: accesses.includes('platform') ? 'platform' : 'token',
		parameters: { resource, operation, ...(row.asks ?? getMarked(one)) },
	};
}

function getMarked({ operation, parameters }: CaseOfNode): INodeParameters {
	const given = parameters?.(MARKED_SCENE) ?? {};
	if (given instanceof Promise) throw new Error(`The row of ${operation} has to say what it asks`);
	return given;
}
