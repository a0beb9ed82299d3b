import { advance } from '../../nodes/core/chain/follow';
import { RequestFailure } from '../../nodes/core/failure';
import {
	extend,
	goBack,
	isKnown,
	lean,
	startAt,
	type Happening,
	type Place,
	type Position,
} from '../../nodes/core/chain/position';

const block = (number: number, fork = 'a'): Place => ({ number, hash: `0x${fork}${number}` });

function happenings(number: number, count: number): Happening[] {
	return Array.from({ length: count }, (_, id) => ({ block: block(number), json: { number, id } }));
}

function toldIn({ marks }: Position): number {
	return marks.reduce((sum, { told = [] }) => sum + told.length, 0);
}

/** Goes on block by block, with so many happenings in each. */
function after(blocks: number, each: number): Position {
	let position = startAt(block(0));
	for (let number = 1; number <= blocks; number++) {
		position = extend(position, block(number), happenings(number, each), true).position;
	}
	return position;
}

test('it begins after a block and knows it', () => {
	const position = startAt(block(7));
	expect(position).toMatchObject({ next: 8, highest: 7 });
	expect(isKnown(position, block(7))).toBe(true);
	expect(isKnown(position, block(7, 'b'))).toBe(false);
});

test('it stays small: 64 blocks, and what was told of the latest of them', () => {
	const position = after(200, 400);
	expect(position.marks).toHaveLength(64);
	expect(toldIn(position)).toBe(20_000);
});

test('what is kept in the database is smaller: 500 things told', () => {
	const position = lean(after(200, 20));
	expect(position.marks).toHaveLength(64);
	expect(position.marks.at(-1)?.number).toBe(200);
	expect(toldIn(position)).toBe(500);
	expect(position.marks.filter(({ told }) => told).map(({ number }) => number)).toEqual(
		Array.from({ length: 25 }, (_, index) => 176 + index),
	);
	expect(JSON.parse(JSON.stringify(position))).toEqual(position);
});

test('a block with too much for the database is kept there without it', () => {
	const { position, news } = extend(startAt(block(0)), block(1), happenings(1, 501), true);
	expect(news).toHaveLength(501);
	expect(goBack(position, 1, true).news).toHaveLength(501);
	expect(lean(position).marks.at(-1)).toEqual(block(1));
});

test('what was told is taken back from the latest to the first', () => {
	const { position, news } = goBack(after(5, 2), 4, true);
	expect(position).toMatchObject({ next: 4, highest: 5 });
	expect(news.map(({ json, fate }) => [json.number, json.id, fate])).toEqual([
		[5, 1, 'removed'],
		[5, 0, 'removed'],
		[4, 1, 'removed'],
		[4, 0, 'removed'],
	]);
});

test('what another event told is not taken back', () => {
	expect(goBack(after(5, 2), 4, false).news).toEqual([]);
});

test('without a block that still stands it begins at the oldest that it knew', () => {
	expect(goBack(after(5, 1), 0, true).position).toMatchObject({ marks: [], next: 1 });
	expect(goBack(after(100, 1), 0, true).position).toMatchObject({ marks: [], next: 37 });
});

test('a second reorganization below the beginning loses nothing', async () => {
	const on = (fork: string, busy: number) => ({
		isTakenBack: true,
		place: async (number: number) => block(number, fork),
		happenings: async () => [{ block: block(busy, fork), json: { fork } }],
	});
	const start = startAt(block(10));
	const first = await advance(start, 15, on('b', 14));
	const second = await advance(first.position, 15, on('c', 12));
	expect(second.news).toEqual([
		{ json: { fork: 'b' }, fate: 'removed' },
		{ json: { fork: 'c' }, fate: 'replacing' },
	]);
	expect(second.position.marks.map(({ number }) => number)).toEqual([12, 15]);
});

test('a first block that the node turns away does not stop it', async () => {
	const view = {
		isTakenBack: true,
		place: async (number: number) =>
			number === 11 ? await Promise.reject(new RequestFailure('null round')) : block(number),
		happenings: async () => [{ block: block(12), json: {} }],
	};
	expect((await advance(startAt(block(10)), 15, view)).news).toHaveLength(1);
});

test('only young blocks are asked for again', async () => {
	const asked: number[] = [];
	const view = {
		isTakenBack: true,
		place: async (number: number) => {
			asked.push(number);
			return block(number);
		},
		happenings: async () => [20, 150].map((number) => ({ block: block(number), json: {} })),
	};
	await advance(startAt(block(10)), 160, view, 200);
	expect(asked).toContain(150);
	expect(asked).not.toContain(20);
});
