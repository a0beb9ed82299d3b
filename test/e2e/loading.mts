import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { packages } from '../../demo/install/packages.mjs';
import { fetchFromN8n } from '../../demo/run/session.mts';
import { isN8n1 } from '../../tools/paths.mjs';
import { nodesOf } from './manifest.mts';
import { demo } from './world.mts';

interface Package {
	packageName: string;
	installedVersion: string;
	failedLoading?: boolean;
	installedNodes: Array<{ type: string }>;
}

describe('the packages', () => {
	it('are listed among the community packages with their nodes', async () => {
		const loaded = await demo.api.ask<Package[]>('GET', '/community-packages');
		const listed = loaded.map(({ packageName, failedLoading, installedNodes }) => {
			assert.equal(failedLoading, isN8n1 ? undefined : false);
			return [packageName, installedNodes.map(({ type }) => type).sort()];
		});
		const manifests = packages.map(({ manifest }) => [manifest.name, nodesOf(manifest)]);
		assert.deepEqual(Object.fromEntries(listed), Object.fromEntries(manifests));
	});

	it('serve the icons of their nodes and credentials in light and dark', async () => {
		const icons = [...(await iconsOf('nodes')), ...(await iconsOf('credentials'))];
		for (const icon of new Set(icons)) {
			const answer = await fetchFromN8n(`${demo.url}/${icon}`);
			assert.deepEqual([icon, answer.status], [icon, 200]);
			assert.match(await answer.text(), /<svg/);
		}
	});
});

interface Described {
	name: string;
	iconUrl: { light: string; dark: string };
}

async function iconsOf(kind: 'nodes' | 'credentials'): Promise<string[]> {
	const all = await demo.api.types<Described>(kind);
	const own = all.filter(({ name }) =>
		/^(n8n-nodes-chain-infra(-grpc|-signer)?\.|chain[A-Z])/.test(name),
	);
	assert.ok(own.length > 0, kind);
	return own.flatMap(({ name, iconUrl: { light, dark } }) => {
		assert.notEqual(light, dark, name);
		return [light, dark];
	});
}
