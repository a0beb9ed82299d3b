import type { ICredentialDataDecryptedObject, IDataObject, INodeParameters } from 'n8n-workflow';
import { Stark } from '../../nodes/Stark/Stark.node';
import { runNode } from '../../test/harness/engine.mts';
import { STARK_ACCOUNT } from '../../test/harness/sandbox.mts';
import { createStarkChain } from '../../test/harness/starkChain.mts';
import { signInvokes } from './support/stark.mts';

const { sandbox, account, accountOf, contractOf } = createStarkChain();

const receiver = () => accountOf(1);

async function runStark(parameters: INodeParameters, items: readonly IDataObject[] = [{}]) {
	const run = await runNode({
		node: new Stark(),
		parameters: { authentication: 'token', resource: 'transaction', ...parameters },
		credentials: sandbox.credentials.token,
		items: items.map((json) => ({ json })),
	});
	if (run.error) throw run.error;
	return run.items.map(({ json }) => json);
}

const prepare = async (given: INodeParameters, items?: readonly IDataObject[]) =>
	await runStark({ operation: 'prepare', from: STARK_ACCOUNT.accountAddress, ...given }, items);

/** Prepares, signs, sends and waits. */
async function carryOut(given: INodeParameters, rules: ICredentialDataDecryptedObject) {
	const signed = await signInvokes(await prepare(given), { rules });
	expect(signed).toEqual([expect.not.objectContaining({ error: expect.anything() })]);
	const sent = await runStark(
		{ operation: 'send', transaction: '={{ $json.transaction }}' },
		signed,
	);
	expect(sent).toEqual([expect.objectContaining({ transactionHash: signed[0]?.transactionHash })]);
	const waiting = { operation: 'wait', transactionHash: '={{ $json.transactionHash }}' };
	const [done] = await runStark(waiting, sent);
	expect(done).toMatchObject({ success: true });
	return signed[0];
}

const RULES = { chainIds: 'SN_SEPOLIA', maxFee: '100' };
const payment = (amount: string): INodeParameters => ({
	token: contractOf('newToken'),
	to: receiver(),
	amount,
});

async function balanceOf(owner: string) {
	const asking = {
		resource: 'token',
		operation: 'getBalance',
		token: contractOf('newToken'),
		owner,
	};
	const [item] = await runStark(asking);
	return Number(item?.amount);
}

test('the account of the credential is that of the sandbox', () => {
	expect(BigInt(accountOf(0))).toBe(BigInt(STARK_ACCOUNT.accountAddress));
	expect(account(0).privateKey).toBe(STARK_ACCOUNT.privateKey);
});

test('tokens are prepared, signed, sent and arrive, and no more of them than the limit', async () => {
	const before = await balanceOf(receiver());
	const rules = {
		...RULES,
		recipients: receiver(),
		tokenLimits: `${contractOf('newToken')} 2.5 6`,
	};
	await carryOut(payment('2.5'), rules);
	expect(await balanceOf(receiver())).toBe(before + 2.5);
	const [refused] = await signInvokes(await prepare(payment('2.500001')), { rules });
	expect(refused?.error).toMatch(/Token Limits .* about 2\.500001. Allowed: at most 2\.5 whole/);
});

test('two calls in one transaction, one of them to a contract by the name of its function', async () => {
	const before = await balanceOf(receiver());
	const calls = [
		{ contract: contractOf('newToken'), function: 'transfer', arguments: [receiver(), '1000000'] },
		{ contract: contractOf('everything'), function: 'emit_plain', arguments: ['7', 'hi'] },
	];
	const given = { kind: 'calls', calls: JSON.stringify(calls) };
	const rules = { ...RULES, tokenLimits: `${contractOf('newToken')} 1 6` };
	await carryOut(given, { ...rules, contracts: `${contractOf('everything')} emit_plain` });
	expect(await balanceOf(receiver())).toBe(before + 1);
	const other = { ...rules, contracts: `${contractOf('everything')} emit_other` };
	const [refused] = await signInvokes(await prepare(given), { rules: other });
	expect(refused?.error).toMatch(/Contracts .* Allowed: emit_other of it/);
});

test('the items of a run have nonces in a row, and each is carried out', async () => {
	const before = await balanceOf(receiver());
	const prepared = await prepare(payment('0.5'), [{}, {}, {}]);
	const rules = { ...RULES, tokenLimits: `${contractOf('newToken')} 0.5 6` };
	const signed = await signInvokes(prepared, { rules });
	await runStark({ operation: 'send', transaction: '={{ $json.transaction }}' }, signed);
	expect(await balanceOf(receiver())).toBe(before + 1.5);
});

test('a transaction that was changed after it was signed is refused by the chain', async () => {
	const [signed] = await signInvokes(await prepare(payment('0.5')), {
		rules: { ...RULES, contracts: '*' },
	});
	const transaction = JSON.stringify({ ...(signed?.transaction as IDataObject), tip: '0x9' });
	await expect(runStark({ operation: 'send', transaction })).rejects.toMatchObject({
		message: 'Account validation failed',
		description: expect.stringMatching(/signature/i),
	});
});
