import { ONE, type Cell, type Fault } from '../fault.mts';

/**
 * Creates a fault that answers with status 200 and an invalid body. A request to a REST API is not repeated after such
 * an answer, even if it only reads.
 */
const nonsense = (name: string, text: (cell: Cell) => string): Fault => ({
	name,
	times: 1,
	do: (cell) => {
		cell.carryOut();
		cell.response.writeHead(200, { 'content-type': 'application/json' }).end(text(cell));
	},
	then: { batched: 'good', rest: 'fails', else: 'unclear' },
	requests: ONE,
});

export const answers: readonly Fault[] = [
	nonsense('half of the JSON', ({ body }) => body.slice(0, -1)),
	nonsense('invalid JSON', ({ body }) => `${body}}`),
	{ ...nonsense('an empty body', () => ''), isEmpty: true },
	nonsense('an HTML page', () => '<!doctype html><title>Welcome</title>'),
	nonsense('240 kB of <title', () => '<html><title'.repeat(20_000)),
	{ ...nonsense('{}', () => '{}'), isJson: true },
	{ ...nonsense('[]', () => '[]'), isJson: true },
	{ ...nonsense('null', () => 'null'), isJson: true },
	{ ...nonsense('a number', () => '42'), isJson: true },
	nonsense('a list in a list, a million deep', () => '['.repeat(1_000_000)),
	{
		name: 'the right answer as text/html',
		do: ({ honest }) => honest({ 'content-type': 'text/html' }),
		then: { else: 'good' },
		requests: ONE,
	},
	{
		name: 'a 102 before the answer',
		do: ({ response, honest }) => {
			response.writeProcessing();
			honest();
		},
		then: { else: 'good' },
		requests: ONE,
	},
];

/** An answer of 64 MB. Few operations are tested with it, because it is so large. */
export const large = nonsense('64 MB', () => '"'.repeat(64_000_000));
