import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { TEST_KEY } from '../../demo/run/credentials.mts';
import type { Access } from '../cases/case.mts';
import { preparePayment } from '../cases/signer.mts';
import { findSpellings } from '../harness/spellings.mts';
import { buildScene } from './scene.mts';
import { errorOf, line, ours, run, type Node } from './workflows.mts';
import { control, demo, secrets, type Seen } from './world.mts';

const signed = (access: Access, amount: string) => async (): Promise<Node> =>
	ours('signer', access, {
		resource: 'transaction',
		operation: 'sign',
		transaction: JSON.stringify(await preparePayment(await buildScene(access), amount)),
	});

/** The refusal of an amount that exceeds the rules of the demo's credential. */
const TOO_MUCH =
	'The rule Max Amount forbids it: the transaction sends 1.5 coins. Allowed: at most 1';

/**
 * Attacks that once read the key when n8n evaluated expressions in its own process. The access list of a transaction
 * has its own `map`, which received the function that encodes transactions. The result of this function shared memory
 * with the key.
 */
const LEAK = 'String.fromCharCode(...new Uint8Array(rlp([]).buffer))';
const ATTACKS = {
	'by an error': `throw new Error(${LEAK})`,
	'by the transaction': `l.push(${LEAK}); return []`,
};

describe('an expression that wants the key', () => {
	const items = Array.from({ length: 50 }, (_, attempt) => ({ attempt }));

	for (const access of ['key', 'remote'] as const) {
		for (const [name, work] of Object.entries(ATTACKS)) {
			it(`gets nothing ${name}, of ${access}`, async () => {
				const transaction = JSON.stringify(await preparePayment(await buildScene(access), '0.001'));
				const list = `{ map: () => ({ map: (rlp) => { ${work} } }) }`;
				const given = `={{ (() => { const l = []; l.map = () => (${list}); return { ...${transaction}.transaction, accessList: l } })() }}`;
				const sign = { resource: 'transaction', operation: 'sign', transaction: given };
				const tested = ours('signer', access, sign, { onError: 'continueRegularOutput' });
				const execution = await run({ ...line(tested), items });
				assert.equal(execution.status, 'success');
				const text = JSON.stringify(execution);
				assert.deepEqual(findSpellings(TEST_KEY, [text]), []);
				for (const secret of secrets()) assert.ok(!text.includes(secret));
			});
		}
	}
});

describe('what Chain Signer refuses', () => {
	const made: string[] = [];
	after(async () => {
		for (const id of made) await demo.api.ask('DELETE', `/credentials/${id}`);
	});

	async function withKey(privateKey: string): Promise<Node> {
		const type = 'chainSignerKeyApi';
		const name = 'Wrong Key';
		const id = await demo.api.saveCredential(name, type, { privateKey, chainIds: '31337' });
		made.push(id);
		return ours('signer', 'key', {}, { credentials: { [type]: { id, name } } });
	}

	const message = { resource: 'message', operation: 'sign', message: 'Hello' };
	const cases: Record<string, [() => Promise<Node>, string]> = {
		'more than a rule allows, with a key': [signed('key', '1.5'), TOO_MUCH],
		'more than a rule allows, of a remote signer': [signed('remote', '1.5'), TOO_MUCH],
		'a message of a remote signer': [
			async () => ours('signer', 'remote', message),
			'A remote signer signs EVM transactions only',
		],
		'a key that is too long': [
			async () => await withKey(`${TEST_KEY}00`),
			'The Private Key of the credential must be 32 bytes as hex: 64 digits, with or without 0x before them',
		],
	};

	for (const [name, [tested, words]] of Object.entries(cases)) {
		it(`${name}: it says so, and asks nobody`, async () => {
			const flow = line(await tested());
			await control('DELETE', '/record');
			const execution = await run(flow);
			assert.deepEqual([execution.status, errorOf(execution).message], ['error', words]);
			assert.deepEqual(await control<Seen[]>('GET', '/record'), []);
		});
	}
});
