import { ObservableObject, type IDataObject } from 'n8n-workflow';
import {
	buildFingerprint,
	copyForStorage,
	parseSavedCursor,
	type SavedCursor,
} from '../../../nodes/core/chain/cursor';

const CHAIN = { id: '1', first: '0xaa' };
const blockRef = (number: number) => ({ number, hash: `0x${number}` });

const SAVED: SavedCursor = {
	chain: CHAIN,
	watched: 'blocks',
	cursor: {
		checkpoints: [blockRef(4999), blockRef(5000)],
		floor: 4999,
		next: 5001,
		highest: 5000,
		reorgs: 0,
	},
};

describe('what is kept', () => {
	test('is read as a copy of what was stored', () => {
		const stored = JSON.parse(JSON.stringify(copyForStorage(SAVED))) as SavedCursor;
		const saved = parseSavedCursor(stored);
		expect(saved).toEqual(SAVED);
		expect(saved?.cursor.checkpoints[0]).not.toBe(stored.cursor.checkpoints[0]);
	});

	test('is stored as a copy, with little of what was emitted', () => {
		const emitted = Array.from({ length: 501 }, (_, id) => ({ id }));
		const marks = [blockRef(4999), { ...blockRef(5000), emitted }];
		const stored = copyForStorage({ ...SAVED, cursor: { ...SAVED.cursor, checkpoints: marks } });
		expect(stored).toEqual(SAVED);
		expect(emitted).toHaveLength(501);
	});

	test("is read from n8n's static data, which observe themselves, as a copy", () => {
		const observed = ObservableObject.create({ saved: SAVED as unknown as IDataObject });
		expect(parseSavedCursor(observed.saved)).toEqual(SAVED);
		expect(copyForStorage(observed.saved as unknown as SavedCursor)).toEqual(SAVED);
	});

	const withCursor = (changes: object) => ({ ...SAVED, cursor: { ...SAVED.cursor, ...changes } });
	const withLatest = (changes: object) =>
		withCursor({ checkpoints: [blockRef(4999), { ...blockRef(5000), ...changes }] });

	test.each<[string, unknown]>([
		['a block that holds what was emitted of it', withLatest({ emitted: [{}] })],
		['nothing of proofs', withCursor({ proofs: null })],
	])('may hold %s', (_what, stored) => {
		expect(parseSavedCursor(stored)).toEqual(stored);
	});

	test.each<[string, unknown]>([
		['nothing', undefined],
		['a text', 'x'],
		['empty', {}],
		['what an older version kept', { chain: '0x1', cursor: SAVED.cursor }],
		['without a chain', { ...SAVED, chain: undefined }],
		['of a chain without an ID', { ...SAVED, chain: { first: '0xaa' } }],
		['without what was watched', { ...SAVED, watched: undefined }],
		['without a position', { ...SAVED, cursor: undefined }],
		['without its blocks', withCursor({ checkpoints: [] })],
		['with a text of blocks', withCursor({ checkpoints: 'many' })],
		['with null for a block', withCursor({ checkpoints: [blockRef(4999), null] })],
		['with the number of a block in hex', withLatest({ number: '0x1388' })],
		['with a hash that is a number', withLatest({ hash: 1 })],
		['with a text of what was emitted', withLatest({ emitted: 'x' })],
		['with numbers that were emitted', withLatest({ emitted: [1] })],
		['with a gap', withCursor({ next: 5002 })],
		['with a next block far off', withCursor({ next: 1e15 })],
		['with a highest block in text', withCursor({ highest: '5000' })],
		['with a negative highest block', withCursor({ highest: -1 })],
		['with a floor that is an object', withCursor({ floor: {} })],
		['with reorganizations in text', withCursor({ reorgs: '1' })],
		['below nothing', withCursor({ floor: -1 })],
	])('is not %s', (_what, stored) => {
		expect(parseSavedCursor(stored)).toBeUndefined();
	});
});

describe('what is watched', () => {
	test('is the same in another order', () => {
		const order = ['b', 'a'];
		expect(buildFingerprint(['log', order])).toBe(buildFingerprint(['log', ['a', 'b']]));
		expect(order).toEqual(['b', 'a']);
	});

	test('is the same in other letters, and said twice', () => {
		expect(buildFingerprint(['log', ['0xAB', '0xab']])).toBe(buildFingerprint(['log', ['0xab']]));
	});

	test('is a short text, however much it is', () => {
		const many = Array.from({ length: 1000 }, (_, index) => `0x${index}`);
		expect(buildFingerprint(['log', many])).toMatch(/^[0-9a-f]{64}$/);
	});

	test.each<[string, Array<string | string[]>]>([
		['another event', ['newBlock', ['a', 'b']]],
		['one less', ['log', ['a']]],
		['one more', ['log', ['a', 'b', 'c']]],
		['one of both', ['log', ['a,b']]],
		['the same elsewhere', ['log', [], ['a', 'b']]],
		['a text', ['log', 'a', 'b']],
	])('is another thing with %s', (_what, choices) => {
		expect(buildFingerprint(choices)).not.toBe(buildFingerprint(['log', ['a', 'b']]));
	});
});
