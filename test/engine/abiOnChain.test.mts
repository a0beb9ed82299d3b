import { abiParser } from '../../nodes/core/evm/abi/abi';
import {
	decodeErrorResult,
	decodeFunctionResult,
	encodeFunctionData,
	getFunction,
} from '../../nodes/core/evm/abi/call';
import { decodeEventLog, encodeEventTopics } from '../../nodes/core/evm/abi/event';
import { deployContract } from '../harness/contract.mts';
import { createSandbox } from '../harness/sandbox.mts';
import { catchThrown } from '../unit/support/fakes.mts';

const MAKER = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const ORDER = {
	id: '115792089237316195423570985008687907853269984665640564039457584007913129639935',
	maker: MAKER,
	lines: [
		{ number: 281474976710655, text: 'eine Zeile, die länger ist als ein Wort von 32 Bytes' },
		{ number: 0, text: '' },
	],
	tag: '0x12345678',
	range: [-8388608, 8388607],
	isOpen: true,
};
const NOTE = 'a note of more than thirty-two characters ∞';

describe('a compiled contract', () => {
	const sandbox = createSandbox({ chain: true });
	let contract: Awaited<ReturnType<typeof deployContract>>;

	beforeAll(async () => {
		contract = await deployContract(sandbox, 'Shapes');
	});

	const abi = () => abiParser('function')(contract.abi);

	async function call(name: string, ...given: unknown[]) {
		const called = getFunction(abi(), name);
		const data = encodeFunctionData(called, given);
		const request = { to: contract.address, data };
		return decodeFunctionResult(called, String(await sandbox.chain('eth_call', request, 'latest')));
	}

	test('gives back what it takes', async () => {
		expect(await call('echo', ORDER)).toEqual({ result: ORDER });
		expect(await call('echo', Object.values(ORDER))).toEqual({ result: ORDER });
	});

	test('gives several named outputs as an item', async () => {
		const { id, maker, range } = ORDER;
		expect(await call('split', ORDER)).toEqual({ id, maker, range });
	});

	test('gives several outputs without names as a list', async () => {
		const rows = [['1', '2'], [], ['3']];
		const pair = [`0x${'11'.repeat(32)}`, `0x${'22'.repeat(32)}`];
		expect(await call('matrix', rows, pair)).toEqual({ result: [rows, pair] });
	});

	test('answers with nothing to a function that it does not have', async () => {
		const called = getFunction(abiParser('function')('symbol() returns (string)'), '');
		const request = { to: MAKER, data: encodeFunctionData(called, []) };
		const answer = String(await sandbox.chain('eth_call', request, 'latest'));
		expect(() => decodeFunctionResult(called, answer)).toThrow('no function symbol()');
	});

	test('is reverted with an error that has a name', async () => {
		const data = encodeFunctionData(getFunction(abi(), 'fail'), [5, '10']);
		const request = { to: contract.address, data };
		const failure: unknown = await sandbox.chain('eth_call', request, 'latest').catch((e) => e);
		const [, thrown] = /"data":"(0x[0-9a-f]+)"/.exec(String(failure)) ?? [];
		expect(decodeErrorResult(abi().errors, thrown)).toEqual({
			name: 'TooLittle',
			args: { available: '5', wanted: '10', reason: 'zu wenig – ∞' },
			text: 'TooLittle(available: 5, wanted: 10, reason: "zu wenig – ∞")',
		});
	});

	describe('writes logs', () => {
		const sizes = [1, 65535];

		beforeAll(async () => {
			const data = encodeFunctionData(getFunction(abi(), 'tell'), [ORDER, NOTE, sizes]);
			await sandbox.mined({ from: contract.owner, to: contract.address, data });
		});

		async function found(name: string, where: object) {
			const events = abi().events.filter((event) => event.name === name);
			const filter = { fromBlock: '0x0', topics: encodeEventTopics(events, where) };
			const logs = (await sandbox.chain('eth_getLogs', filter)) as object[];
			return logs.map((log) => decodeEventLog(events, log));
		}

		test('that are found by text and by a list, which are hashed', async () => {
			const [log, ...others] = await found('Ordered', { note: NOTE, sizes: [sizes], maker: MAKER });
			expect(others).toEqual([]);
			const hash = expect.stringMatching(/^0x[0-9a-f]{64}$/);
			const args = { maker: MAKER, note: hash, sizes: hash, order: ORDER };
			expect(log).toEqual({ event: 'Ordered', args });
			expect(await found('Ordered', { note: `${NOTE}.` })).toEqual([]);
			expect(await found('Ordered', { note: ['other', NOTE], sizes: null })).toHaveLength(1);
			expect(await found('Ordered', { sizes: [[1], sizes] })).toHaveLength(1);
			expect(await found('Ordered', { sizes: [[1]] })).toEqual([]);
		});

		test('that are found by a tuple, which is hashed', async () => {
			const data = `0x${Buffer.from(NOTE).toString('hex')}`;
			const [line, other] = ORDER.lines;
			expect(await found('Placed', { line })).toMatchObject([{ event: 'Placed', args: { data } }]);
			expect(await found('Placed', { line: other })).toEqual([]);
		});

		test('that are anonymous', async () => {
			const { id } = ORDER;
			const logs = await found('Hidden', { id });
			expect(logs).toEqual([{ event: 'Hidden', args: { id, note: NOTE } }]);
		});
	});

	test('has functions that are named when one is missing', () => {
		const failure = catchThrown(() => getFunction(abi(), 'foo'));
		expect(failure).toMatchObject({
			message: expect.stringContaining('matrix(uint256[][],bytes32[2])'),
		});
	});
});
