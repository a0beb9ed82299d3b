import { callAll, buildCalls } from '../../unit/support/batching.mts';
import { createFakeHttp } from '../../unit/support/fakes.mts';
import { READ_COUNT, FAULTY_BATCH_NODES } from '../../unit/support/troubledNodes.mts';
import { figure } from '../../harness/figure.mts';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test.each(FAULTY_BATCH_NODES)('a node that $name', async ({ name, serve, ideal }) => {
	const http = createFakeHttp(serve());
	await callAll(http, buildCalls(READ_COUNT));
	const { length } = http.sent;
	const times = (length / ideal).toFixed(2);
	figure(
		`${READ_COUNT} reads of a node that ${name}: ${length} requests, ${times} times the least`,
	);
});
