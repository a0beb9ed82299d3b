import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';
import { createItemFieldEvaluator } from '../../nodes/core/operation/parameters';
import { runNode } from '../harness/engine.mts';
import { getCaseCount, getSeed } from '../harness/caseCount.mts';
import { createScratchNode } from '../harness/scratchNode.mts';

interface Read {
	readonly ours: unknown;
	readonly n8ns: unknown;
}

/** Reads a parameter of each item in two ways: unevaluated, and evaluated by n8n. */
async function readings(value: unknown, items: readonly IDataObject[]): Promise<Read[]> {
	const reads: Read[] = [];
	const node = createScratchNode((context) => {
		const ofItem = createItemFieldEvaluator(context);
		const parameter = (item: number, rawExpressions: boolean) =>
			context.getNodeParameter('value', item, '', { rawExpressions }) as unknown;
		const evaluated = (item: number) => {
			try {
				return parameter(item, false);
			} catch (error) {
				return error;
			}
		};
		context.getInputData().forEach((_, item) => {
			reads.push({ ours: ofItem(parameter(item, true), item), n8ns: evaluated(item) });
		});
		return undefined;
	});
	const input = items.map((json) => ({ json }));
	const { error } = await runNode({
		node,
		parameters: { value: value as string },
		credentials: {},
		items: input,
	});
	if (error) throw error;
	return reads;
}

const json = {
	block: 16,
	zero: 0,
	none: '',
	no: false,
	nothing: null,
	'two words': 'x',
	deep: { list: [{ to: '0xaa' }], nothing: null },
	'=': '={{ 1 }}',
	$odd: 1,
	length: 5,
};

describe('an expression that names a field of the item', () => {
	test.each([
		['={{ $json.block }}', 16],
		['={{$json.block}}', 16],
		['={{ $json["two words"] }}', 'x'],
		["={{ $json['two words'] }}", 'x'],
		['={{ $json.deep.list[0].to }}', '0xaa'],
		['={{ $json.deep["list"][0]["to"] }}', '0xaa'],
		['={{ $json.zero }}', 0],
		['={{ $json.none }}', ''],
		['={{ $json.no }}', false],
		['={{ $json["="] }}', '={{ 1 }}'],
		['={{ $json.length }}', 5],
		['={{ $json.deep.list.length }}', 1],
	])('%s is read as n8n reads it, without evaluating it', async (value, expected) => {
		expect(await readings(value, [json])).toEqual([{ ours: expected, n8ns: expected }]);
	});

	test.each([
		'={{ $json.block + 1 }}',
		'={{ $json.block }} ',
		'= {{ $json.block }}',
		'={{ $json.block }}{{ $json.block }}',
		'={{ $json.block; }}',
		'={{ $json.block.toString() }}',
		'={{ $json.missing }}',
		'={{ $json.missing.too }}',
		'={{ $json.nothing }}',
		'={{ $json.deep }}',
		'={{ $json.deep.list }}',
		'={{ $json.constructor }}',
		'={{ $json.block.constructor.name }}',
		'={{ $json.__proto__ }}',
		'={{ $json.toString }}',
		'={{ $json.none.length }}',
		'={{ $json }}',
		'={{ $json[block] }}',
		'={{ $json["a\\"b"] }}',
		'={{ $jsonx.block }}',
		'={{ $json?.block }}',
		'={{ $json.deep.list[-1] }}',
		'={{ $json.deep.list[00] }}',
		'={{ $item.json.block }}',
		'{{ $json.block }} =',
	])('%s is left to n8n, or no expression', async (value) => {
		const [read] = await readings(value, [json]);
		expect(read?.ours).toBe(value.startsWith('=') ? undefined : value);
	});

	test('is read for each item, and left to n8n for those without the field', async () => {
		const reads = await readings('={{ $json.a }}', [{ a: 1 }, { b: 2 }, { a: 'x' }]);
		expect(reads.map(({ ours }) => ours)).toEqual([1, undefined, 'x']);
	});

	test('is read within a list or a collection, if all of its expressions are such', async () => {
		const rows = (value: string) => ({
			row: [{ name: 'a', value }, { name: '={{ $json.none }}' }],
		});
		const filled = { row: [{ name: 'a', value: 16 }, { name: '' }] };
		expect(await readings(rows('={{ $json.block }}'), [json])).toEqual([
			{ ours: filled, n8ns: filled },
		]);
		const [read] = await readings(rows('={{ $json.block * 2 }}'), [json]);
		expect(read).toEqual({
			ours: undefined,
			n8ns: { row: [{ name: 'a', value: 32 }, { name: '' }] },
		});
	});

	test('is never read otherwise than n8n reads it, whatever the item and the name', async () => {
		const name = fc.oneof(
			fc.constantFrom('a', 'b', 'list', '0', 'length', '__proto__'),
			fc.string(),
		);
		const given = fc.dictionary(
			name,
			fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom<unknown>(-0, 1e21, '\ud800', '')),
		);
		const step = name.chain((key) =>
			fc.constantFrom(`.${key}`, `[${JSON.stringify(key)}]`, `['${key}']`, `[${key}]`),
		);
		const path = fc.array(step, { minLength: 1, maxLength: 3 }).map((steps) => steps.join(''));
		const runs = getCaseCount(600);
		let direct = 0;
		await fc.assert(
			fc.asyncProperty(given, path, async (item, steps) => {
				const [read] = await readings(`={{ $json${steps} }}`, [item as IDataObject]);
				if (read?.ours === undefined) return;
				direct++;
				expect(read.ours).toBe(read.n8ns);
			}),
			{ seed: getSeed(20261122), numRuns: runs },
		);
		expect(direct).toBeGreaterThan(runs / 60);
	});
});
