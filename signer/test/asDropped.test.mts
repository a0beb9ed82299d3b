import { WorkflowExecute } from 'n8n-core';
import {
	Workflow,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type INodeParameters,
	type INodeType,
} from 'n8n-workflow';
import { FAMILY_NAMES, type Family } from '../../nodes/core';
import { EvmRpc } from '../../nodes/EvmRpc/EvmRpc.node';
import { Stark } from '../../nodes/Stark/Stark.node';
import { Ton } from '../../nodes/Ton/Ton.node';
import { WitnessWallet } from '../../nodes/WitnessWallet/WitnessWallet.node';
import { createEngine } from '../../test/harness/engineServices.mts';
import { createSandbox } from '../../test/harness/sandbox.mts';
import { Signer } from '../nodes/Signer/Signer.node';
import { buildScene, GIVES_ALL_COINS, type PayScene } from './pay/scenes.mts';
import { credentialTypes } from './support/signerNode.mts';

const sandbox = createSandbox({ chain: true });

/** A step of a workflow: a node with the parameters that its user has filled in. */
type Step = readonly [node: INodeType, parameters: INodeParameters];

const AMOUNT = '0.25';
const transaction = (operation: string, more: INodeParameters = {}): INodeParameters => ({
	resource: 'transaction',
	operation,
	...more,
});

const PREPARE: Readonly<Record<Family, (scene: PayScene) => Step>> = {
	evm: ({ from, to }) => [new EvmRpc(), transaction('prepare', { from, to, amount: AMOUNT })],
	witness: ({ from, to }) => [
		new WitnessWallet(),
		transaction('buildTransfer', { ownerAddress: from, toAddress: to, amount: AMOUNT }),
	],
	ton: ({ from, to }) => [new Ton(), transaction('prepare', { from, to, amount: AMOUNT })],
	stark: ({ from, to, token }) => [
		new Stark(),
		transaction('prepare', { from, to, token: token?.address, amount: AMOUNT }),
	],
};

const SIGNED_AS: Readonly<Record<Family, string>> = {
	evm: 'transaction',
	witness: 'witnessTransaction',
	ton: 'tonTransfer',
	stark: 'starkTransaction',
};

/** The choices of the field that decides which credential is used. */
const KEY_KINDS = { evm: 'evm', witness: 'evm', ton: 'ton', stark: 'stark' } as const;

const SEND: Readonly<Record<Family, INodeParameters>> = {
	evm: transaction('send'),
	witness: { resource: 'witness', operation: 'broadcast' },
	ton: transaction('send'),
	stark: transaction('send'),
};

function getCredentials(rules: ICredentialDataDecryptedObject) {
	const { token, signerKey, signerStark, signerTon } = sandbox.credentials;
	const signers = { ...signerKey, ...signerStark, ...signerTon } as Readonly<
		Record<string, ICredentialDataDecryptedObject>
	>;
	const ruled = Object.entries(signers).map(([name, data]) => [name, { ...data, ...rules }]);
	return { ...token, ...Object.fromEntries(ruled) } as Readonly<
		Record<string, ICredentialDataDecryptedObject>
	>;
}

/** Runs the steps as a workflow. Returns the items of the last step. */
async function runSteps(
	steps: readonly Step[],
	rules: ICredentialDataDecryptedObject = {},
): Promise<readonly IDataObject[]> {
	const credentials = getCredentials(rules);
	const references = Object.keys(credentials).map((id) => [id, { id, name: id }]);
	const names = steps.map((_, index) => `Step ${index + 1}`);
	const types = (name: string) => steps[names.indexOf(name)]?.[0] as INodeType;
	const workflow = new Workflow({
		id: '1',
		active: false,
		nodes: steps.map(([, parameters], index) => ({
			id: String(index),
			name: names[index] ?? '',
			type: names[index] ?? '',
			typeVersion: 1,
			position: [0, 0],
			parameters,
			credentials: Object.fromEntries(references),
		})),
		connections: Object.fromEntries(
			names
				.slice(1)
				.map((node, index) => [
					names[index] ?? '',
					{ main: [[{ node, type: 'main' as const, index: 0 }]] },
				]),
		),
		nodeTypes: { getByName: types, getByNameAndVersion: types, getKnownTypes: () => ({}) },
		settings: { executionOrder: 'v1' },
	});
	const [[node]] = steps as [Step];
	const { additionalData } = createEngine({ node, parameters: {}, credentials, credentialTypes });
	const { data } = await new WorkflowExecute(additionalData, 'manual').run({
		workflow,
		startNode: workflow.getNode(names[0] ?? '') ?? undefined,
	});
	const { error, runData } = data.resultData;
	if (error) throw error;
	return (runData[names.at(-1) ?? '']?.[0]?.data?.main?.[0] ?? []).map(({ json }) => json);
}

const getWaited = ({ status, success }: IDataObject = {}) => success ?? status;

describe.each(FAMILY_NAMES)('on %s', (family) => {
	let scene: PayScene;
	beforeEach(async () => (scene = await buildScene(sandbox, family)));

	const node = () => PREPARE[family](scene)[0];

	test.each([
		['the Sign of its family', { resource: SIGNED_AS[family], operation: 'sign' }],
		[
			'the Sign of all families',
			{ resource: 'prepared', operation: 'sign', kind: KEY_KINDS[family] },
		],
	])(
		'Prepare, %s, Send and Wait pay as they are dropped, with nothing filled in but who pays what to whom',
		async (_, signing) => {
			const paid = family === 'stark' ? 'token' : 'coins';
			const before = await scene.readBalance(paid);
			const [waited] = await runSteps(
				[
					PREPARE[family](scene),
					[new Signer(), signing],
					[node(), SEND[family]],
					[node(), transaction('wait')],
				],
				scene.rules,
			);
			expect([true, 'success']).toContain(getWaited(waited));
			const { decimals } = (paid === 'token' && scene.token) || scene;
			const gained = (await scene.readBalance(paid)) - before;
			const amount = 10n ** BigInt(decimals) / 4n;
			expect(gained).toBeLessThanOrEqual(amount);
			const getsAll = paid === 'token' || GIVES_ALL_COINS[family];
			expect(gained).toBeGreaterThan(getsAll ? amount - 1n : (amount * 99n) / 100n);
		},
	);

	test('the Sign of all families refuses what the key of its credential is not for, and says which is', async () => {
		const kind = KEY_KINDS[family] === 'ton' ? 'stark' : 'ton';
		const signing = { resource: 'prepared', operation: 'sign', kind };
		await expect(
			runSteps([PREPARE[family](scene), [new Signer(), signing]], scene.rules),
		).rejects.toMatchObject({
			message: expect.stringMatching(
				/^'Prepared' is an? .*trans\w+.*, which does not fit (TON|STARK) in 'Kind'$/,
			),
			description: expect.stringMatching(/^Choose (EVM|TON|STARK) as Kind/),
		});
	});

	test.each([
		['Sign', () => [new Signer(), { resource: SIGNED_AS[family], operation: 'sign' }] as const],
		['Send', () => [node(), SEND[family]] as const],
		['Wait', () => [node(), transaction('wait')] as const],
	])('%s names its field where nothing comes in', async (_, step) => {
		await expect(runSteps([step()])).rejects.toMatchObject({
			message: expect.stringMatching(
				/^'(Transaction|Transfer|Signed Transaction|Signed Message|Transaction Hash|Message Hash|Transaction ID)' is required/,
			),
		});
	});
});
