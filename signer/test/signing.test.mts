import { privateKeyToAccount } from 'viem/accounts';
import { keccak256, parseTransaction, serializeTransaction } from 'viem';
import { largeTypedData } from '../../test/harness/largeTypedData.mts';
import {
	ADDRESS,
	FRIEND,
	GENEROUS,
	KEY,
	signed,
	signTransaction,
	signWith,
	STRANGER,
	TRANSFER,
} from './support/signerNode.mts';

const account = privateKeyToAccount(KEY);

/** The same transfer for viem. */
const VIEM_TRANSFER = {
	type: 'eip1559',
	chainId: 31337,
	to: FRIEND,
	nonce: 5,
	gas: 21_000n,
	value: 10n ** 18n,
	maxFeePerGas: 2_000_000_000n,
	maxPriorityFeePerGas: 1_000_000_000n,
} as const;

describe('account: get rules', () => {
	const getRules = { resource: 'account', operation: 'getRules' };
	const rules = { chainIds: '1', maxAmount: '0.5', maxFee: '0.25' };

	test('says the worst that they allow', async () => {
		const worst =
			'At worst, someone who controls the workflow can spend all coins on chain 1: each transaction sends at most 0.5 and costs a fee of at most 0.25.';
		expect(await signed(getRules, { rules })).toEqual([{ worst }]);
	});

	test('refuses rules that cannot be read', async () => {
		const { error } = await signWith(getRules, { rules: { ...rules, maxAmount: 'much' } });
		expect(error?.message).toMatch(/Max Amount/);
	});
});

describe('account: get', () => {
	test('gives the address in all forms', async () => {
		expect(await signed({ resource: 'account', operation: 'get' })).toEqual([
			{
				evm: ADDRESS,
				witnessBase58: 'TLEaY8XoqpBmndLsjcfThgdKLN1ssNuUcF',
				witnessHex: `41${ADDRESS.slice(2).toLowerCase()}`,
			},
		]);
	});

	test.each([
		'',
		'no key',
		`${KEY}0`,
		KEY.slice(0, -1),
		`0x${'0'.repeat(64)}`,
		`0x${'f'.repeat(64)}`,
	])('an invalid key is reported without showing it: %p', async (key) => {
		const { error } = await signWith({ resource: 'account', operation: 'get' }, { key });
		expect(error?.message).toBe(
			'The Private Key of the credential must be 32 bytes as hex: 64 digits, with or without 0x before them',
		);
		if (key !== '') expect(JSON.stringify([error, error?.stack])).not.toContain(key);
	});

	test('a key needs no 0x, and blanks around it do not matter', async () => {
		const key = ` ${KEY.slice(2).toUpperCase()}\n`;
		const [forms] = await signed({ resource: 'account', operation: 'get' }, { key });
		expect(forms).toMatchObject({ evm: ADDRESS });
	});
});

describe('transaction: sign', () => {
	test('gives what viem gives, and its hash', async () => {
		const [result] = await signed(signTransaction(TRANSFER));
		const wanted = await account.signTransaction(VIEM_TRANSFER);
		expect(result).toEqual({
			signedTransaction: wanted,
			transactionHash: keccak256(wanted),
			from: ADDRESS,
		});
	});

	test('takes the whole item that Prepare gives, and what it says must be one', async () => {
		const [alone] = await signed(signTransaction(TRANSFER));
		const unsignedTransaction = serializeTransaction(VIEM_TRANSFER);
		const item = {
			transaction: TRANSFER,
			unsignedTransaction,
			signingHash: keccak256(unsignedTransaction),
			maxCost: '1.000042',
			contractAddress: null,
		};
		expect(await signed(signTransaction(item))).toEqual([alone]);
		const lies = [
			{ ...item, signingHash: keccak256('0x01') },
			{ ...item, unsignedTransaction: unsignedTransaction.replace(/fb69/i, 'fb68') },
			{ ...item, transaction: { ...TRANSFER, to: STRANGER } },
		];
		for (const lie of lies) {
			const { error } = await signWith(signTransaction(lie));
			expect(error?.message).toMatch(
				/^'\w+' was not made from the transaction in the same item\. Prepare the transaction again$/,
			);
		}
	});

	test('takes an object from an expression', async () => {
		const parameters = { ...signTransaction({}), transaction: '={{ $json.transaction }}' };
		const items = [{ json: { transaction: TRANSFER } }, { json: { transaction: TRANSFER } }];
		const results = await signed(parameters, { items });
		expect(results).toEqual([...(await signed(signTransaction(TRANSFER))), results[0]]);
	});

	test('from must be the signer, in whatever case', async () => {
		const lower = { ...TRANSFER, from: ADDRESS.toLowerCase() };
		const { from: _, ...without } = TRANSFER;
		expect(await signed(signTransaction(lower))).toEqual(await signed(signTransaction(without)));
		const { error } = await signWith(signTransaction({ ...TRANSFER, from: STRANGER }));
		expect(error?.message).toBe(
			`The transaction is from ${STRANGER}, but this credential signs for ${ADDRESS}`,
		);
	});

	const { maxFeePerGas: _1, maxPriorityFeePerGas: _2, type: _3, ...bare } = TRANSFER;

	test.each([
		['legacy', { ...bare, gasPrice: '0x1' }],
		['legacy', { ...bare, type: '0x0', gasPrice: '1' }],
		['eip2930', { ...bare, gasPrice: 1, accessList: [] }],
		['eip2930', { ...bare, type: 1, gasPrice: 1 }],
		['eip1559', { ...bare, maxFeePerGas: 2, maxPriorityFeePerGas: 1 }],
	] as const)('%s is recognized by its type or by its fields', async (type, transaction) => {
		const [result] = await signed(signTransaction(transaction));
		expect(parseTransaction(result?.signedTransaction as never).type).toBe(type);
	});

	test.each([
		[{ type: '0x3' }, /not a transaction with blobs \(EIP-4844\)/],
		[{ type: '0x4' }, /not a transaction that hands the account to a contract \(EIP-7702\)/],
		[{ type: '0x7f' }, /must be 0x0 \(legacy\), 0x1 \(EIP-2930\) or 0x2 \(EIP-1559\); got "0x7f"/],
		[{ type: '0x0' }, /a transaction of type 0 without 'maxFeePerGas'/],
		[{ gasPrice: '0x1' }, /a transaction of type 2 without 'gasPrice'/],
		[{ authorizationList: [] }, /without 'authorizationList', which the signature would not cover/],
		[{ input: '0x12' }, /without 'input'/],
		[{ gasLimit: '0x1' }, /without 'gasLimit'/],
		[{ to: '' }, /'Transaction > to' must be an address/],
		[{ to: '0x' }, /'Transaction > to' must be an address/],
		[{ to: [FRIEND] }, /'Transaction > to' must be an address/],
		[{ to: null }, /a receiver \(to\), or with data that deploys a contract/],
		[{ to: FRIEND.replace('f', 'F') }, /checksum/],
		[{ chainId: '0x0' }, /without a chain ID, a transaction is valid on all chains/],
		[{ chainId: undefined }, /'Transaction > chainId' must be/],
		[{ nonce: undefined }, /'Transaction > nonce' must be/],
		[{ nonce: '-1' }, /'Transaction > nonce' must be/],
		[{ nonce: `0x${'f'.repeat(16)}` }, /at most 18446744073709551614/],
		[{ gas: 1.5 }, /'Transaction > gas' must be/],
		[{ value: `0x1${'0'.repeat(64)}` }, /below 2\^256/],
		[{ value: '1 ether' }, /'Transaction > value' must be/],
		[{ value: null }, /'Transaction > value' must be/],
		[{ data: '0x123' }, /whole bytes/],
		[{ data: 'a9059cbb' }, /'Transaction > data' must be bytes/],
		[{ maxPriorityFeePerGas: '0x77359401' }, /maxPriorityFeePerGas is at most its maxFeePerGas/],
		[{ accessList: [{ address: FRIEND }] }, /a list of objects with address and storageKeys/],
	])('%p is refused in words', async (change, words) => {
		const { error } = await signWith(signTransaction({ ...TRANSFER, ...change }));
		expect(error?.message).toMatch(words);
	});

	test.each([
		' ',
		'[]',
		'{}',
		'"0x02f0"',
		'1',
		'null',
		'{"transaction": []}',
		'{',
		'{"value": 12345678901234567890123}',
	])('%p is no transaction', async (transaction) => {
		const { error } = await signWith({ ...signTransaction({}), transaction });
		expect(error?.message).toMatch(/^'Transaction/);
	});

	test('an item that is refused does not keep the others from being signed', async () => {
		const items = [TRANSFER, { ...TRANSFER, chainId: '0x5' }, TRANSFER].map((transaction) => ({
			json: { transaction },
		}));
		const parameters = { ...signTransaction({}), transaction: '={{ $json.transaction }}' };
		const results = await signed(parameters, { items, onError: 'continueRegularOutput' });
		expect(results.map((result) => Object.keys(result))).toEqual([
			['signedTransaction', 'transactionHash', 'from'],
			['error', 'message'],
			['signedTransaction', 'transactionHash', 'from'],
		]);
		expect(results[1]).toEqual({
			error: 'The rule Chain IDs forbids it: the transaction is for chain 5. Allowed: 1, 31337',
			message:
				'The rules are in the credential, where no workflow can change them. Nothing was signed.',
		});
	});
});

describe('message: sign', () => {
	const sign = (message: string) => ({ resource: 'message', operation: 'sign', message });

	test.each(['hello', '  äöü ☃ ', '0x1234', '1', '\u0000'])(
		'%p is signed as viem does',
		async (text) => {
			expect(await signed(sign(text))).toEqual([
				{ signature: await account.signMessage({ message: text }), signer: ADDRESS },
			]);
		},
	);

	test('is refused unless the rules allow it', async () => {
		const rules = { ...GENEROUS, allowMessages: false };
		const { error } = await signWith(sign('hello'), { rules });
		expect(error?.message).toBe(
			'The rule Allow Messages forbids it: a message is to be signed. Allowed: no messages',
		);
	});

	test('a text that is no Unicode is refused', async () => {
		const { error } = await signWith(sign('\ud800'));
		expect(error?.message).toMatch(/^'Message' must be valid Unicode text/);
	});
});

describe('typedData: sign', () => {
	const mail = {
		types: {
			Person: [
				{ name: 'name', type: 'string' },
				{ name: 'wallet', type: 'address' },
			],
			Mail: [
				{ name: 'from', type: 'Person' },
				{ name: 'to', type: 'Person' },
				{ name: 'contents', type: 'string' },
			],
		},
		domain: {
			name: 'Ether Mail',
			version: '1',
			chainId: 1,
			verifyingContract: '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC',
		},
		primaryType: 'Mail',
		message: {
			from: { name: 'Cow', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
			to: { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' },
			contents: 'Hello, Bob!',
		},
	};
	const sign = (typedData: object) => ({
		resource: 'typedData',
		operation: 'sign',
		typedData: JSON.stringify(typedData),
	});

	test("EIP-712's own example has its signature", async () => {
		const cow = '0xc85ef7d79691fe79573b1a7064c19c1a9819ebdbd1faaab1a8ec92344438aaf4';
		expect(await signed(sign(mail), { key: cow })).toEqual([
			{
				signature:
					'0x4355c47d63924e8a72e509b65029052eb6c299d53a04e167c5775fd466751c9d07299936d304c153f6443dfa05f40ff007d72911b6f72307f996231605b915621c',
				signer: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826',
			},
		]);
	});

	test('is refused unless the rules allow it', async () => {
		const rules = { ...GENEROUS, allowTypedData: false };
		const { error } = await signWith(sign(mail), { rules });
		expect(error?.message).toBe(
			'The rule Allow Typed Data forbids it: typed data is to be signed. Allowed: no typed data',
		);
	});

	test('what would take long to hash is refused, however short it is', async () => {
		const { error, items } = await signWith(sign(largeTypedData['empty structs']!(500_000)));
		expect(error?.message).toMatch(/^'Typed Data' must be typed data of fewer values/);
		expect(items).toEqual([]);
	});

	test('what the types do not declare is refused', async () => {
		const { error } = await signWith(sign({ ...mail, message: { ...mail.message, amount: 1 } }));
		expect(error?.message).toMatch(/^'Typed Data > message' must be .* remove 'amount', /);
	});
});
