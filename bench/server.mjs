// This service runs in a process of its own and only answers, so that the measurement covers the client alone.
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import { buildBlock, buildProjectPage, buildTraces } from './answers.mjs';
import { RateLimit } from './rateLimit.mjs';

const DEFAULTS = { latency: 0, perSecond: Infinity, cid: 'bafkqaaa' };
const settings = { ...DEFAULTS };
const counts = { requests: 0, calls: 0, refused: 0, bytes: 0 };
let limit = new RateLimit(Infinity);

const server = createServer(async (request, response) => {
	const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
	if (pathname === '/control')
		return sendJson(response, applyControl(JSON.parse(await readText(request))));
	counts.requests++;
	if (pathname === '/v1/ipfs/pins/pinfile') return sendJson(response, await receivePin(request));
	const body = request.method === 'POST' ? JSON.parse(await readText(request)) : undefined;
	if (settings.latency > 0) await sleep(settings.latency);
	if (pathname === '/v1/projects/')
		return sendJson(response, buildProjectPage(searchParams, getAddress()));
	return sendJson(response, Array.isArray(body) ? body.map(answerCall) : answerCall(body ?? {}));
});

/** Changes the settings and resets the counts. Returns the counts up to now. */
function applyControl(changes) {
	const counted = { ...counts };
	Object.assign(counts, { requests: 0, calls: 0, refused: 0, bytes: 0 });
	Object.assign(settings, DEFAULTS, changes);
	limit = new RateLimit(settings.perSecond);
	return counted;
}

function answerCall({ id = 1, method, params = [] }) {
	counts.calls++;
	const wait = limit.waitFor(Date.now());
	if (wait > 0) {
		counts.refused++;
		const data = { try_again_in: `${wait}ms` };
		const error = { code: -32005, message: "You've exceeded the RPS limit", data };
		return { jsonrpc: '2.0', id, error };
	}
	const result = method === 'trace_filter' ? buildTraces(params[0]) : buildBlock(params[0]);
	return { jsonrpc: '2.0', id, result };
}

/** Receives an uploaded file. It counts the bytes and keeps none of them. */
async function receivePin(request) {
	for await (const piece of request) counts.bytes += piece.length;
	return { id: 'PIN-1', cid: settings.cid, status: 'pinned', size: counts.bytes };
}

async function readText(request) {
	const pieces = [];
	for await (const piece of request) pieces.push(piece);
	return Buffer.concat(pieces).toString();
}

function sendJson(response, body) {
	const json = JSON.stringify(body);
	response.writeHead(200, {
		'content-type': 'application/json',
		'content-length': Buffer.byteLength(json),
	});
	response.end(json);
}

const getAddress = () => `http://127.0.0.1:${server.address().port}`;

/** Each subscriber gets an announcement of a new block when the benchmark requests it. */
const sockets = new WebSocketServer({ server });
let head = 1;
sockets.on('connection', (socket) => {
	socket.on('message', (message) => {
		const { id, method, params } = JSON.parse(String(message));
		if (method === 'eth_subscribe') socket.isSubscribed = true;
		const result =
			{ eth_subscribe: '0x1', eth_chainId: '0x1' }[method] ?? buildBlock(getBlockNumber(params));
		socket.send(JSON.stringify({ jsonrpc: '2.0', id, result }));
	});
});

const getBlockNumber = ([tag = 'latest'] = []) =>
	tag === 'latest' ? `0x${head.toString(16)}` : tag;

process.on('message', () => {
	const result = buildBlock(`0x${(++head).toString(16)}`);
	const params = { subscription: '0x1', result };
	const text = JSON.stringify({ jsonrpc: '2.0', method: 'eth_subscription', params });
	for (const socket of sockets.clients) if (socket.isSubscribed) socket.send(text);
	process.send?.({ number: head, at: Date.now() });
});
process.on('disconnect', () => process.exit());
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.send?.({ url: getAddress() }));
