import { setTimeout as pause } from 'node:timers/promises';
import type { INodeParameters } from 'n8n-workflow';
import { EvmRpcTrigger } from '../../../nodes/EvmRpcTrigger/EvmRpcTrigger.node';
import { deployContract } from '../../harness/contract.mts';
import { createSandboxChain } from '../../harness/sandboxChain.mts';
import { activateTrigger, type ActiveTrigger } from '../../harness/trigger.mts';
import { waitUntil } from '../../harness/until.mts';
import { figure } from '../../harness/figure.mts';
import { measureMemory } from '../resources.mts';

const BLOCKS = 50;
const TOGETHER = 50;

const { countRequests, mine, sandbox, setLag } = createSandboxChain();

const listening = async (parameters: INodeParameters = {}) =>
	await activateTrigger({
		node: new EvmRpcTrigger(),
		parameters: { authentication: 'token', event: 'newBlock', ...parameters },
		credentials: sandbox.credentials.token,
	});

test.each([
	['with its bloom', {}],
	['on a chain without blooms', { blooms: false }],
	['with neither blooms nor receipts', { blooms: false, receipts: false }],
])('a quiet block %s', async (what, lack) => {
	const notes = await deployContract(sandbox, 'Notes');
	await setLag(lack);
	const trigger = await listening({ event: 'log', topics: 'Noted(address,uint256,uint256)' });
	const data = notes.data('erase(uint256)', 1);
	await pause(500);
	const before = await countRequests();
	for (let count = 0; count < BLOCKS; count++) {
		await sandbox.mined({ from: notes.owner, to: notes.address, data });
		await pause(150);
	}
	await trigger.close();
	const each = ((await countRequests()) - before) / BLOCKS;
	figure(`Requests for a block without such a log, ${what}: ${each.toFixed(2)}`);
});

const openSockets = async () =>
	((await sandbox.control('GET', '/sockets')) as { open: number }).open;

test('many at once', async () => {
	const all = async (count: number) => {
		const triggers: ActiveTrigger[] = [];
		for (let index = 0; index < count; index++) triggers.push(await listening());
		return triggers;
	};
	const close = async (triggers: readonly ActiveTrigger[]) =>
		await Promise.all(triggers.map(async (one) => await one.close()));
	await close(await all(10));
	const before = measureMemory();
	const triggers = await all(TOGETHER);
	await mine(10);
	await Promise.all(triggers.map(async (one) => await one.has(10)));
	const [each, open] = [(measureMemory() - before) / TOGETHER, await openSockets()];
	await close(triggers);
	await waitUntil(async () => (await openSockets()) === 0);
	figure(
		`${TOGETHER} active triggers: ${open} sockets, ${each.toFixed(2)} MB each; 0 sockets after`,
	);
});
