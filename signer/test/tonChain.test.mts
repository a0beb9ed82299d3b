import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';
import { Ton } from '../../nodes/Ton/Ton.node';
import { buildTonScene, type TonScene } from '../../test/cases/tonScene.mts';
import { runNode } from '../../test/harness/engine.mts';
import { createSandbox } from '../../test/harness/sandbox.mts';
import { signTransfers } from './support/ton.mts';

const sandbox = createSandbox();

let scene: TonScene;
beforeEach(async () => {
	scene = await buildTonScene(sandbox.control);
});

async function runTon(parameters: INodeParameters, items?: readonly IDataObject[]) {
	const run = await runNode({
		node: new Ton(),
		parameters: { authentication: 'token', resource: 'transaction', ...parameters },
		credentials: sandbox.credentials.token,
		...(items && { items: items.map((json) => ({ json })) }),
	});
	if (run.error) throw run.error;
	return run.items.map(({ json }) => json);
}

/** Prepares, signs, sends and waits. */
async function carryOut(
	given: INodeParameters,
	rules: ICredentialDataDecryptedObject,
	secret?: string,
) {
	const prepared = await runTon({ operation: 'prepare', ...given });
	const signed = await signTransfers(prepared, { rules, ...(secret && { secret }) });
	expect(signed).toEqual([expect.not.objectContaining({ error: expect.anything() })]);
	const sent = await runTon(
		{ operation: 'send', signedMessage: '={{ $json.signedMessage }}' },
		signed,
	);
	expect(sent).toEqual([expect.objectContaining({ messageHash: signed[0]?.messageHash })]);
	const waiting = { operation: 'wait', messageHash: '={{ $json.messageHash }}' };
	const [done] = await runTon(waiting, sent);
	expect(done).toMatchObject({ success: true });
	return signed[0];
}

const payment = () => ({ from: scene.payer, to: scene.receiver, amount: '0.5', comment: 'June' });

test('coins are prepared, signed, sent and arrive', async () => {
	await carryOut(payment(), { maxAmount: '0.5', recipients: scene.receiver });
});

test('jettons leave within the limit of their wallet, and no more of them', async () => {
	const { jetton, owner, receiver } = scene;
	const asking = { resource: 'jetton', operation: 'getBalance', jetton, owner };
	const [{ wallet = '' } = {}] = await runTon(asking);
	const limits = { recipients: receiver, jettonLimits: `${String(wallet)} 2 6` };
	const rules = { walletType: 'v4r2', maxAmount: '0.05', ...limits };
	const given = { kind: 'jettonTransfer', from: owner, jetton, to: receiver, comment: 'June' };
	await carryOut({ ...given, amount: '2' }, rules);
	const more = await runTon({ operation: 'prepare', ...given, amount: '2.000001' });
	const [refused] = await signTransfers(more, { rules });
	expect(refused?.error).toMatch(/Jetton Limits .* sends 2\.000001 .*Allowed: at most 2 whole/);
});

/** The secret of the account Bob in the sandbox. His wallets have coins but no code yet. */
const OTHER_SECRET = '33'.repeat(32);

test('the first transfer deploys a wallet of the fifth version', async () => {
	const { people } = (await sandbox.control('GET', '/ton/chain')) as {
		people: { bob: { v5r1: string } };
	};
	const from = people.bob.v5r1;
	const getting = { resource: 'account', operation: 'get', address: from };
	expect(await runTon(getting)).toMatchObject([{ walletType: null }]);
	await carryOut({ ...payment(), from }, { maxAmount: '0.5' }, OTHER_SECRET);
	expect(await runTon(getting)).toMatchObject([{ walletType: 'v5r1', seqno: 1 }]);
});

test('the chain takes a signed transfer once', async () => {
	const signed = await carryOut(payment(), { maxAmount: '0.5' });
	const body = JSON.stringify({ boc: signed?.signedMessage });
	const posting = { resource: 'api', operation: 'request', httpMethod: 'POST' };
	const message = expect.stringMatching(/exitcode=133/);
	await expect(runTon({ ...posting, path: 'message', body })).rejects.toMatchObject({ message });
});
