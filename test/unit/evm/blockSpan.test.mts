import { BLOCKS_PER_REQUEST } from '../../../nodes/core/chain/blocks';
import { BlockSpan } from '../../../nodes/core/chain/rangeSize';

/** Reports that a search got no answer. The search had as many blocks as `span` allows at present. */
const narrow = (span: BlockSpan) =>
	span.narrow([{ blocks: span.blocks, refusal: { because: 'lost' } }]);

/** Lists the sizes of requests to a node that fails if a request has more than `limit` blocks. */
function sizesAt(limit: number, count: number): number[] {
	const span = new BlockSpan(undefined, BLOCKS_PER_REQUEST);
	return Array.from({ length: count }, () => {
		const { blocks: size } = span;
		if (size > limit) narrow(span);
		else span.widen();
		return size;
	});
}

test.each([
	[100, [100, 100, 100, 100, 100, 100]],
	[50, [100, 25, 50, 99, 25, 50]],
	[10, [100, 25, 7, 14, 4, 8, 13, 4, 8, 12, 3, 6, 11, 3, 6, 10, 10, 10]],
	[1, [100, 25, 7, 2, 1, 1, 1]],
])('a node that takes %d blocks at most is asked for %j', (limit, sizes) => {
	expect(sizesAt(limit, sizes.length)).toEqual(sizes);
});

test('after twenty successes it forgets that more had failed', () => {
	const span = new BlockSpan(undefined, BLOCKS_PER_REQUEST);
	for (let count = 0; count < 6; count++) narrow(span);
	const sizes = Array.from({ length: 30 }, () => {
		span.widen();
		return span.blocks;
	});
	expect(sizes.slice(17, 27)).toEqual([1, 1, 2, 4, 8, 16, 32, 64, 100, 100]);
});

test('what one item of a run finds out about the node holds for another that is under way', () => {
	const limit = { blocks: Infinity };
	const [one, other] = [new BlockSpan(limit, 1000), new BlockSpan(limit, 1000)];
	one.narrow([{ blocks: 1000, refusal: { because: 'blocks', blocks: 100 } }]);
	expect(other.blocks).toBe(100);
});

test('it is as before when the trigger has caught up', () => {
	const span = new BlockSpan(undefined, BLOCKS_PER_REQUEST);
	narrow(span);
	span.reset();
	span.widen();
	expect(span.blocks).toBe(100);
});
