import { ActivityTrigger } from '../../nodes/ActivityTrigger/ActivityTrigger.node';
import { EvmRpc } from '../../nodes/EvmRpc/EvmRpc.node';
import { Faucet } from '../../nodes/Faucet/Faucet.node';
import { Pay } from '../../signer/nodes/Pay/Pay.node';
import { openExample } from '../harness/exampleWorkflow.mts';
import { createSandbox } from '../harness/sandbox.mts';

/** These tests run the example that tops up a watched account, by the faucet or by Chain Pay, within the rules. */

const sandbox = createSandbox({ chain: true });
const ETHER = 10n ** 18n;

/** Each test uses a new account, because the faucet pays an account once a day, and Guard refuses equal payments. */
let accounts = 0;
const createAccount = () => `0x${(++accounts).toString(16).padStart(40, 'a')}`;

const readBalance = async (address: string) =>
	BigInt(String(await sandbox.chain('eth_getBalance', address, 'latest')));

async function topUp(address: string, settings: { chain: string; amount: string }, rules = {}) {
	const { token, signerKey, platform } = sandbox.credentials;
	const key = { ...signerKey.chainSignerKeyApi, ...rules };
	const example = openExample('top-up-when-it-runs-low', {
		own: {
			'n8n-nodes-chain-infra.activityTrigger': new ActivityTrigger(),
			'n8n-nodes-chain-infra.evmRpc': new EvmRpc(),
			'n8n-nodes-chain-infra.faucet': new Faucet(),
			'n8n-nodes-chain-infra-signer.pay': new Pay(),
		},
		credentials: { ...token, ...platform, ...signerKey, chainSignerKeyApi: key },
	});
	return await example.runTrigger('Balance Is Low', { address }, settings);
}

test('on a test network the faucet pays', async () => {
	const address = createAccount();
	expect(await topUp(address, { chain: 'sepolia', amount: '0.1' })).toBeUndefined();
	expect(await readBalance(address)).toBeGreaterThan(0n);
});

test('elsewhere the key pays, exactly what the settings say', async () => {
	const address = createAccount();
	expect(await topUp(address, { chain: '', amount: '0.1' })).toBeUndefined();
	expect(await readBalance(address)).toBe(ETHER / 10n);
});

test('what the rules of the key do not allow is not paid', async () => {
	const address = createAccount();
	const refusal = await topUp(address, { chain: '', amount: '0.1' }, { maxAmount: '0.05' });
	expect(refusal).toMatch(/Max Amount/);
	expect(await readBalance(address)).toBe(0n);
});
