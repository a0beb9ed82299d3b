import { Address, beginCell } from '@ton/core';
import { account } from '../../../nodes/Ton/account';
import { contract } from '../../../nodes/Ton/contract';
import { jetton } from '../../../nodes/Ton/jetton';
import { transaction } from '../../../nodes/Ton/transaction/transaction';
import {
	bocOf,
	commentCell,
	contractState,
	failureOf,
	FakeTon,
	friendlyOf,
	hashOf,
	jettonWalletRow,
	masterRow,
	messageRow,
	rawOf,
	type Row,
	runTon,
	toHex,
	transactionRow,
	WALLETS,
	walletState,
} from '../support/tonService.mts';
import { addressOfCell } from '../support/tonCells.mts';
import { createShared } from '../../../nodes/core/net/pacing/shared';

const [OWN, MASTER, OTHER_MASTER, WALLET] = ['a', 'd', 'c', 'b'].map(rawOf) as [
	string,
	string,
	string,
	string,
];

describe('accounts', () => {
	test('are a wallet, a contract, or nothing that the index ever saw', async () => {
		const ton = new FakeTon();
		ton.accounts.push(walletState('v5r1', 12), contractState(OWN, '5'));
		const address = WALLETS.v5r1.address.toString({ bounceable: true });
		expect(await runTon(account.operations.get, { address }, ton)).toEqual([
			{
				address: WALLETS.v5r1.address.toString({ bounceable: false }),
				rawAddress: WALLETS.v5r1.address.toRawString(),
				balance: '10',
				value: '10000000000',
				amount: '10',
				status: 'active',
				walletType: 'v5r1',
				seqno: 12,
			},
		]);
		const test = WALLETS.v4r2.address.toString({ testOnly: true });
		expect(await runTon(account.operations.get, { address: test }, ton)).toMatchObject([
			{ address: test, status: 'nonexistent', balance: '0', walletType: null, seqno: null },
		]);
		expect(await runTon(account.operations.get, { address: OWN }, ton)).toMatchObject([
			{ address: friendlyOf(OWN, true), balance: '0.000000005', walletType: null },
		]);
	});

	test('that items ask for at the same time cost one request for fifty', async () => {
		const ton = new FakeTon();
		const addresses = Array.from({ length: 120 }, (_, index) => addressOfCell(index).toRawString());
		ton.accounts.push(
			...addresses.map((one, index) => contractState(one.toUpperCase(), `${index}`)),
		);
		const shared = createShared();
		const found = await Promise.all(
			addresses.map(
				async (one) => await runTon(account.operations.get, { address: one }, ton, { shared }),
			),
		);
		expect(found.map(([one]) => [one?.rawAddress, one?.balance])).toEqual(
			addresses.map((one, index) => [
				one,
				index === 0 ? '0' : `0.${String(index).padStart(9, '0').replace(/0+$/, '')}`,
			]),
		);
		expect(ton.count('accountStates')).toBe(3);
	});

	test.each<[string, (answer: Row) => unknown, RegExp]>([
		[
			'another account',
			() => ({ accounts: [contractState(MASTER)] }),
			/accounts that were asked for/,
		],
		['no list', () => ({ accounts: {} }), /Its accounts must be a list/],
		['an error with status 200', () => ({ ok: false, error: 'LITE_SERVER' }), /^LITE_SERVER/],
		['text', () => 'hello', /Its answer must be a JSON object; got "hello"/],
	])('answered with %s are a failure', async (_, change, words) => {
		const ton = new FakeTon();
		ton.changes.accountStates = change;
		expect(await failureOf(runTon(account.operations.get, { address: OWN }, ton))).toMatch(words);
	});
});

const jettonWallet = (address: string, jettonMaster: string, balance: string) =>
	jettonWalletRow(address, OWN, jettonMaster, balance);

describe('jettons', () => {
	test('say what they are on the chain, or what the service fetched', async () => {
		const ton = new FakeTon();
		ton.masters.push(
			masterRow(MASTER, { name: 'Tether', symbol: 'USDT', decimals: '6' }),
			masterRow(OTHER_MASTER, { uri: 'https://example.com/j.json' }),
		);
		ton.metadata = {
			[OTHER_MASTER]: {
				is_indexed: true,
				token_info: [
					{ type: 'jetton_masters', valid: true, name: 'Other', extra: { decimals: '3' } },
				],
			},
		};
		expect(await runTon(jetton.operations.get, { jetton: MASTER }, ton)).toEqual([
			{
				jetton: friendlyOf(MASTER, true),
				name: 'Tether',
				symbol: 'USDT',
				decimals: 6,
				totalSupply: '1000000',
				supply: '1',
				mintable: true,
			},
		]);
		expect(await runTon(jetton.operations.get, { jetton: OTHER_MASTER }, ton)).toMatchObject([
			{ name: 'Other', symbol: null, decimals: 3, supply: '1000' },
		]);
	});

	test.each([
		[0, 0],
		[6, 6],
		['255', 255],
		['006', 6],
	])('may give %j decimals, on the chain and off it', async (given, decimals) => {
		const ton = new FakeTon();
		ton.masters.push(masterRow(MASTER, { symbol: 'X', decimals: given }));
		ton.masters.push(masterRow(OTHER_MASTER, { uri: 'https://example.com/j.json', decimals: '' }));
		const info = { type: 'jetton_masters', valid: true, extra: { decimals: given } };
		ton.metadata = { [OTHER_MASTER]: { token_info: [info] } };
		for (const one of [MASTER, OTHER_MASTER])
			expect(await runTon(jetton.operations.get, { jetton: one }, ton)).toMatchObject([
				{ decimals, totalSupply: '1000000', supply: expect.any(String) },
			]);
	});

	test.each(['9.5', '-1', '1e3', '256', '', ' ', 6.5, -1, 256, 1e21, null, true, [6], { six: 6 }])(
		'that give %j decimals give none',
		async (decimals) => {
			const ton = new FakeTon();
			ton.masters.push(masterRow(MASTER, { symbol: 'X', decimals }));
			expect(await runTon(jetton.operations.get, { jetton: MASTER }, ton)).toMatchObject([
				{ decimals: null, supply: null, totalSupply: '1000000' },
			]);
		},
	);

	test('that are none are a failure', async () => {
		const given = { jetton: MASTER, owner: OWN };
		for (const operation of [jetton.operations.get, jetton.operations.getBalance])
			expect(await failureOf(runTon(operation, given, new FakeTon()))).toMatch(
				/^There is no jetton at EQ/,
			);
	});

	test('are owned, or not at all', async () => {
		const ton = new FakeTon();
		ton.masters.push(masterRow(MASTER, { symbol: 'USDT', decimals: '6' }));
		const given = { jetton: MASTER, owner: OWN };
		const known = {
			jetton: friendlyOf(MASTER, true),
			owner: friendlyOf(OWN, false),
			symbol: 'USDT',
			decimals: 6,
		};
		expect(await runTon(jetton.operations.getBalance, given, ton)).toEqual([
			{ ...known, wallet: null, value: '0', balance: '0', amount: '0' },
		]);
		ton.jettonWallets.push(jettonWallet(WALLET, MASTER, '1500000'));
		expect(await runTon(jetton.operations.getBalance, given, ton)).toEqual([
			{
				...known,
				wallet: friendlyOf(WALLET, true),
				value: '1500000',
				balance: '1500000',
				amount: '1.5',
			},
		]);
	});

	test('of an owner come to the end, each once though rows move, and their facts in few requests', async () => {
		const ton = new FakeTon();
		const wallets = Array.from({ length: 1203 }, (_, index) =>
			addressOfCell(index).toRawString().toUpperCase(),
		);
		const masters = Array.from({ length: 1203 }, (_, index) =>
			addressOfCell(5000 + index)
				.toRawString()
				.toUpperCase(),
		);
		ton.masters.push(
			...masters.map((one, index) => masterRow(one, { symbol: `J${index}`, decimals: '0' })),
		);
		ton.jettonWallets.push(
			...wallets.map((one, index) => jettonWallet(one, masters[index] ?? '', String(index))),
		);
		// A new row at the front of the list moves another row to the next page, so the moved row comes twice.
		ton.changes['jetton/wallets'] = (answer, _query, count) => {
			if (count === 0) ton.jettonWallets.unshift(jettonWallet(WALLET, MASTER, '9'));
			return answer;
		};
		const given = { owner: OWN, returnAll: true, options: { includeZero: true } };
		const found = await runTon(jetton.operations.getBalances, given, ton);
		expect(found.map(({ symbol }) => symbol)).toEqual(masters.map((_, index) => `J${index}`));
		expect(ton.count('jetton/masters')).toBe(Math.ceil(500 / 50) * 2 + Math.ceil(203 / 50));
		const some = await runTon(jetton.operations.getBalances, { owner: OWN, limit: 3 }, ton);
		expect(some.map(({ balance }) => balance)).toEqual(['9', '1', '2']);
	});

	test.each<[string, Row, RegExp]>([
		['another owner', { owner: MASTER }, /Its owner must be the owner that was asked for/],
		['another jetton', { jetton: OTHER_MASTER }, /Its jetton must be a jetton that was asked for/],
		['a balance that has lost digits', { balance: 1e30 }, /Its balance must be given as text/],
	])('of %s are a failure', async (_, wrong, words) => {
		const ton = new FakeTon();
		ton.masters.push(masterRow(MASTER, {}));
		ton.changes['jetton/wallets'] = () => ({
			jetton_wallets: [{ ...jettonWallet(WALLET, MASTER, '5'), ...wrong }],
		});
		const given = { jetton: MASTER, owner: OWN };
		expect(await failureOf(runTon(jetton.operations.getBalance, given, ton))).toMatch(words);
	});

	test('that come as the same page again and again are a failure', async () => {
		const ton = new FakeTon();
		const rows = Array.from({ length: 500 }, (_, index) =>
			jettonWallet(addressOfCell(index).toRawString(), MASTER, '1'),
		);
		ton.changes['jetton/wallets'] = () => ({ jetton_wallets: rows });
		const given = { owner: OWN, returnAll: true };
		expect(await failureOf(runTon(jetton.operations.getBalances, given, ton))).toMatch(
			/same page of a list twice/,
		);
	});
});

describe('get-methods', () => {
	test('take and give what people read', async () => {
		const ton = new FakeTon();
		ton.changes.runGetMethod = () => ({
			exit_code: 0,
			stack: [
				{ type: 'num', value: '0x10' },
				{ type: 'slice', value: bocOf(beginCell().storeAddress(WALLETS.v4r2.address).endCell()) },
			],
		});
		const given = {
			contract: MASTER,
			method: 'get_wallet_address',
			arguments: [{ address: OWN }, '0xff', -1],
		};
		expect(await runTon(contract.operations.call, given, ton)).toEqual([
			{ result: [16, WALLETS.v4r2.address.toString()] },
		]);
		expect(ton.asked[0]?.body).toMatchObject({
			address: MASTER.toLowerCase(),
			method: 'get_wallet_address',
			stack: [{ type: 'slice' }, { type: 'num', value: '0xff' }, { type: 'num', value: '-0x1' }],
		});
	});

	test('that give an address as a cell have both, with the flag of what was asked', async () => {
		const ton = new FakeTon();
		const cell = bocOf(beginCell().storeAddress(WALLETS.v4r2.address).endCell());
		ton.changes.runGetMethod = () => ({ exit_code: 0, stack: [{ type: 'cell', value: cell }] });
		const contractOfTest = Address.parse(MASTER).toString({ testOnly: true });
		const given = { contract: contractOfTest, method: 'get_owner' };
		expect(await runTon(contract.operations.call, given, ton)).toEqual([
			{ result: WALLETS.v4r2.address.toString({ testOnly: true }), cell },
		]);
	});

	test('that fail name the code', async () => {
		const ton = new FakeTon();
		ton.changes.runGetMethod = () => ({ exit_code: 11, stack: [] });
		expect(
			await failureOf(runTon(contract.operations.call, { contract: MASTER, method: 'x' }, ton)),
		).toMatch(/exit code 11 \(/);
	});

	test.each<[Row, RegExp]>([
		[{ method: 'get wallet' }, /'Method' must be the name of a get-method/],
		[{ method: 'x', arguments: '{' }, /'Arguments' must be valid JSON/],
		[{ method: 'x', arguments: [1.5] }, /'Arguments' must be a whole number/],
		[{ method: 'x', arguments: [{ cell: 'AAAA' }] }, /'Arguments' must be/],
		[{ method: 'x', contract: 'EQ' }, /'Contract' must be an address/],
	])('%j is refused before anything is asked', async (given, words) => {
		const ton = new FakeTon();
		expect(
			await failureOf(runTon(contract.operations.call, { contract: MASTER, ...given }, ton)),
		).toMatch(words);
		expect(ton.asked).toEqual([]);
	});
});

describe('transactions of an account', () => {
	const history = (count: number) =>
		Array.from({ length: count }, (_, index) => transactionRow(OWN, index + 1));
	const all = { address: OWN, returnAll: true };
	const lts = (found: readonly Row[]) => found.map(({ lt }) => Number(lt));

	test('come newest first, with their comments', async () => {
		const ton = new FakeTon();
		ton.transactions = [
			transactionRow(OWN, 1, {
				in_msg: messageRow(rawOf('e'), OWN, commentCell('invoice 7')),
				out_msgs: [messageRow(OWN, MASTER, beginCell().storeUint(0x0f8a7ea5, 32).endCell())],
			}),
		];
		const [found] = await runTon(transaction.operations.getAll, all, ton);
		expect(found).toEqual({
			hash: toHex(hashOf(`${OWN} 1`)),
			lt: '1',
			timestamp: '2026-01-01T00:00:01.000Z',
			success: true,
			exitCode: 0,
			fee: '0.0021',
			in: {
				from: friendlyOf(rawOf('e'), true),
				amount: '1.5',
				comment: 'invoice 7',
				opcode: '0x00000000',
				bounced: false,
			},
			out: [{ to: friendlyOf(MASTER, true), amount: '1.5', comment: null, opcode: '0x0f8a7ea5' }],
		});
		expect(await runTon(transaction.operations.getAll, { ...all, simplify: false }, ton)).toEqual(
			ton.transactions,
		);
	});

	test('come to the end, each once though new ones arrive', async () => {
		const ton = new FakeTon();
		ton.transactions = history(1300);
		ton.changes.transactions = (answer, _query, count) => {
			ton.transactions.push(transactionRow(OWN, 1301 + count));
			return answer;
		};
		const found = await runTon(transaction.operations.getAll, all, ton);
		expect(lts(found)).toEqual(Array.from({ length: 1300 }, (_, index) => 1300 - index));
		expect(ton.count('transactions')).toBe(3);
	});

	test('up to a limit cost one request', async () => {
		const ton = new FakeTon();
		ton.transactions = history(100);
		expect(
			lts(await runTon(transaction.operations.getAll, { address: OWN, limit: 3 }, ton)),
		).toEqual([100, 99, 98]);
		expect(ton.count('transactions')).toBe(1);
	});

	test('of a time alone, both ends included', async () => {
		const ton = new FakeTon();
		ton.transactions = history(20);
		const given = { ...all, fromTime: '2026-01-01T00:00:05Z', toTime: 1_767_225_608 };
		expect(lts(await runTon(transaction.operations.getAll, given, ton))).toEqual([8, 7, 6, 5]);
	});

	test('of a time that ends before it begins are refused before anything is asked', async () => {
		const ton = new FakeTon();
		const given = { ...all, fromTime: '2026-01-01T00:00:06Z', toTime: 1_767_225_605 };
		const operations = [transaction.operations.getAll, jetton.operations.getTransfers];
		for (const operation of operations)
			expect(await failureOf(runTon(operation, { ...given, owner: OWN }, ton))).toBe(
				"'From Time' must not be later than 'To Time'",
			);
		expect(ton.asked).toEqual([]);
		ton.transactions = history(9);
		const sameSecond = { ...given, fromTime: given.toTime };
		expect(lts(await runTon(transaction.operations.getAll, sameSecond, ton))).toEqual([5]);
	});

	test('may have a comment of 1 MB that no cells can hold, or cells that are none', async () => {
		const ton = new FakeTon();
		const wrong = (body: string) => [
			{ ...transactionRow(OWN, 1), in_msg: { ...messageRow(OWN, OWN), message_content: { body } } },
		];
		ton.transactions = wrong('A'.repeat(1_000_000));
		expect(await failureOf(runTon(transaction.operations.getAll, all, ton))).toMatch(
			/Its in_msg\.message_content\.body must be/,
		);
		ton.transactions = [
			transactionRow(OWN, 1, {
				in_msg: messageRow(rawOf('e'), OWN, commentCell('x'.repeat(100_000))),
			}),
		];
		const [found] = await runTon(transaction.operations.getAll, all, ton);
		expect(found).toMatchObject({ in: { comment: 'x'.repeat(100_000) } });
	});

	test.each<[string, (rows: readonly Row[]) => readonly Row[], RegExp]>([
		[
			'that go back',
			(rows) => [...rows].reverse(),
			/The lt of the next transaction must be below 1; got 2/,
		],
		[
			'with a gap',
			(rows) => [rows[0], rows[2]] as Row[],
			/The hash of the next transaction must be/,
		],
	])('%s are a failure', async (_, change, words) => {
		const ton = new FakeTon();
		ton.transactions = history(5);
		ton.changes.transactions = ({ transactions }) => ({
			transactions: change(transactions as Row[]),
		});
		expect(await failureOf(runTon(transaction.operations.getAll, all, ton))).toMatch(words);
	});

	test('that come as the same page again and again are a failure', async () => {
		const ton = new FakeTon();
		ton.transactions = history(600);
		const first = [...ton.transactions].reverse().slice(0, 500);
		ton.changes.transactions = () => ({ transactions: first });
		expect(await failureOf(runTon(transaction.operations.getAll, all, ton))).toMatch(
			/The lt of the next transaction must be below 101; got 600/,
		);
	});
});
