import { createSandbox } from '../../../test/harness/sandbox.mts';
import { createEditingNode } from '../support/editingNode.mts';
import { paid } from './payNode.mts';
import { buildScene } from './scenes.mts';

const sandbox = createSandbox({ chain: true });
const slow = createEditingNode(sandbox);

afterEach(() => jest.restoreAllMocks());

/** The time between blocks. The search for earlier payments reads 400 blocks. */
const BLOCK_MS = 400;
const PASSED_MS = 75_000;

/**
 * Moves the clock and the chain into another minute. There, a payment with the same ID has other bytes, so the chain would accept it, too.
 */
async function passMinute(): Promise<void> {
	const { now } = Date;
	jest.spyOn(Date, 'now').mockImplementation(() => now() + PASSED_MS);
	await sandbox.control('POST', '/wallet/mine', { blocks: Math.ceil(PASSED_MS / BLOCK_MS) });
}

test('a payment that waits into another minute is not made beside that of another execution', async () => {
	const { to, rules, readBalance } = await buildScene(sandbox, 'witness');
	await sandbox.control('PUT', '/wallet', { blockTime: BLOCK_MS });
	const before = await readBalance();
	const asked = { operation: 'pay', chain: 'witness', to, waitFor: 60, options: { guard: 0 } };
	const invoice = { amount: '0.25', paymentId: 'invoice-42' };
	let isSent = false;
	let other: unknown;
	slow.editBy(async (path, answer) => {
		if (!path.includes('broadcast') || isSent) return answer;
		isSent = true;
		[other] = await paid(sandbox, { ...asked, ...invoice }, { rules });
		await passMinute();
		return answer;
	});
	const items = await paid(
		slow.seen,
		{ ...asked, amount: '={{ $json.amount }}', paymentId: '={{ $json.paymentId }}' },
		{ rules, items: [{ amount: '0.5', paymentId: '' }, invoice] },
	);
	expect(other).toMatchObject({ status: 'confirmed' });
	const { transactionHash } = other as { readonly transactionHash: string };
	expect(items).toMatchObject([{ status: 'confirmed' }, { status: 'confirmed', transactionHash }]);
	expect((await readBalance()) - before).toBe(750_000n);
});
