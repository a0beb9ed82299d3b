import type { INodeParameters } from 'n8n-workflow';
import { runNode } from '../../test/harness/engine.mts';
import { buildHostileForms, StolenValues } from '../../test/harness/hostile.mts';
import { getCaseCount, takeRows } from '../../test/harness/caseCount.mts';
import { inspectAll, findSpellings } from '../../test/harness/spellings.mts';
import { describeByEngine } from '../../test/harness/vmEngine.mts';
import type * as PlainData from '../../nodes/core/values/plainData';
import type * as SignerNode from '../nodes/Signer/Signer.node';
import { Signer } from '../nodes/Signer/Signer.node';
import { STARK_ACCOUNT } from '../../test/harness/sandbox.mts';
import { buildInvoke, runStarkSigner } from './support/stark.mts';
import { credentialTypes, FRIEND, GENEROUS, KEY, signWith } from './support/signerNode.mts';

/** The transaction that workflows of these tests change in order to get the key from the signer. */
const TRANSACTION = {
	type: '0x2',
	chainId: '0x7a69',
	nonce: '0x0',
	gas: '0x5208',
	value: '0x1',
	to: FRIEND,
	maxFeePerGas: '0x2',
	maxPriorityFeePerGas: '0x1',
	data: '0x',
	accessList: [{ address: FRIEND, storageKeys: [`0x${'1'.repeat(64)}`] }],
};
const TYPED_DATA = {
	types: {
		Mail: [
			{ name: 'to', type: 'address[]' },
			{ name: 'text', type: 'string' },
		],
	},
	domain: { name: 'Letters', chainId: 1 },
	primaryType: 'Mail',
	message: { to: [FRIEND], text: 'hello' },
};
const PASSWORD = 'correct horse battery';

const asked: ReadonlyArray<readonly [name: string, sample: unknown, parameters: INodeParameters]> =
	[
		['transaction', TRANSACTION, { resource: 'transaction', operation: 'sign' }],
		['transaction', { transaction: TRANSACTION }, { resource: 'transaction', operation: 'sign' }],
		[
			'transaction',
			{ raw_data_hex: '0a02' },
			{ resource: 'witnessTransaction', operation: 'sign' },
		],
		['message', 'hello', { resource: 'message', operation: 'sign' }],
		['typedData', TYPED_DATA, { resource: 'typedData', operation: 'sign' }],
		['authentication', 'key', { resource: 'account', operation: 'get' }],
		['operation', 'sign', { resource: 'message', message: 'hello' }],
		['resource', 'message', { operation: 'sign', message: 'hello' }],
		['options', { timeout: 5 }, { resource: 'message', operation: 'sign', message: 'hello' }],
	];

const hostile = (name: string, parameters: INodeParameters) => ({
	...parameters,
	[name]: '={{ $json.hostile }}',
});

const itemsOf = (forms: Readonly<Record<string, unknown>>) =>
	Object.values(forms).map((form) => ({ json: { hostile: form } as never }));

const LEAK =
	'throw new Error("handed over: " + String.fromCharCode(...new Uint8Array(rlp([]).buffer)))';
const NESTED = `{ map: () => ({ map: (rlp) => { ${LEAK} } }) }`;
const LIST_OF_ITS_OWN = `const l = []; l.map = () => (${NESTED}); return { ...$json, accessList: l }`;

/**
 * Attacks that once worked. In the first two, the signer passed its RLP encoder to the `map` of the attacker's list.
 * The encoder's result shared memory with the key.
 */
const EXPRESSIONS = {
	'a list with a map of its own': `={{ (() => { ${LIST_OF_ITS_OWN} })() }}`,
	'one whose first map takes the callback': `={{ (() => { const l = []; l.map = (rlp) => { ${LEAK} }; return { ...$json, accessList: l } })() }}`,
	'what a regular expression found last':
		'={{ RegExp.input + RegExp["$1"] + RegExp["$&"] + RegExp["$`"] }}',
};

describeByEngine((engine) => {
	// The engine `vm` passes only copies of values.
	const attacked = takeRows(asked, engine === 'vm' ? 4 : 1);

	test.each(attacked)(
		'%s is plain data before it is read (%#)',
		async (name, sample, parameters) => {
			const loot = new StolenValues();
			const outcome = await signWith(hostile(name, parameters), {
				items: itemsOf(buildHostileForms(sample, loot)),
				onError: 'continueRegularOutput',
			});
			expect(loot.functions).toEqual([]);
			expect(findSpellings(KEY, [loot.collected, outcome])).toEqual([]);
		},
	);

	test.each(attacked)('%s of a remote signer, too (%#)', async (name, sample, parameters) => {
		const loot = new StolenValues();
		const credential = {
			url: 'http://127.0.0.1:9',
			username: 'me',
			address: FRIEND,
			...GENEROUS,
		};
		const outcome = await runNode({
			node: new Signer(),
			parameters: {
				authentication: 'remote',
				options: { maxRetries: 0, timeout: 500 },
				...hostile(name, parameters),
			},
			credentials: { chainSignerRemoteApi: { ...credential, password: PASSWORD } },
			credentialTypes,
			items: itemsOf(buildHostileForms(sample, loot)),
			onError: 'continueRegularOutput',
		});
		expect(loot.functions).toEqual([]);
		expect(inspectAll([loot.collected, outcome])).not.toContain(PASSWORD);
	});

	test('transaction of the STARK rollup is plain data before it is read', async () => {
		const loot = new StolenValues();
		const given = { resource: 'starkTransaction', operation: 'sign' };
		const outcome = await runStarkSigner(hostile('transaction', given), {
			items: itemsOf(buildHostileForms(buildInvoke([]), loot)),
			onError: 'continueRegularOutput',
		});
		expect(loot.functions).toEqual([]);
		expect(findSpellings(STARK_ACCOUNT.privateKey, [loot.collected, outcome])).toEqual([]);
	});

	test.each(Object.entries(EXPRESSIONS))('%s gets no memory', async (_, transaction) => {
		const parameters = { resource: 'transaction', operation: 'sign', transaction };
		for (let time = 0; time < getCaseCount(engine === 'vm' ? 10 : 50); time++) {
			const { items, error } = await signWith(parameters, { items: [{ json: TRANSACTION }] });
			expect(findSpellings(KEY, [items, error])).toEqual([]);
		}
	});
});

test('without the copy, the same values are handed what is ours', async () => {
	jest.resetModules();
	jest.doMock<typeof PlainData>('../../nodes/core/values/plainData', () => ({
		parsePlainData: (given) => given,
	}));
	const { Signer: Unguarded } = jest.requireActual<typeof SignerNode>(
		'../nodes/Signer/Signer.node',
	);
	const loot = new StolenValues();
	await signWith(hostile('transaction', { resource: 'transaction', operation: 'sign' }), {
		node: new Unguarded(),
		items: itemsOf(buildHostileForms(TRANSACTION, loot)),
		onError: 'continueRegularOutput',
	});
	expect(loot.functions.length).toBeGreaterThan(0);
	jest.dontMock('../../nodes/core/values/plainData');
});
