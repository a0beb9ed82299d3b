import fc from 'fast-check';
import { CallData, hash, type Abi } from 'starknet';
import { parseStarkAbi } from '../../../nodes/core/stark/abi/abi';
import {
	decodeFunctionResult,
	encodeCalldata,
	getStarkFunction,
} from '../../../nodes/core/stark/abi/call';
import { computeSelector } from '../../../nodes/core/stark/selectors';
import { samples, type Sample } from './support/anything.mts';
import { getCaseCount, getSeed } from '../../harness/caseCount.mts';

fc.configureGlobal({ seed: getSeed(20261124), numRuns: getCaseCount(1000) });

/** Random types of a function's arguments, with several values for each. */
const cases = fc
	.array(samples(2), { minLength: 1, maxLength: 3 })
	.chain((types) =>
		fc.tuple(
			fc.constant(types),
			fc.array(fc.tuple(...types.map(({ values }) => values)), { minLength: 3, maxLength: 3 }),
		),
	);

function buildAbi(types: readonly Sample[]): object[] {
	const parameters = types.map(({ type }, index) => ({ name: `p${index}`, type }));
	const known = new Map(
		types.flatMap(({ entries }) => entries).map((one) => [JSON.stringify(one), one]),
	);
	const whole = `(${types.map(({ type }) => type).join(', ')})`;
	const items = [
		{
			type: 'function',
			name: 'give',
			inputs: parameters,
			outputs: [{ type: whole }],
			state_mutability: 'view',
		},
	];
	return [...known.values(), { type: 'interface', name: 'pkg::I', items }];
}

test('arguments of any types are encoded as the reference client does, and come back', () => {
	fc.assert(
		fc.property(cases, ([types, calls]) => {
			const json = buildAbi(types);
			const give = getStarkFunction(parseStarkAbi(JSON.stringify(json)), 'give');
			const reference = new CallData(json as unknown as Abi);
			for (const values of calls) {
				const felts = encodeCalldata(
					give,
					values.map(({ given }) => given),
				);
				const expected = reference.compile('give', values.map(({ foreign }) => foreign) as never[]);
				expect(felts.map(String)).toEqual([...expected]);
				expect(decodeFunctionResult(give, felts)).toEqual({
					result: values.map(({ shown }) => shown),
				});
			}
		}),
	);
});

test('a selector is that of the reference client', () => {
	fc.assert(
		fc.property(fc.stringMatching(/^[a-zA-Z_]\w{0,80}$/), (name) => {
			expect(`0x${computeSelector(name).toString(16)}`).toBe(hash.getSelectorFromName(name));
		}),
	);
});
