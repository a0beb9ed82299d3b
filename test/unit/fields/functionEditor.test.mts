import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { functionEditor } from '../../../nodes/fields/functionEditor';

const typed = (parameters: Record<string, unknown>) =>
	({ getCurrentNodeParameter: (name: string) => parameters[name] }) as ILoadOptionsFunctions;

const fieldsFor = async (parameters: Record<string, unknown>) =>
	await functionEditor.resourceMapping.argumentFields.call(typed(parameters));
const functionsOf = async (given: unknown, functionName?: unknown) =>
	await functionEditor.loadOptions.functions.call(typed({ function: given, functionName }));

describe('the fields of a function', () => {
	test('are one for each argument, with its type in its label', async () => {
		const { fields } = await fieldsFor({
			function: 'f(address to, uint256[] amounts, bool isDry, string)',
		});
		expect(fields).toMatchObject([
			{ id: 'to', displayName: 'to (address)', type: 'string', required: true },
			{ id: 'amounts', displayName: 'amounts (uint256[])', type: 'string', required: true },
			{ id: 'isDry', displayName: 'isDry (bool)', type: 'boolean', required: false },
			{ id: 'arg3', displayName: 'arg3 (string)', type: 'string', required: false },
		]);
	});

	test.each([
		[{ function: '' }, /^Enter a function, and a field for each/],
		[{ function: 7 }, /^Function must be /],
		[{ function: 'f(' }, /^Function must be a valid declaration/],
		[{ function: 'f()' }, /^f takes no arguments/],
		[{ function: 'f(uint a); g()' }, /^Choose a function, and a field for each/],
		[
			{ function: 'f(uint a); g()', functionName: 'h' },
			/^Function Name must be one of f\(uint256\), g\(\)/,
		],
		[
			{ function: '["f(uint a)"]', functionName: 'g' },
			/^Function Name must be empty or f\(uint256\): there is no other function/,
		],
	])('are none for %j, with the reason', async (parameters, why) => {
		const { fields, emptyFieldsNotice } = await fieldsFor(parameters);
		expect(fields).toEqual([]);
		expect(emptyFieldsNotice).toMatch(why);
	});

	test('are those of the function that was chosen', async () => {
		const { fields } = await fieldsFor({ function: 'f(uint a); g(bool b)', functionName: 'g' });
		expect(fields.map(({ id }) => id)).toEqual(['b']);
	});
});

describe('the fields of a constructor', () => {
	const ofDeployment = async (given: unknown) =>
		await fieldsFor({ kind: 'deployment', function: given });

	test.each([
		'constructor(string name, uint256 supply) payable',
		JSON.stringify([
			{ type: 'function', name: 'f', inputs: [{ type: 'bool' }] },
			{
				type: 'constructor',
				inputs: [
					{ name: 'name', type: 'string' },
					{ name: 'supply', type: 'uint256' },
				],
			},
		]),
	])('of %s are its arguments', async (given) => {
		const { fields } = await ofDeployment(given);
		expect(fields.map(({ displayName }) => displayName)).toEqual([
			'name (string)',
			'supply (uint256)',
		]);
	});

	test.each([
		['', /^A field for each argument of the constructor/],
		['constructor()', /takes no arguments/],
		['[{"type":"function","name":"f","inputs":[]}]', /takes no arguments/],
		['constructor(', /^Constructor must be a valid declaration/],
	])('of %j are none, with the reason', async (given, why) => {
		const { fields, emptyFieldsNotice } = await ofDeployment(given);
		expect(fields).toEqual([]);
		expect(emptyFieldsNotice).toMatch(why);
	});
});

describe('the functions to choose from', () => {
	test('go by their names, and by their signatures where two have the same name', async () => {
		expect(await functionsOf('f(uint a); f(bool b); g()')).toEqual([
			{ name: 'f(uint256 a)', value: 'f(uint256)' },
			{ name: 'f(bool b)', value: 'f(bool)' },
			{ name: 'g()', value: 'g' },
		]);
	});

	test('need no choice where there is one, which is reported', async () => {
		const only = [{ name: 'f(uint256 a), the only one', value: '' }];
		expect(await functionsOf('f(uint a)')).toEqual(only);
		// The stored choice belongs to another contract. The editor shows it in red beside the only function.
		expect(await functionsOf('f(uint a)', 'g')).toEqual(only);
	});

	test('need one where another cannot be read', async () => {
		const given = 'f(uint a); g(uint9 b)';
		expect(await functionsOf(given)).toEqual([{ name: 'f(uint256 a)', value: 'f' }]);
		const { fields, emptyFieldsNotice } = await fieldsFor({ function: given, functionName: '' });
		expect(fields).toEqual([]);
		expect(emptyFieldsNotice).toMatch(/^Function Name must be f\(uint256\) if that is meant/);
	});

	test.each(['f', 'f(uint256)'])('show the only one as chosen by %s', async (functionName) => {
		expect(await functionsOf('f(uint a)', functionName)).toEqual([
			{ name: 'f(uint256 a), the only one', value: functionName },
		]);
	});

	test('need no choice while nothing that can be read is typed', async () => {
		for (const given of ['', 'f(', undefined, 7, {}]) {
			expect(await functionsOf(given)).toEqual([
				{ name: 'Fill in the Fields Above First', value: '' },
			]);
		}
	});
});
