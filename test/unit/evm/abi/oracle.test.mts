import fc from 'fast-check';
import {
	decodeAbiParameters,
	encodeAbiParameters,
	encodeErrorResult,
	encodeEventTopics as encodeTopicsByViem,
	toEventSelector,
	toFunctionSelector,
	type AbiEvent,
	type AbiFunction,
	type AbiParameter,
} from 'viem';
import { abiParser } from '../../../../nodes/core/evm/abi/abi';
import {
	decodeErrorResult,
	decodeFunctionResult,
	encodeFunctionData,
	getFunction,
} from '../../../../nodes/core/evm/abi/call';
import { decodeEventLog, encodeEventTopics } from '../../../../nodes/core/evm/abi/event';
import { byName, parameters, values, written, type Json, type Value } from './support/anything.mts';
import { getCaseCount, getSeed } from '../../../harness/caseCount.mts';

fc.configureGlobal({ seed: getSeed(20261121), numRuns: getCaseCount(2000) });

/** Random types of parameters, with five random values for each. */
const cases = parameters(2).chain((types) =>
	fc.tuple(fc.constant(types), fc.array(values(types), { minLength: 5, maxLength: 5 })),
);

/** Random arguments of an event. Only types that viem can filter by are indexed. */
const events = fc
	.tuple(parameters(1, 5), fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }))
	.map(([types, flags]) => {
		let left = 3;
		return types.map((type, index) => {
			const indexed = flags[index] === true && !/[[(]|tuple/.test(type.type) && left-- > 0;
			return { ...type, indexed };
		});
	});

const happened = events.chain((types) => fc.tuple(fc.constant(types), values(types)));

const asOracle = (types: readonly Json[]) => types as unknown as AbiParameter[];
const plainOf = (list: readonly Value[]) => list.map(({ plain }) => plain);
const givenOf = (list: readonly Value[]) => list.map(({ given }) => given);
const oneFunction = (given: unknown) => getFunction(abiParser('function')(given), '');

/** Formats a value in the form that items have: an integer that may be too large for a number becomes text. */
function formatValue(value: unknown): unknown {
	if (typeof value === 'bigint') return value.toString();
	if (Array.isArray(value)) return value.map(formatValue);
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, formatValue(part)]));
}

function readByOracle(types: readonly Json[], data: `0x${string}`): unknown[] {
	return decodeAbiParameters(asOracle(types), data).map(formatValue);
}

describe('in agreement with another implementation', () => {
	test('random values of random types are written and read', () => {
		fc.assert(
			fc.property(cases, ([types, lists]) => {
				const called = oneFunction({ name: 'f', inputs: types, outputs: types });
				const isNamed = types.every(({ name }) => name !== '');
				for (const list of lists) {
					const data = encodeAbiParameters(asOracle(types), plainOf(list));
					expect(encodeFunctionData(called, givenOf(list))).toBe(called.selector + data.slice(2));
					const read = readByOracle(types, data);
					const [result] = types.length === 1 ? read : [read];
					expect(decodeFunctionResult(called, data)).toEqual(
						isNamed && types.length > 1 ? byName(types, read) : { result: result },
					);
				}
			}),
		);
	}, 120_000);

	test('arguments by name are those in order', () => {
		fc.assert(
			fc.property(cases, ([types, [list = []]]) => {
				const called = oneFunction({ name: 'f', inputs: types });
				const inOrder = encodeFunctionData(called, givenOf(list));
				expect(encodeFunctionData(called, byName(types, givenOf(list)))).toBe(inOrder);
				expect(
					encodeFunctionData(called, JSON.stringify(byName(types, givenOf(list)), asText)),
				).toBe(inOrder);
			}),
			{ numRuns: getCaseCount(500) },
		);
	});

	test('selectors and topics are the same, from JSON and from a signature', () => {
		fc.assert(
			fc.property(events, (inputs) => {
				const item = { name: 'anyName', inputs: inputs as never, outputs: [] };
				const call = { ...item, type: 'function', stateMutability: 'view' } as AbiFunction;
				const event = { ...item, type: 'event' } as AbiEvent;
				const text = `anyName(${inputs.map(written).join(', ')})`;
				const [selector, topic] = [toFunctionSelector(call), toEventSelector(event)];
				for (const given of [call, [call], JSON.stringify([event, call]), text]) {
					expect(oneFunction(given).selector).toBe(selector);
				}
				for (const given of [event, { abi: [call, event] }, `event ${text};`, text]) {
					expect(abiParser('event')(given).events).toMatchObject([{ topic, name: 'anyName' }]);
				}
			}),
			{ numRuns: getCaseCount(500) },
		);
	});

	test('logs are filtered by topics and read', () => {
		fc.assert(
			fc.property(happened, ([inputs, list]) => {
				const event = { type: 'event', name: 'Happened', inputs } as unknown as AbiEvent;
				const parsed = abiParser('event')(event).events;
				const isIndexed = (_: unknown, index: number) => inputs[index]?.indexed === true;
				const isInData = (_: unknown, index: number) => inputs[index]?.indexed !== true;
				const topics = encodeTopicsByViem({ abi: [event], args: plainOf(list.filter(isIndexed)) });
				const where = byName(inputs, givenOf(list));
				const wanted = Object.fromEntries(Object.entries(where).filter(isIndexed));
				expect(encodeEventTopics(parsed, wanted)).toEqual(topics);

				const inData = inputs.filter(isInData);
				const data = encodeAbiParameters(asOracle(inData), plainOf(list.filter(isInData)));
				const read = readByOracle(inData, data);
				const [, ...indexed] = topics as Array<`0x${string}`>;
				const values = inputs.map((input) => {
					if (!input.indexed) return read.shift();
					const topic = indexed.shift() ?? '0x';
					return /^(string|bytes)$/.test(input.type) ? topic : readByOracle([input], topic)[0];
				});
				const args = byName(inputs, values);
				expect(decodeEventLog(parsed, { topics, data })).toEqual({ event: 'Happened', args });
			}),
		);
	});

	test('errors are read', () => {
		fc.assert(
			fc.property(cases, ([inputs, [list = []]]) => {
				const abi = [{ type: 'error', name: 'Failed', inputs: asOracle(inputs) }] as const;
				const data = encodeErrorResult({ abi, errorName: 'Failed', args: plainOf(list) });
				const args = byName(inputs, readByOracle(inputs, `0x${data.slice(10)}`));
				const { errors } = abiParser('error')(abi);
				expect(decodeErrorResult(errors, data)).toMatchObject({ name: 'Failed', args });
			}),
			{ numRuns: getCaseCount(500) },
		);
	});
});

function asText(_key: string, value: unknown): unknown {
	return typeof value === 'bigint' ? value.toString() : value;
}
