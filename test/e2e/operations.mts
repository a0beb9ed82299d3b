import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { evm } from './operations/evm.mts';
import type { Case } from './operations/case.mts';
import { others } from './operations/others.mts';
import { platform } from './operations/platform.mts';
import { signer } from './operations/signer.mts';
import { utilities } from './operations/utilities.mts';
import { isQuick } from './folder.mts';
import { line, ours, resultOf } from './workflows.mts';
import { demo } from './world.mts';

const cases: readonly Case[] = [...platform, ...evm, ...others, ...utilities, ...signer];

/** The quick run tests the first operation of each node. */
const chosen = cases.filter(
	({ type }, index) => !isQuick || cases.findIndex((one) => one.type === type) === index,
);

interface NodeType {
	name: string;
	properties: Array<{
		name: string;
		type: string;
		options?: Array<{ value: string }>;
		displayOptions?: { show?: { resource?: string[] } };
	}>;
}

describe('operations', () => {
	it('are all among these tests', async () => {
		const types = await demo.api.types<NodeType>('nodes');
		const own = types.filter(({ name }) =>
			/^n8n-nodes-chain-infra(-signer)?\.\w+(?<!Tool)$/.test(name),
		);
		const tested = new Set(cases.map((one) => nameOf(one)));
		assert.deepEqual([...tested].sort(), own.flatMap(operationsOf).sort());
	});

	for (const one of chosen) {
		for (const access of one.accesses ?? (['token', 'basicAuth'] as const)) {
			it(`${nameOf(one)}${one.about ? `, ${one.about}` : ''}, by ${access}`, async () => {
				const { type, resource, operation } = one;
				const given = await one.parameters?.(access);
				const tested = ours(type, access, { ...(resource && { resource }), operation, ...given });
				const items = await resultOf(line(...(one.before ?? []), tested));
				await one.check(items);
			});
		}
	}
});

function nameOf({ type, resource, operation }: Omit<Case, 'check'>): string {
	return [type, resource, operation].filter(Boolean).join(' ');
}

/** n8n adds this entry to every menu: it leads to the HTTP Request node. */
const CUSTOM_CALL = '__CUSTOM_API_CALL__';

/** Lists the operations in the menus of the node. */
function operationsOf({ name, properties }: NodeType): string[] {
	const type = name.split('.')[1] ?? '';
	const hasMenu = properties.some((one) => one.name === 'resource' && one.type === 'options');
	return properties
		.filter((property) => property.name === 'operation')
		.flatMap(({ options = [], displayOptions }) =>
			options
				.filter(({ value }) => value !== CUSTOM_CALL)
				.map(({ value: operation }) =>
					nameOf({
						type,
						resource: hasMenu ? displayOptions?.show?.resource?.[0] : undefined,
						operation,
					}),
				),
		);
}
