// This process acts as a TRON node. Its arguments are the number of transactions per block, and the milliseconds until
// each answer.
// Every hundredth block pays the watched account, whose address is 41 followed by forty times the digit 2.
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

const [, , perBlock, latency] = process.argv.map(Number);
const FIRST = 70_000_000;
const PAID_EVERY = 100;
const ON_TOP = 19;
let head = FIRST;

const hex = (value, length) => value.toString(16).padStart(length, '0');
const hashOf = (number) => hex(number, 16) + hex(number * 7, 48);
const account = (digit) => `41${digit.repeat(40)}`;
const NUMBER = '@number@';
const TOPIC = 'ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

/** Builds the JSON of a block. Placeholders stand for the values that differ from block to block. */
function buildTemplates(to) {
	const indices = Array.from({ length: perBlock }, (_, index) => index);
	const id = (index) => NUMBER + hex(index, 48);
	const transactions = indices.map((index) => ({
		ret: [{ contractRet: 'SUCCESS' }],
		signature: ['ab'.repeat(65)],
		txID: id(index),
		raw_data: {
			contract: [
				{
					parameter: {
						value: {
							owner_address: account('1'),
							to_address: index === 0 ? to : account('3'),
							amount: 1_500_000,
						},
						type_url: 'type.googleapis.com/protocol.TransferContract',
					},
					type: 'TransferContract',
				},
			],
			ref_block_bytes: 'abcd',
			ref_block_hash: 'ab'.repeat(8),
			expiration: 1_700_000_060_000,
			timestamp: 1_700_000_000_000,
		},
		raw_data_hex: 'cd'.repeat(130),
	}));
	const infos = indices.map((index) => ({
		id: id(index),
		blockNumber: '@decimal@',
		blockTimeStamp: 1_700_000_000_000,
		contractResult: [''],
		contract_address: account('4'),
		receipt: { energy_usage_total: 31_895, net_usage: 345, result: 'SUCCESS' },
		log: [{ address: '4'.repeat(40), topics: [TOPIC, hex(1, 64), hex(2, 64)], data: hex(5, 64) }],
	}));
	return {
		transactions: JSON.stringify(transactions),
		infos: JSON.stringify(infos).replaceAll('"@decimal@"', '@decimal@'),
	};
}

const quiet = buildTemplates(account('3'));
const paying = buildTemplates(account('2'));
const templatesOf = (number) => (number % PAID_EVERY === 0 ? paying : quiet);

function blockOf(number) {
	const raw_data = {
		number,
		timestamp: 1_600_000_000_000 + (number - FIRST) * 3000,
		parentHash: hashOf(number - 1),
	};
	const start = JSON.stringify({ blockID: hashOf(number), block_header: { raw_data } });
	const transactions = templatesOf(number).transactions.replaceAll(NUMBER, hex(number, 16));
	return `${start.slice(0, -1)},"transactions":${transactions}}`;
}

function answer(path, body) {
	const end = path.includes('/walletsolidity/') ? head - ON_TOP : head;
	const method = path.split('/').at(-1);
	if (method === 'getnowblock') return blockOf(end);
	if (method === 'getblockbylimitnext') {
		const blocks = [];
		for (let number = body.startNum; number < body.endNum && number <= end; number++)
			blocks.push(blockOf(number));
		return `{"block":[${blocks.join(',')}]}`;
	}
	if (method === 'gettransactioninfobyblocknum') {
		return templatesOf(body.num)
			.infos.replaceAll(NUMBER, hex(body.num, 16))
			.replaceAll('@decimal@', String(body.num));
	}
	if (method === 'advance') head += body.blocks;
	return '{}';
}

const server = createServer(async (request, response) => {
	let text = '';
	for await (const chunk of request) text += chunk;
	if (latency > 0) await sleep(latency);
	response.setHeader('content-type', 'application/json');
	response.end(answer(request.url, JSON.parse(text || '{}')));
}).listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
process.stdin.on('end', () => process.exit()).resume();
