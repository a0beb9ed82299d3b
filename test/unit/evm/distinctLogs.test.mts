import { sortDistinctLogs } from '../../../nodes/core/evm/logs';
import { EvmChain } from '../../harness/evmChain.mts';
import { TRANSFERS } from '../../harness/fakeChain.mts';

const chain = new EvmChain(() => TRANSFERS);
const logs = [...chain.logsIn(1), ...chain.logsIn(2)];
const without = (...keys: readonly string[]) =>
	logs.map((log) => Object.fromEntries(Object.entries(log).filter(([key]) => !keys.includes(key))));

describe('logs whose index counts within their transaction', () => {
	test.each<[string, readonly object[]]>([
		['the hash and index', logs],
		['the hash', without('transactionIndex')],
		['the index', without('transactionHash')],
		['the index, the hash being null,', logs.map((log) => ({ ...log, transactionHash: null }))],
	])('are distinguished by %s of the transaction', (_what, reported) => {
		const found = sortDistinctLogs([...reported, ...reported] as typeof logs);
		expect(found).toHaveLength(logs.length);
		expect(new Set(found)).toEqual(new Set(reported));
	});

	test('stand in the order of the chain, in whatever order they come', () => {
		expect(sortDistinctLogs([...logs].reverse())).toEqual(logs);
		expect(sortDistinctLogs(without('transactionHash').reverse())).toEqual(
			without('transactionHash'),
		);
	});

	test('are the same in another spelling, of which the last one counts', () => {
		const other = logs.map((log) => ({
			...log,
			blockHash: log.blockHash.toUpperCase(),
			transactionHash: log.transactionHash.toUpperCase(),
			transactionIndex: Number(log.transactionIndex),
			logIndex: Number(log.logIndex),
		}));
		expect(sortDistinctLogs([...logs, ...other])).toEqual(other);
	});
});
