import { createShared, sharedKey } from '../../../../nodes/core/net/pacing/shared';

const NUMBERS = sharedKey('test.numbers', () => new Set<number>());
const OTHERS = sharedKey('test.others', () => new Set<number>());

test('what is shared is made once for all who ask by its key, and again for another run', () => {
	const shared = createShared();
	shared(NUMBERS).add(1);
	shared(OTHERS).add(2);
	expect([...shared(NUMBERS), ...shared(OTHERS)]).toEqual([1, 2]);
	expect(createShared()(NUMBERS).size).toBe(0);
});

test('what is shared may be undefined, and is still made once', () => {
	const create = jest.fn(() => undefined);
	const key = sharedKey('test.nothing', create);
	const shared = createShared();
	shared(key);
	shared(key);
	expect(create).toHaveBeenCalledTimes(1);
});

test('a second key of the same name is refused, before anything is made by it', () => {
	const create = jest.fn(() => new Set<number>());
	const shared = createShared();
	shared(NUMBERS);
	expect(() => shared(sharedKey('test.numbers', create))).toThrow(
		"'test.numbers' is declared twice",
	);
	expect(create).not.toHaveBeenCalled();
	expect(shared(NUMBERS).size).toBe(0);
});
