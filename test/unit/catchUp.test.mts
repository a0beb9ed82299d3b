import { catchUp } from '../../nodes/ActivityTrigger/catchUp';
import { startAt } from '../../nodes/core/chain/position';
import { RequestFailure } from '../../nodes/core/failure';

const place = (number: number) => ({ number, hash: `0x${number}` });
const START = startAt(place(0));

/** A chain on which something happens in these blocks; what was searched is written down. */
function chainWith(...busy: number[]) {
	const searched: Array<[number, number]> = [];
	return {
		searched,
		isTakenBack: true,
		place: async (number: number) => place(number),
		happenings: async (from: number, to: number) => {
			searched.push([from, to]);
			return busy
				.filter((number) => number >= from && number <= to)
				.map((number) => ({ block: place(number), json: { number } }));
		},
	};
}

const limits = { last: 1_000, most: 150, deadline: Infinity };

test('it reads on to the last block where nothing happens', async () => {
	const chain = chainWith();
	const { position, news } = await catchUp(START, chain, limits);
	expect(position.next).toBe(1_001);
	expect(news).toEqual([]);
	expect(Math.max(...chain.searched.map(([from, to]) => to - from + 1))).toBe(100);
});

test('from the first find on, it reads as many blocks as it may', async () => {
	const chain = chainWith(555, 560, 700);
	const { position, news } = await catchUp(START, chain, limits);
	expect(news.map(({ json }) => json.number)).toEqual([555, 560]);
	expect(position.next).toBeGreaterThan(560);
	expect(position.next).toBeLessThanOrEqual(555 + limits.most);
	const rest = await catchUp(position, chain, limits);
	expect(rest.news.map(({ json }) => json.number)).toEqual([700]);
});

test('when the time is up, it ends after a stretch', async () => {
	const { position } = await catchUp(START, chainWith(), { ...limits, deadline: 0 });
	expect(position.next).toBe(101);
});

test('what was found before a failure is not lost', async () => {
	const chain = chainWith(50);
	const failing = {
		...chain,
		happenings: async (from: number, to: number) => {
			if (from > 100) throw new RequestFailure('no more');
			return await chain.happenings(from, to);
		},
	};
	const { position, news } = await catchUp(START, failing, limits);
	expect(position.next).toBe(101);
	expect(news.map(({ json }) => json.number)).toEqual([50]);
	await expect(catchUp(position, failing, limits)).rejects.toThrow('no more');
});
