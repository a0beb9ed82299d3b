import { copyItems } from '../../../nodes/core/trigger/executions';

test('what is emitted is whole, whatever its fields are called', () => {
	const message = { json: { a: 1 }, binary: 'b', error: 'c', pairedItem: 4 };
	expect(copyItems([message])).toEqual([[{ json: message }]]);
});

test('what a workflow does to its items leaves what the trigger keeps as it is', () => {
	const kept = { list: [1] };
	const [[item] = []] = copyItems([kept]);
	(item?.json.list as number[]).push(2);
	expect(kept).toEqual({ list: [1] });
});
