import { MessageBuffer } from '../../nodes/GrpcTrigger/messageBuffer';
import { DEFAULT_GRPC_TIMING } from '../../nodes/GrpcTrigger/start';
import { waitUntil } from '../../../test/harness/until.mts';

test('all that comes during one execution goes into the next', async () => {
	const executed: Array<readonly unknown[]> = [];
	const ends: Array<() => void> = [];
	const start = async (items: readonly unknown[]) => {
		executed.push(items);
		await new Promise<void>((resolve) => ends.push(resolve));
		return 'succeeded' as const;
	};
	const closing = new AbortController();
	const buffer = new MessageBuffer(
		start,
		{ ...DEFAULT_GRPC_TIMING, gatheringMs: 0 },
		closing.signal,
	);
	const message = (n: number) => ({ n });
	await buffer.push(message(1), 1);
	await waitUntil(() => executed.length === 1);
	const meanwhile = Array.from({ length: 59 }, (_, index) => message(index + 2));
	for (const item of meanwhile) await buffer.push(item, 1);
	expect(executed).toEqual([[message(1)]]);
	ends[0]?.();
	await waitUntil(() => executed.length === 2);
	expect(executed[1]).toEqual(meanwhile);
	closing.abort();
});
