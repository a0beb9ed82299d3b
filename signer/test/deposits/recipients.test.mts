import { ACCOUNT_KEY, ACCOUNT_PRIVATE_KEY, deposit } from '../../../test/harness/accountKey.mts';
import { parseAccountKey } from '../../../nodes/core';
import { isRecipient, judgeDerived, RecipientKey } from '../../rules/recipients';
import {
	FRIEND,
	signed,
	signTransaction,
	signWith,
	STRANGER,
	TRANSFER,
} from '../support/signerNode.mts';
import { call, to } from '../support/tokenCalls.mts';
import { authorizationOf } from '../support/typedData.mts';
import { asBase58, asWitness, signWitness, transferOf } from '../support/witness.mts';

/** Tests of an account key in the rule Recipients, whose first 100,000 addresses may receive. */

const BASE = { chainIds: '31337', maxAmount: '1', maxFee: '0.01', contracts: '*' };
const rules = { ...BASE, recipients: `${FRIEND}, ${ACCOUNT_KEY}` };

const pay = (receiver: string) => signTransaction({ ...TRANSFER, to: receiver });

test.each([0, 1, 999])('the address %s of the key may receive', async (index) => {
	expect(await signed(pay(deposit(index)), { rules })).toHaveLength(1);
});

test('a listed address may receive, tokens go to the addresses, too', async () => {
	expect(await signed(pay(FRIEND), { rules })).toHaveLength(1);
	const tokens = signTransaction({
		...TRANSFER,
		...to(STRANGER, call('transfer', deposit(3), 1n), { gas: '0xffff' }),
	});
	expect(await signed(tokens, { rules })).toHaveLength(1);
});

test('coins of the witness chain go to the addresses', async () => {
	const given = { rules: { ...rules, witnessKinds: ['transfer'], witnessMaxAmount: '1' } };
	const items = await signed(signWitness(await transferOf(1, asWitness(deposit(5)))), given);
	expect(items).toHaveLength(1);
});

test('typed data for an address is signed', async () => {
	const data = authorizationOf(1n, deposit(7), { validBefore: Math.floor(Date.now() / 1000) + 60 });
	const all = {
		...rules,
		typedDataKinds: ['transferWithAuthorization'],
		tokenLimits: '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb 100',
	};
	const given = { resource: 'typedData', operation: 'sign', typedData: JSON.stringify(data) };
	expect(await signed(given, { rules: all })).toHaveLength(1);
});

const SHOWN = `${FRIEND}, the addresses 0 to 99999 of ${ACCOUNT_KEY.slice(0, 14)}…`;

/** A limit of ten addresses is tested here, because deriving 100,000 addresses takes long. `recipients.all.mts` tests the real limit. */
test('nobody else may receive', async () => {
	const keys = [new RecipientKey(parseAccountKey(ACCOUNT_KEY), [2, 10])];
	const may = async (address: string) =>
		await judgeDerived(() => isRecipient({ addresses: [], keys }, address));
	expect(await Promise.all([deposit(1), deposit(9), asWitness(deposit(9))].map(may))).toEqual([
		true,
		true,
		true,
	]);
	expect(await Promise.all([deposit(10), FRIEND.toLowerCase(), '0:00'].map(may))).toEqual([
		false,
		false,
		false,
	]);
});

test('a deployment with coins is refused beside a key', async () => {
	const { to: _to, ...deployment } = { ...TRANSFER, data: '0x6000' };
	const { error } = await signWith(signTransaction(deployment), {
		rules: { ...BASE, allowDeployments: true, recipients: ACCOUNT_KEY },
	});
	expect(error?.message).toMatch(/^The rule Recipients forbids it/);
});

test('the worst case names the key', async () => {
	const [said] = await signed({ resource: 'account', operation: 'getRules' }, { rules });
	expect(said?.worst).toContain(`Only these addresses can receive the sent coins: ${SHOWN}`);
});

test('a private key is refused, and nothing of it is shown', async () => {
	const { error } = await signWith(pay(FRIEND), {
		rules: { ...BASE, recipients: ACCOUNT_PRIVATE_KEY },
	});
	expect(error?.message).toMatch(/^The rule Recipients of the credential can't be read/);
	expect(`${error?.message} ${error?.description}`).not.toContain(ACCOUNT_PRIVATE_KEY.slice(4, 12));
});

test('addresses of both kinds are still taken', async () => {
	const all = { ...BASE, recipients: `${FRIEND} ${asBase58(FRIEND)}` };
	expect(await signed(pay(FRIEND), { rules: all })).toHaveLength(1);
});
