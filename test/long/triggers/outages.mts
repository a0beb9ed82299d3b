import { setTimeout as pause } from 'node:timers/promises';
import { encodeFunctionData, type Abi } from 'viem';
import { numberToHex } from '../../harness/evmChain.mts';
import type { Random } from '../../harness/random.mts';
import type { Scene, Watch } from './watches.mts';

const GAS_LIMIT = numberToHex(200_000);
const MAX_REORG_DEPTH = 6;
const MAX_LAG_SECONDS = 8;

/** Creates random faults of the chain, of the connections to it, and of the watching workflows. */
export function createOutages(scene: Scene, watches: readonly Watch[], random: Random) {
	const { sandbox, notes, coin, editions, payer, payee } = scene;
	const { control } = sandbox;
	let subject = 0;

	const batch = encodeFunctionData({
		abi: editions.abi as Abi,
		functionName: 'safeBatchTransferFrom',
		args: [editions.owner, payee, [1n, 2n], [1n, 1n], '0x'],
	});

	const happenings = [
		() => ({
			from: notes.owner,
			to: notes.address,
			gas: GAS_LIMIT,
			data: notes.data('erase(uint256)', ++subject),
		}),
		() => ({
			from: coin.owner,
			to: coin.address,
			gas: GAS_LIMIT,
			data: coin.data('transfer(address,uint256)', BigInt(payee), ++subject),
		}),
		() => ({ from: payer, to: payee, value: numberToHex(++subject), gas: GAS_LIMIT }),
		() => ({ from: editions.owner, to: editions.address, gas: GAS_LIMIT, data: batch }),
	];
	const happening = () => random.oneOf(happenings)();

	const lag = () => ({ blocks: random.upTo(3), share: random.oneOf([0.3, 0.5, 1]) });
	// The chain makes about ten blocks a second, so a lag of a few seconds hides many blocks.
	const indexLag = () => ({ ...lag(), seconds: random.oneOf([0, random.upTo(MAX_LAG_SECONDS)]) });
	const isYes = () => random.upTo(1) === 1;

	const chain = {
		'transactions in blocks of their own': async () => {
			for (let left = 1 + random.upTo(4); left > 0; left--) await sandbox.mined(happening());
		},
		'empty blocks': async () => await sandbox.chain('anvil_mine', numberToHex(1 + random.upTo(4))),
		reorganizations: async () => {
			const depth = 1 + random.upTo(MAX_REORG_DEPTH - 1);
			const replacing = Array.from({ length: 1 + random.upTo(2) }, () => [
				happening(),
				random.upTo(depth - 1),
			]);
			await sandbox.chain('anvil_reorg', depth, replacing);
			await sandbox.chain('anvil_mine', numberToHex(1));
		},
	};

	const node = {
		cuts: async () => {
			await control('PUT', '/sockets', {
				refuse: random.oneOf([null, 503, 429, 401, 'reset', 'hang']),
			});
			await control('POST', '/sockets/drop', { how: random.oneOf(['reset', 'close']) });
		},
		'silent sockets': async () => await control('PUT', '/sockets', { silent: true }),
		'confused sockets': async () =>
			await control('PUT', '/sockets', {
				duplicate: isYes(),
				shuffle: isYes(),
				mute: random.upTo(3) === 0,
				delay: random.upTo(50),
			}),
		'lags set': async () =>
			await control('PUT', '/lag', {
				backends: lag(),
				logs: indexLag(),
				traces: indexLag(),
				seed: random.upTo(1000),
				receipts: isYes(),
			}),
		'limits (-32005 or 429)': async () =>
			await control('PUT', '/limits', {
				callsPerSecond: 50 + random.upTo(100),
				room: 'node',
				as: random.oneOf(['rpc', 'rpcWhole', 'http429']),
			}),
		'narrow searches': async () =>
			await control('PUT', '/searches', {
				maxBlocks: 1 + random.upTo(20),
				maxResults: 5 + random.upTo(50),
				refusal: {
					code: random.oneOf([-32005, -32602, -32000]),
					message: 'range {width} exceeds limit of {max}',
				},
			}),
		'broken answers': async () =>
			await control('POST', '/faults', {
				room: 'node',
				times: 1 + random.upTo(5),
				do: random.oneOf([
					{ status: 503 },
					{ status: 429 },
					{ reset: 'before' },
					{ reset: 'after' },
					{ truncate: true },
				]),
			}),
		'calm times': async () => await control('POST', '/reset'),
	};

	const n8n = {
		restarts: async () => await Promise.resolve(random.oneOf(watches).workflow.restart()),
		'times without a database': async () => {
			const { workflow } = random.oneOf(watches);
			workflow.loseDatabase?.(true);
			await pause(random.upTo(300));
			workflow.loseDatabase?.(false);
		},
	};

	return { chain, node, n8n };
}
