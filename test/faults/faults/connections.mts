import { LOST, TWICE, type Fault } from '../fault.mts';

export const connections: readonly Fault[] = [
	{
		name: 'reset before it is carried out',
		times: 1,
		do: ({ received }) => received.request.socket.resetAndDestroy(),
		then: LOST,
		requests: TWICE,
	},
	{
		name: 'reset after it was carried out',
		times: 1,
		do: ({ received, carryOut }) => {
			carryOut();
			received.request.socket.resetAndDestroy();
		},
		then: LOST,
		requests: TWICE,
	},
	{
		name: 'reset always',
		do: ({ received }) => received.request.socket.resetAndDestroy(),
		then: { batched: 'fails', rest: 'fails', else: 'unclear' },
		requests: TWICE,
		words: /connection to the service was lost/,
	},
	{
		name: 'reset in the middle of the headers',
		times: 1,
		do: ({ received, carryOut }) => {
			carryOut();
			received.request.socket.write('HTTP/1.1 200 OK\r\ncontent-');
			received.request.socket.end();
		},
		then: LOST,
		requests: TWICE,
	},
	{
		name: 'reset in the middle of the body',
		times: 1,
		do: ({ response, carryOut, body }) => {
			carryOut();
			response.writeHead(200, { 'content-length': body.length });
			response.write(body.slice(0, -3), () => response.destroy());
		},
		then: LOST,
		requests: TWICE,
	},
	{
		name: 'silence, once',
		times: 1,
		do: ({ carryOut }) => carryOut(),
		then: LOST,
		requests: TWICE,
		words: /did not answer within/,
		isSilent: true,
	},
	{
		name: 'silence after the headers',
		times: 1,
		do: ({ response, carryOut }) => {
			carryOut();
			response.writeHead(200, { 'content-length': 1000 });
			response.flushHeaders();
		},
		then: LOST,
		requests: TWICE,
		words: /did not answer within/,
		isSilent: true,
	},
	{
		name: 'a byte now and then, without end',
		times: 1,
		do: ({ response, carryOut }) => {
			carryOut();
			response.writeHead(200);
			const drip = setInterval(() => response.write(' '), 50);
			response.once('close', () => clearInterval(drip));
		},
		then: LOST,
		requests: TWICE,
		words: /did not answer within/,
		isSilent: true,
	},
	{
		name: 'no HTTP',
		times: 1,
		do: ({ received }) => received.request.socket.end('SSH-2.0-OpenSSH_9.6\r\n'),
		then: LOST,
		requests: TWICE,
	},
	{
		name: 'headers of 100 kB',
		times: 1,
		do: ({ response, carryOut, body }) => {
			carryOut();
			response.writeHead(200, { 'x-long': 'x'.repeat(100_000) }).end(body);
		},
		then: LOST,
		requests: TWICE,
	},
];
