import { callAll, many } from '../unit/support/batching.mts';
import { fakeHttp } from '../unit/support/fakes.mts';
import { READS, TROUBLED_NODES } from '../unit/support/troubledNodes.mts';
import { figure } from './figure.mts';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test.each(TROUBLED_NODES)('a node that $name', async ({ name, serve, ideal }) => {
	const http = fakeHttp(serve());
	await callAll(http, many(READS));
	const { length } = http.sent;
	const times = (length / ideal).toFixed(2);
	figure(`${READS} reads of a node that ${name}: ${length} requests, ${times} times the least`);
});
