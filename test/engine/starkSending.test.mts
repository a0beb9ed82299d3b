import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { Stark } from '../../nodes/Stark/Stark.node';
import { signPreparedInvoke, type PreparedInvoke } from '../cases/starkSigning.mts';
import { runNode } from '../harness/engine.mts';
import { createStarkChain, padFelt } from '../harness/starkChain.mts';

const { sandbox, account, accountOf, addBlocks, contractOf, set } = createStarkChain();

async function run(
	operation: string,
	parameters: INodeParameters,
	items: readonly IDataObject[] = [{}],
) {
	return await runNode({
		node: new Stark(),
		parameters: { resource: 'transaction', operation, ...parameters },
		credentials: sandbox.credentials.token,
		items: items.map((json) => ({ json })),
	});
}

async function give(operation: string, parameters: INodeParameters, items?: IDataObject[]) {
	const { items: found, error } = await run(operation, parameters, items);
	expect(error?.message).toBeUndefined();
	return found.map(({ json }) => json);
}

function sign(transaction: unknown, signer = 0) {
	return signPreparedInvoke(transaction as PreparedInvoke, account(signer).privateKey);
}

const payment = (more: INodeParameters = {}) => ({
	from: accountOf(0),
	token: contractOf('newToken'),
	to: accountOf(1),
	amount: '2.5',
	...more,
});

async function prepare(parameters: INodeParameters, items?: IDataObject[]) {
	return await give('prepare', parameters, items);
}

async function prepareSigned(parameters: INodeParameters) {
	const [item] = await prepare(parameters);
	return sign(item?.transaction);
}

const balanceOf = async (token: string, owner: string) => {
	const { items } = await runNode({
		node: new Stark(),
		parameters: { resource: 'token', operation: 'getBalance', token, owner },
		credentials: sandbox.credentials.token,
	});
	return items[0]?.json.amount;
};

test.each(['0.8', '0.9', '0.10'])(
	'a payment is prepared, signed, sent and carried out in version %s',
	async (version) => {
		await set({ version });
		const [item] = await prepare(payment());
		expect(item?.transaction).toMatchObject({
			type: 'INVOKE',
			version: '0x3',
			chainId: '0x534e5f5345504f4c4941',
			nonce: '0x0',
			tip: '0x0',
		});
		expect(item?.transaction).not.toHaveProperty('signature');
		const says = `Send 2.5 of the token ${padFelt(contractOf('newToken'))} ("LONG", 6 decimals) to ${padFelt(accountOf(1))}`;
		expect(item?.calls).toEqual([says]);
		expect(item?.summary).toBe(
			`${says} for a fee of at most ${String(item?.maxCost)} STRK on chain SN_SEPOLIA, nonce 0.`,
		);
		const { signed, hash: expected } = sign(item?.transaction);
		expect(await give('send', { transaction: signed })).toEqual([
			{ result: expected, transactionHash: expected, wasKnown: false },
		]);
		const [done] = await give('wait', { transactionHash: expected });
		expect(done).toMatchObject({ success: true });
		expect(Number(done?.fee)).toBeLessThanOrEqual(Number(item?.maxCost));
		expect(await balanceOf(contractOf('newToken'), accountOf(1))).toBe('1002.5');
	},
);

test('the highest fee is that of the bounds, and the tip counts', async () => {
	const [plain] = await prepare(payment());
	const [tipped] = await prepare(payment({ options: { tip: '1000000000', feeBuffer: 0 } }));
	for (const item of [plain, tipped]) {
		const { resource_bounds: bounds, tip } = item?.transaction as PreparedInvoke;
		const fee = Object.entries(bounds).reduce((sum, [name, bound]) => {
			const price = BigInt(bound.max_price_per_unit) + (name === 'l2_gas' ? BigInt(tip) : 0n);
			return sum + BigInt(bound.max_amount) * price;
		}, 0n);
		const whole = `${fee / 10n ** 18n}.${(fee % 10n ** 18n).toString().padStart(18, '0')}`;
		expect(item?.maxCost).toBe(whole.replace(/\.?0+$/, ''));
	}
	const amountOf = (item?: IDataObject) =>
		Number((item?.transaction as PreparedInvoke).resource_bounds.l2_gas?.max_amount);
	expect(amountOf(plain)).toBe(Math.ceil(amountOf(tipped) * 1.5));
	expect((tipped?.transaction as PreparedInvoke).tip).toBe('0x3b9aca00');
});

test('several calls go in one transaction, and by name', async () => {
	const calls = JSON.stringify([
		{ contract: contractOf('newToken'), function: 'transfer', arguments: [accountOf(1), '7'] },
		{
			contract: contractOf('everything'),
			function: 'emit_plain',
			arguments: { id: 9, note: 'hi' },
		},
	]);
	const [item] = await prepare({ from: accountOf(0), kind: 'calls', calls });
	expect(item?.calls).toEqual([
		`Call transfer(${padFelt(accountOf(1))}, 7) of the contract ${padFelt(contractOf('newToken'))}`,
		`Call emit_plain(9, hi) of the contract ${padFelt(contractOf('everything'))}`,
	]);
	const { signed, hash: transactionHash } = sign(item?.transaction);
	await give('send', { transaction: signed });
	const [done] = await give('get', { transactionHash });
	expect(done?.success).toBe(true);
	expect(done?.events).toContainEqual(
		expect.objectContaining({ event: 'Plain', args: { id: '9', note: 'hi' } }),
	);
});

test('a function is called with arguments from the form, by an account of Cairo 0 too', async () => {
	const parameters = {
		kind: 'contractFunction',
		contract: contractOf('everything'),
		function: 'emit_many',
		argumentsBy: 'fields',
		argumentFields: { mappingMode: 'defineBelow', value: { count: '3' }, schema: [] },
	};
	for (const signer of [0, 3]) {
		const [item] = await prepare({ ...parameters, from: accountOf(signer) });
		const { signed, hash: transactionHash } = sign(item?.transaction, signer);
		await give('send', { transaction: signed });
		const [done] = await give('get', { transactionHash });
		expect(done?.success).toBe(true);
	}
});

test('items of a run get consecutive nonces, also past one that fails', async () => {
	const items = ['1', '2', '5000', '3'].map((amount) => ({ amount }));
	const { items: found } = await runNode({
		node: new Stark(),
		parameters: {
			resource: 'transaction',
			operation: 'prepare',
			...payment({ amount: '={{ $json.amount }}' }),
		},
		credentials: sandbox.credentials.token,
		items: items.map((json) => ({ json })),
		onError: 'continueRegularOutput',
	});
	const nonces = found.map(({ json }) => (json.transaction as PreparedInvoke | undefined)?.nonce);
	expect(nonces).toEqual(['0x0', '0x1', undefined, '0x2']);
	const signed = found.flatMap(({ json }) =>
		json.transaction ? [{ signed: sign(json.transaction).signed }] : [],
	);
	await set({ inclusion: 'received' });
	expect(await give('send', { transaction: '={{ $json.signed }}' }, signed)).toHaveLength(3);
	await addBlocks(1);
	expect(await balanceOf(contractOf('newToken'), accountOf(1))).toBe('1006');
});

test('a transaction for a test chain is reported as that', async () => {
	const run = async () =>
		await runNode({
			node: new Stark(),
			parameters: { resource: 'transaction', operation: 'prepare', ...payment({}) },
			credentials: sandbox.credentials.token,
		});
	expect((await run()).hints).toEqual([expect.stringMatching(/^The chain is a test network/)]);
	await set({ chainId: 'SN_MAIN' });
	expect((await run()).hints).toEqual([]);
});

test('a nonce that is given is taken', async () => {
	const [item] = await prepare(payment({ options: { nonce: '7' } }));
	expect((item?.transaction as PreparedInvoke).nonce).toBe('0x7');
});

test.each<[string, () => INodeParameters, RegExp]>([
	[
		'what would revert, with its reason',
		() => payment({ amount: '5000' }),
		/^The transaction would revert: .*balance/i,
	],
	[
		'what the funds do not cover',
		() => payment({ token: contractOf('strk'), amount: '1000' }),
		/ 1000\.\d+ STRK .* 1000 STRK /,
	],
	['a payment to the token itself', () => payment({ to: contractOf('newToken') }), /own contract/],
	[
		'what is no token',
		() => payment({ token: contractOf('everything') }),
		/does not report its number of decimals/,
	],
	['too many decimals', () => payment({ amount: '0.0000001' }), /'Amount' must/],
	['an account that is not there', () => payment({ from: '0x1234' }), /^There is no account at/],
	[
		'a function that is not there',
		() => ({
			from: accountOf(0),
			kind: 'calls',
			calls: JSON.stringify([{ contract: contractOf('newToken'), function: 'transfr' }]),
		}),
		/'Calls > Call 1 > Function' must be a function of the contract, such as transfer/,
	],
])('refused is %s', async (_, parameters, message) => {
	const { error } = await run('prepare', parameters());
	expect(error?.message).toMatch(message);
});

test('a node of version 0.7 is refused by name', async () => {
	await set({ version: '0.7' });
	const { error } = await run('prepare', payment());
	expect(error?.message).toBe('The API of the chain node has the version 0.7');
});

describe('a transaction is carried out once', () => {
	const countSent = async () =>
		(await sandbox.record()).filter(({ body }) =>
			JSON.stringify(body ?? null).includes('addInvokeTransaction'),
		).length;

	test('when its answer is lost, it is found by its hash', async () => {
		const { signed, hash: expected } = await prepareSigned(payment());
		await sandbox.fault({
			rpcMethod: 'l2_addInvokeTransaction',
			times: 1,
			do: { reset: 'after' },
		});
		expect(await give('send', { transaction: signed })).toEqual([
			{ result: expected, transactionHash: expected, wasKnown: true },
		]);
		expect(await countSent()).toBe(1);
	});

	test('when its answer is lost and it has not arrived, the failure names its hash', async () => {
		const { signed, hash: expected } = await prepareSigned(payment());
		await sandbox.fault({
			rpcMethod: 'l2_addInvokeTransaction',
			times: 1,
			do: { reset: 'before' },
		});
		const { error } = await run('send', { transaction: signed });
		expect(error?.description).toContain(`Its hash is ${expected}.`);
		expect(error?.description).toMatch(/may still have been carried out/);
		expect(await balanceOf(contractOf('newToken'), accountOf(1))).toBe('1000');
	});

	test('when the answers of two items are lost, each is found, in whichever block it is', async () => {
		const items = await prepare(payment(), [{}, {}]);
		const both = items.map(({ transaction }) => sign(transaction));
		await sandbox.fault({
			rpcMethod: 'l2_addInvokeTransaction',
			times: 2,
			do: { reset: 'after' },
		});
		const found = await give(
			'send',
			{ transaction: '={{ $json.signed }}' },
			both.map(({ signed }) => ({ signed })),
		);
		expect(found.map(({ result }) => result)).toEqual(both.map(({ hash }) => hash));
		expect(await countSent()).toBe(2);
	});

	test('when it is sent again, it is the same, and known', async () => {
		const { signed, hash: expected } = await prepareSigned(payment());
		for (const wasKnown of [false, true])
			expect(await give('send', { transaction: signed })).toEqual([
				{ result: expected, transactionHash: expected, wasKnown },
			]);
		expect(await balanceOf(contractOf('newToken'), accountOf(1))).toBe('1002.5');
	});

	test('when it waits on the node, it is known', async () => {
		await set({ inclusion: 'received' });
		const { signed, hash: expected } = await prepareSigned(payment());
		for (const wasKnown of [false, true])
			expect(await give('send', { transaction: signed })).toEqual([
				{ result: expected, transactionHash: expected, wasKnown },
			]);
	});

	test('when several executions send it at once, one of them learns that it was new', async () => {
		await set({ inclusion: 'received' });
		const { signed } = await prepareSigned(payment());
		const sent = await Promise.all(
			Array.from({ length: 5 }, async () => await give('send', { transaction: signed })),
		);
		expect(sent.flat().filter(({ wasKnown }) => wasKnown === false)).toHaveLength(1);
	});

	test('with members beside its own fields, and without the ID of the chain', async () => {
		const { signed, hash: expected } = await prepareSigned(payment());
		const { chainId: _chainId, ...own } = JSON.parse(signed) as IDataObject;
		const item = { ...own, maxCost: '0.1', calls: ['Send'], summary: 'Send', tip: '0x00' };
		expect(await give('send', { transaction: JSON.stringify(item) })).toEqual([
			{ result: expected, transactionHash: expected, wasKnown: false },
		]);
	});

	test('when another one has used its nonce, it is refused', async () => {
		const { signed } = await prepareSigned(payment());
		const other = await prepareSigned(payment({ amount: '1' }));
		await give('send', { transaction: other.signed });
		const { error } = await run('send', { transaction: signed });
		expect(error?.message).toMatch(/nonce/i);
		expect(error?.description).toMatch(
			/does not know its hash 0x[0-9a-f]{64}\. .*prepare it again\.$/,
		);
	});

	test('a wrong signature is refused, and one that is missing is not sent', async () => {
		const [item] = await prepare(payment());
		const { signed } = sign(item?.transaction, 1);
		const refused = await run('send', { transaction: signed });
		expect(refused.error?.message).toMatch(/validat/i);
		const before = await countSent();
		const unsigned = await run('send', { transaction: JSON.stringify(item?.transaction) });
		expect(unsigned.error?.message).toMatch(/its signature is missing/);
		expect(await countSent()).toBe(before);
	});
});
