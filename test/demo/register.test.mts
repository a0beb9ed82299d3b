import type { Api } from '../../demo/run/api.mts';
import type { RunningN8n } from '../../demo/run/oneProcess.mts';
import { registerPackage } from '../../demo/run/register.mts';

const PACKAGE = 'n8n-nodes-chain-infra';

/** Registers a package whose node types n8n has loaded. Returns what is written to n8n's database. */
async function registered(...types: object[]): Promise<unknown> {
	const reported: string[] = [];
	const register = async (words: string) => void (await Promise.resolve(reported.push(words)));
	const api = { types: async () => await Promise.resolve(types) } as unknown as Api;
	await registerPackage({ register } as unknown as RunningN8n, api, { name: PACKAGE });
	return JSON.parse(reported[0]!);
}

const node = { name: `${PACKAGE}.tonFee`, displayName: 'Chain TON Fee' };

test.each([
	[1, 1],
	[[1, 2], 2],
])('a node of version %p is listed with version %p, as n8n does', async (version, listed) => {
	const foreign = { ...node, name: 'n8n-nodes-base.set', version: 3 };
	const tool = { ...node, name: `${node.name}Tool`, version };
	expect(await registered({ ...node, version }, foreign, tool)).toEqual({
		name: PACKAGE,
		nodes: [{ type: node.name, displayName: node.displayName, version: listed }],
	});
});

test('a package that n8n has not loaded is no success', async () => {
	await expect(registered()).rejects.toThrow(`n8n has not loaded ${PACKAGE}.`);
});
