import type { BlockRef } from '../../../nodes/core/chain/blocks';
import { TronWeb, utils } from 'tronweb';
import { RequestFailure } from '../../../nodes/core/errors/requestFailure';
import { readFirstHash, readHeadNumber, readHeads } from '../../../nodes/core/witness/blocks';
import { readBlocks, type Block } from '../../../nodes/core/witness/readBlocks';
import {
	account,
	call,
	internalTransfer,
	sha256,
	transfer,
	transferLog,
	WitnessChain,
	type MinedTransaction,
} from '../../harness/witnessChain.mts';
import { createWitnessReader } from '../support/witnessReader.mts';

type Json = Record<string, unknown>;

const START = 5;
const PAYMENT = transfer('buyer', 'shop', 1);

/** Reads the irreversible blocks from `START` on. Returns them with the failure, if there is one. */
async function read(chain: WitnessChain, reader = createWitnessReader(chain), before?: BlockRef) {
	const blocks: Block[] = [];
	try {
		const range = { from: START, to: chain.solid };
		for await (const some of readBlocks(reader, range, before)) blocks.push(...some);
	} catch (failure) {
		return { blocks, failure: failure as Error };
	}
	return { blocks, failure: undefined };
}

/** Creates a chain with the given transactions in a block, and other blocks before and after it. */
function chainWith(...transactions: MinedTransaction[]) {
	const chain = new WitnessChain();
	chain.mineEmpty(START - 1);
	chain.mine(PAYMENT);
	chain.mine(...transactions);
	const number = chain.head;
	chain.mine(PAYMENT);
	chain.mineEmpty(chain.lag);
	return { chain, number };
}

/** Reads the block, and returns the outcomes of its transactions. */
async function readAt({ chain, number }: ReturnType<typeof chainWith>) {
	const { blocks, failure } = await read(chain);
	if (failure) throw failure;
	return blocks.find((block) => block.number === number)!.transactions;
}

const readMiddle = async (...transactions: MinedTransaction[]) =>
	await readAt(chainWith(...transactions));

const isNumbered = (json: unknown, number: number) =>
	(json as { block_header?: { raw_data?: Json } }).block_header?.raw_data?.number === number;

/** Lets the node give a changed block, alone and in lists. */
function replaceBlock(chain: WitnessChain, number: number, change: (block: Json) => unknown) {
	const one = (json: unknown) =>
		isNumbered(json, number) ? change(structuredClone(json) as Json) : json;
	chain.change = (answer) => {
		const { block } = answer as { block?: unknown[] };
		return block ? { block: block.map(one) } : one(answer);
	};
}

/** Lets the node give changed receipts of a block. */
function replaceReceipts(chain: WitnessChain, number: number, change: (infos: Json[]) => unknown) {
	chain.change = (answer, method, body) =>
		method === 'gettransactioninfobyblocknum' && body.num === number
			? change(structuredClone(answer) as Json[])
			: answer;
}

/** Changes how the receipts report the coins that move inside of a contract. */
const inInternal = (more: Json) => (infos: Json[]) =>
	infos.map(({ internal_transactions: internal = [], ...info }) => ({
		...info,
		internal_transactions: (internal as Json[]).map((one) => ({ ...one, ...more })),
	}));

const inHeader = (more: Json) => (block: Json) => {
	Object.assign((block.block_header as { raw_data: Json }).raw_data, more);
	return block;
};
const inBlock = (more: Json) => (block: Json) => ({ ...block, ...more });
const inTransaction = (change: (transaction: Json) => unknown) => (block: Json) => ({
	...block,
	transactions: (block.transactions as Json[]).map((one) => change(one)),
});
const inRaw = (more: Json) =>
	inTransaction((one) => ({ ...one, raw_data: { ...(one.raw_data as Json), ...more } }));
const inValue = (more: Json) =>
	inTransaction((one) => {
		const { contract } = one.raw_data as { contract: [{ parameter: { value: Json } }] };
		Object.assign(contract[0].parameter.value, more);
		return one;
	});

const BITCOIN = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
const shopWithoutEnd = utils.address.fromHex(`41${account('shop')}`).slice(0, -1);

describe.each(['in lists', 'one by one'])('blocks that come %s', (way) => {
	test.each<[name: string, change: (block: Json) => unknown, words: RegExp]>([
		['names another number', inHeader({ number: 8 }), /block 7: its 'blockID' is/],
		['is another one', () => chainWith(PAYMENT).chain.block(6), /was asked for block 7 and gave 6/],
		['is of another branch', inHeader({ parentHash: 'ab'.repeat(32) }), /7 .* not follow block 6/],
		['has no hash', inBlock({ blockID: undefined }), /block 7: its 'blockID'/],
		['has a hash of letters', inBlock({ blockID: 'z'.repeat(64) }), /its 'blockID'/],
		['has no parent', inHeader({ parentHash: 5 }), /its 'parentHash'/],
		['has a time that is no date', inHeader({ timestamp: 8.64e15 + 1 }), /its 'timestamp'/],
		['has a time before 1970', inHeader({ timestamp: -1 }), /its 'timestamp'/],
		['has a time as text', inHeader({ timestamp: '5' }), /its 'timestamp'/],
		['has no header', inBlock({ block_header: null }), /its 'block_header'/],
		['has a header without data', inBlock({ block_header: {} }), /its 'block_header.raw_data'/],
		['has an object of transactions', inBlock({ transactions: {} }), /its 'transactions'/],
		['has a transaction that is a number', inBlock({ transactions: [5] }), /its 'transactions'/],
		[
			'has lost its transactions',
			inBlock({ transactions: undefined }),
			/^The chain node gave block 7 without its transactions$/,
		],
		['has a transaction without data', inTransaction(() => ({})), /its 'raw_data'/],
		['has a transaction without contract', inRaw({ contract: [] }), /its 'contract'/],
		['has one with two contracts', inRaw({ contract: [{}, {}] }), /its 'contract'/],
		['has a contract without parameter', inRaw({ contract: [{}] }), /its 'parameter'/],
		['has a parameter without value', inRaw({ contract: [{ parameter: {} }] }), /its 'value'/],
		['has a memo that is no hex', inRaw({ data: 'zz' }), /its 'raw_data.data'/],
		['has a memo of half a byte', inRaw({ data: '616' }), /its 'raw_data.data'/],
		['has a memo in a list', inRaw({ data: ['61'] }), /its 'raw_data.data'/],
		['has an ID of letters', inTransaction((one) => ({ ...one, txID: 'zz' })), /its 'txID'/],
		['has an amount that floats', inValue({ amount: 1.5 }), /its 'amount'/],
		['has an amount below 0', inValue({ amount: -1 }), /its 'amount'/],
		['has an amount that lost digits', inValue({ amount: 2 ** 53 }), /its 'amount'/],
		['has an amount that is no integer', inValue({ amount: '1e3' }), /its 'amount'/],
		['has more than there can be', inValue({ amount: String(2n ** 63n) }), /its 'amount'/],
		['has no receiver', inValue({ to_address: undefined }), /its 'to_address'/],
		['has a receiver that is a number', inValue({ to_address: 5 }), /its 'to_address'/],
		['has a wrong checksum', inValue({ to_address: `${shopWithoutEnd}1` }), /its 'to_address'/],
		['has a receiver of 10 MB', inValue({ to_address: 'T'.repeat(10_000_000) }), /'to_address'/],
		['has a sender of another chain', inValue({ owner_address: BITCOIN }), /'owner_ad/],
		[
			'has a transaction twice',
			(block) => ({ ...block, transactions: [block.transactions, block.transactions].flat() }),
			/receipts \(results\) that do not match the transactions of block 7/,
		],
	])('one that %s is refused; those before it are given', async (_name, change, words) => {
		const { chain, number } = chainWith(PAYMENT);
		expect(number).toBe(7);
		if (way === 'one by one') chain.hideLists();
		replaceBlock(chain, number, change);
		const { blocks, failure } = await read(chain);
		expect(failure?.message).toMatch(words);
		expect(blocks.map((block) => block.number)).toEqual([5, 6]);
	});

	test.each([undefined, null, 5, { toString: null }])(
		'may have none where the header says %p of them',
		async (txTrieRoot) => {
			const { chain, number } = chainWith();
			replaceBlock(chain, number, inHeader({ txTrieRoot }));
			expect((await read(chain)).blocks).toHaveLength(4);
		},
	);

	test('are read on from one that was read before, and from no other', async () => {
		const { chain } = chainWith(PAYMENT);
		if (way === 'one by one') chain.hideLists();
		const before = chain.refOf(START - 1);
		expect((await read(chain, createWitnessReader(chain), before)).blocks).toHaveLength(4);
		const other = { ...before, hash: sha256('another') };
		const { blocks, failure } = await read(chain, createWitnessReader(chain), other);
		expect(failure?.message).toMatch(/^Block 5 of the chain node does not follow block 4$/);
		expect(blocks).toEqual([]);
	});
});

describe('receipts', () => {
	const inInfo = (more: Json) => (infos: Json[]) => infos.map((info) => ({ ...info, ...more }));
	const withLog = (more: Json) =>
		inInfo({ log: [{ ...transferLog('token', 'a', 'b', 1), ...more }] });
	const LACKING =
		/^The chain node does not have block 7 with the receipts of all its transactions yet$/;

	test.each<[name: string, change: (infos: Json[]) => unknown, words: RegExp]>([
		['of nothing', () => [], LACKING],
		['that are an empty object', () => ({}), LACKING],
		['of some of the transactions', (infos) => infos.slice(1), LACKING],
		['that are text', () => 'none', /answer with the receipts of block 7/],
		['that are an object', () => ({ receipts: [] }), /answer with the receipts of block 7/],
		['that are null', () => [null], /answer with the receipts of block 7/],
		['in an error', () => ({ Error: 'class x.Bad : out of order' }), /^out of order$/],
		[
			'of another block',
			inInfo({ blockNumber: 6 }),
			/the receipts of block 7, and gave a receipt of block 6/,
		],
		['of no block', inInfo({ blockNumber: 'x' }), /its 'blockNumber'/],
		[
			'of something else besides',
			(infos) => [...infos, { ...infos[0], id: 'cd'.repeat(32) }],
			/receipts \(results\) that do not match the transactions of block 7/,
		],
		['without an ID', inInfo({ id: undefined }), /its 'id'/],
		['with a number for a receipt', inInfo({ receipt: 5 }), /its 'receipt'/],
		['that made something', inInfo({ contract_address: 5 }), /its 'contract_address'/],
		['with an object of logs', inInfo({ log: {} }), /its 'log'/],
		['with a log that is text', inInfo({ log: ['x'] }), /its 'log'/],
		['with a log of nobody', withLog({ address: undefined }), /its 'log.address'/],
		['with an object of topics', withLog({ topics: {} }), /its 'topics'/],
		['with five topics', withLog({ topics: Array(5).fill('00'.repeat(32)) }), /its 'topics'/],
		['with a topic of a byte', withLog({ topics: ['00'] }), /its 'topics'/],
		['with data that are no hex', withLog({ data: '0x00' }), /its 'log.data'/],
		['with an object of inner transfers', inInfo({ internal_transactions: {} }), /'internal_tr/],
		['with an inner amount as text', inInternal({ callValueInfo: 'x' }), /'callValueInfo'/],
		['with an inner amount below 0', inInternal({ callValueInfo: [{ callValue: -1 }] }), /'callV/],
		['with an inner receiver of letters', inInternal({ transferTo_address: 'x' }), /'transferTo/],
		['with an inner sender of letters', inInternal({ caller_address: 'x' }), /'caller_address'/],
	])('%s are refused; the blocks before are given', async (_name, change, words) => {
		const internal = [internalTransfer('a', 'b', 1)];
		const { chain, number } = chainWith({ ...PAYMENT, internal }, PAYMENT);
		replaceReceipts(chain, number, change);
		const { blocks, failure } = await read(chain);
		expect(failure?.message).toMatch(words);
		expect(blocks.map((block) => block.number)).toEqual([5, 6]);
	});
});

describe('a transaction that failed moved nothing', () => {
	const inside = internalTransfer('router', 'shop', 2);
	const called = {
		...call('buyer', 'shop', 1),
		internal: [inside],
		logs: [transferLog('t', 'a', 'b', 1)],
	};

	test.each<[string, (block: Json) => unknown, (infos: Json[]) => Json[]]>([
		[
			'the block',
			inTransaction((one) => ({ ...one, ret: [{ contractRet: 'REVERT' }] })),
			(infos) => infos,
		],
		[
			'its receipt',
			(block) => block,
			(infos) => infos.map((one) => ({ ...one, result: 'FAILED' })),
		],
		[
			'the outcome of its call',
			(block) => block,
			(infos) => infos.map((one) => ({ ...one, receipt: { result: 'OUT_OF_ENERGY' } })),
		],
	])('where %s alone says so', async (_name, changeBlock, changeReceipts) => {
		const { chain, number } = chainWith(called);
		replaceBlock(chain, number, changeBlock);
		const { change } = chain;
		chain.change = (answer, method, body) =>
			method === 'gettransactioninfobyblocknum' && body.num === number
				? changeReceipts(structuredClone(answer) as Json[])
				: change(answer, method, body);
		const { blocks } = await read(chain);
		expect(blocks.find((block) => block.number === number)?.transactions).toMatchObject([
			{ transfers: [], logs: [] },
		]);
	});

	test.each([undefined, 'SUCCESS', 'DEFAULT'])(
		'and with %p it did not fail',
		async (contractRet) => {
			const { chain, number } = chainWith(called);
			replaceBlock(
				chain,
				number,
				inTransaction((one) => ({ ...one, ret: [{ contractRet }] })),
			);
			const { blocks } = await read(chain);
			const [found] = blocks.find((block) => block.number === number)!.transactions;
			expect(found?.transfers.map(({ amount }) => amount)).toEqual([1n, 2n]);
			expect(found?.logs).toHaveLength(1);
		},
	);
});

describe('coins', () => {
	const amountsIn = async (made: ReturnType<typeof chainWith>) =>
		(await readAt(made))[0]?.transfers.map(({ amount }) => amount);
	const amountsOf = async (transaction: MinedTransaction) =>
		await amountsIn(chainWith(transaction));
	const note = (text: string) => ({ note: Buffer.from(text).toString('hex') });

	test.each<[string, Json, readonly bigint[]]>([
		['that went', {}, [2n]],
		['that were not rejected', { rejected: false }, [2n]],
		['that were rejected', { rejected: true }, []],
		['of which it is unclear', { rejected: 'false' }, []],
		['for a new contract', note('create'), [2n]],
		['of a contract that ended', note('suicide'), [2n]],
		['that were delegated', note('delegateResourceOfEnergy'), []],
		['that were voted with', note('voteWitness'), []],
		['without a word about it', { note: undefined }, []],
		['that are none', { callValueInfo: [{}] }, []],
		['of no amount', { callValueInfo: undefined }, []],
		[
			'beside a token',
			{ callValueInfo: [{ callValue: 3 }, { callValue: 9, tokenId: '1000001' }] },
			[3n],
		],
		['with a token that is none', { callValueInfo: [{ callValue: 3, tokenId: '' }] }, [3n]],
		[
			'of more digits than a number has',
			{ callValueInfo: [{ callValue: '9007199254740993' }] },
			[2n ** 53n + 1n],
		],
	])('inside a contract %s', async (_name, more, amounts) => {
		const internal = [internalTransfer('router', 'shop', 2)];
		const made = chainWith({ ...call('buyer', 'router'), internal });
		replaceReceipts(made.chain, made.number, inInternal(more));
		expect(await amountsIn(made)).toEqual(amounts);
	});

	test('pay for tokens of an issuer, in a transaction that tronweb builds', async () => {
		const { transactionBuilder } = new TronWeb({ fullHost: 'http://127.0.0.1:1' });
		const blockHeader = {
			ref_block_bytes: '0001',
			ref_block_hash: '0000000000000001',
			expiration: 60_000,
			timestamp: 1,
		};
		const [issuer, buyer] = ['issuer', 'buyer'].map((name) =>
			utils.address.fromHex(`41${account(name)}`),
		) as [string, string];
		const { raw_data } = await transactionBuilder.purchaseToken(issuer, '1000001', 7, buyer, {
			blockHeader,
		});
		const [{ type, parameter }] = raw_data.contract as [(typeof raw_data.contract)[0]];
		const contract = { type, value: { ...parameter.value } };
		expect(contract.type).toBe('ParticipateAssetIssueContract');
		const [paid, failed] = await readMiddle({ contract }, { contract, hasFailed: true });
		expect(paid?.transfers).toEqual([
			{ from: account('buyer'), to: account('issuer'), amount: 7n },
		]);
		expect(failed?.transfers).toEqual([]);
	});

	test('that are none are no transfer', async () => {
		expect(await amountsOf(call('buyer', 'shop', 0))).toEqual([]);
	});

	test('go into the contract that a transaction makes, where it says which', async () => {
		const contract = {
			type: 'CreateSmartContract',
			value: { owner_address: `41${account('shop')}`, new_contract: { call_value: 3 } },
		};
		const made = account('made');
		const followed = { contract, contract_address: `41${made}` };
		expect((await readMiddle(followed))[0]?.transfers).toMatchObject([{ to: made }]);
		expect(await amountsOf({ contract })).toEqual([]);
	});

	test('have the same accounts, however they are written', async () => {
		const forms = [account('shop'), `41${account('shop').toUpperCase()}`].concat(
			utils.address.fromHex(`41${account('shop')}`),
		);
		const value = (to_address: string) => ({ ...PAYMENT.contract.value, to_address });
		const found = await readMiddle(
			...forms.map((form) => ({ contract: { ...PAYMENT.contract, value: value(form) } })),
		);
		expect(found.map(({ transfers }) => transfers[0]?.to)).toEqual(
			forms.map(() => account('shop')),
		);
	});
});

test('the places of logs count all of a block', async () => {
	const log = transferLog('token', 'a', 'b', 1);
	const found = await readMiddle(
		{ ...call('a', 'b'), logs: [log, log] },
		{ ...call('a', 'b'), hasFailed: true },
		{ ...call('a', 'b'), logs: [log] },
	);
	expect(found.flatMap(({ logs }) => logs.map(({ logIndex }) => logIndex))).toEqual([0, 1, 2]);
});

describe('a range', () => {
	const asked = (chain: WitnessChain, method: string) =>
		chain.asked.filter((one) => one.endsWith(method)).length;

	test('in lists that are longer than was asked for is refused', async () => {
		const { chain } = chainWith(PAYMENT);
		chain.change = (answer, method) => {
			const { block } = answer as { block?: unknown[] };
			return method === 'getblockbylimitnext' ? { block: [...block!, ...block!] } : answer;
		};
		expect((await read(chain)).failure?.message).toMatch(/answer with at most 4 blocks$/);
	});

	test.each<[string, WitnessChain['change']]>([
		['refused', () => ({ Error: 'this API is closed' })],
		['empty', () => ({})],
	])(
		'whose lists are %s is read one by one, and no list is asked for again',
		async (_name, change) => {
			const chain = new WitnessChain();
			chain.mineEmpty(70);
			chain.change = (answer, method, body) =>
				method === 'getblockbylimitnext' ? change(answer, method, body) : answer;
			expect((await read(chain)).blocks).toHaveLength(chain.solid - START + 1);
			expect(asked(chain, 'walletsolidity/getblockbylimitnext')).toBe(1);
		},
	);

	test('whose lists fail for now is not read one by one', async () => {
		const { chain } = chainWith(PAYMENT);
		const reader = createWitnessReader(chain, (path) => {
			if (path.endsWith('getblockbylimitnext'))
				throw new RequestFailure('no answer', { retry: { because: 'lost' } });
		});
		const { blocks, failure } = await read(chain, reader);
		expect([blocks, failure?.message]).toEqual([[], 'no answer']);
		expect(asked(chain, 'getblockbynum')).toBe(0);
	});

	test('ends where the chain node has no more blocks, and says so', async () => {
		const { chain } = chainWith(PAYMENT);
		chain.missing = () => 2;
		const { blocks, failure } = await read(chain);
		expect(blocks.map(({ number }) => number)).toEqual([5, 6]);
		expect(failure?.message).toBe('The chain node does not have block 7 on its chain yet');
	});
});

describe('what the irreversible view does not serve', () => {
	test('is asked at the head, and the view once', async () => {
		const { chain } = chainWith(PAYMENT);
		chain.unserved.add('walletsolidity/gettransactioninfobyblocknum');
		expect((await read(chain)).blocks).toHaveLength(4);
		chain.asked.length = 0;
		const reader = createWitnessReader(chain);
		await read(chain, reader);
		await read(chain, reader);
		const places = chain.asked.filter((one) => one.endsWith('gettransactioninfobyblocknum'));
		expect(places.filter((one) => one.startsWith('wallet/'))).toHaveLength(6);
		expect(places.filter((one) => one.startsWith('walletsolidity/'))).toHaveLength(3);
	});

	test('is not what it refuses or fails at', async () => {
		const { chain } = chainWith(PAYMENT);
		for (const answer of [{ Error: 'no' }, { Error: 'lack of computing resources' }]) {
			chain.change = (honest, method) =>
				method === 'gettransactioninfobyblocknum' ? answer : honest;
			expect((await read(chain)).failure?.message).toBe(answer.Error);
		}
		expect(chain.asked.filter((one) => one === 'wallet/gettransactioninfobyblocknum')).toEqual([]);
	});
});

describe('a failure that nobody waits for brings nothing down', () => {
	test('because the reader has enough', async () => {
		const { chain } = chainWith(PAYMENT);
		chain.mineEmpty(40);
		const reader = createWitnessReader(chain, (_path, { startNum }) => {
			if (Number(startNum) > START) throw new RequestFailure('down');
		});
		chain.change = (answer, method, { num }) =>
			method === 'getblockbynum' && Number(num) > START ? { Error: 'down' } : answer;
		for await (const blocks of readBlocks(reader, { from: START, to: chain.solid })) {
			expect(blocks).toHaveLength(20);
			await new Promise(setImmediate);
			break;
		}
	});

	test('because one before has failed, too', async () => {
		const { chain, number } = chainWith(PAYMENT);
		chain.change = (answer, method, { num }) =>
			method === 'getblockbylimitnext' || Number(num) >= number ? { Error: 'shut' } : answer;
		const { blocks, failure } = await read(chain);
		await new Promise(setImmediate);
		expect([blocks.length, failure?.message]).toEqual([2, 'shut']);
	});
});

test.each([{}, { block_header: { raw_data: {} } }, [], 'no'])(
	'%o has no number of the head',
	async (answer) => {
		const chain = new WitnessChain();
		chain.change = () => answer;
		await expect(readHeadNumber(createWitnessReader(chain))).rejects.toThrow(
			/did not answer with a block/,
		);
	},
);

describe('the newest irreversible block', () => {
	test('is that of its view, or the head less 19', async () => {
		const { chain } = chainWith(PAYMENT);
		chain.lag = 3;
		expect((await readHeads(createWitnessReader(chain))).irreversible?.number).toBe(chain.head - 3);
		chain.unserved.add('walletsolidity/getnowblock');
		expect((await readHeads(createWitnessReader(chain))).irreversible?.number).toBe(
			chain.head - 19,
		);
		chain.missing = () => chain.head - 18;
		expect((await readHeads(createWitnessReader(chain))).irreversible).toBeNull();
	});

	test('is not guessed where the view fails', async () => {
		const { chain } = chainWith(PAYMENT);
		chain.change = (answer, method) => (method === 'getnowblock' ? { Error: 'no' } : answer);
		await expect(readHeads(createWitnessReader(chain))).rejects.toThrow(/^no$/);
		const reader = createWitnessReader(chain, (path) => {
			if (path === '/walletsolidity/getnowblock') throw new RequestFailure('lost');
		});
		chain.change = (answer) => answer;
		await expect(readHeads(reader)).rejects.toThrow(/^lost$/);
	});
});

describe('the first block', () => {
	test('tells chains apart, and is null where the node does not keep it', async () => {
		const { chain } = chainWith(PAYMENT);
		expect(await readFirstHash(createWitnessReader(chain))).toBe(chain.refOf(1).hash);
		for (const answer of [{}, { Error: 'this node is a lite fullnode' }]) {
			chain.change = () => answer;
			expect(await readFirstHash(createWitnessReader(chain))).toBeNull();
		}
	});

	test('is not null because a node is down', async () => {
		const reader = createWitnessReader(new WitnessChain(), () => {
			throw new RequestFailure('down', { retry: { because: 'lost' } });
		});
		await expect(readFirstHash(reader)).rejects.toThrow(/^down$/);
	});
});
