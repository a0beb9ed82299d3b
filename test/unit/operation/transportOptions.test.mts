import { createParameterParser } from '../../../nodes/core/operation/parameters';
import { rpcOptions } from '../../../nodes/core/operation/transportOptions';

function parse(options: object) {
	return createParameterParser(() => options, [rpcOptions()])(0).options;
}

const BOUNDS: ReadonlyArray<[name: string, title: string, least: number, most: number]> = [
	['batchSize', 'Batch Size', 1, 1000],
	['concurrency', 'Concurrency', 1, 100],
	['maxRetries', 'Max Retries', 0, 20],
	['maxWait', 'Max Wait', 0, 86_400],
	['timeout', 'Timeout', 1, 3_600_000],
];

test.each(BOUNDS)('%s: %s is a whole number, %i to %i', (name, title, least, most) => {
	for (const value of [least, most]) expect(parse({ [name]: value })).toEqual({ [name]: value });
	const range = `${least} to ${most}`;
	for (const value of [least - 1, most + 1, least + 0.5]) {
		expect(() => parse({ [name]: value })).toThrow(
			`'Options > ${title}' must be a whole number, ${range}; got ${value}`,
		);
	}
});
