import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deployContract } from '../../../test/harness/contract.mts';
import { registerName } from '../../../test/harness/names.mts';
import { startSandbox, type Sandbox } from '../../../test/harness/sandbox.mts';
import { createStabilizer, type BlockStamp, type Stabilize } from './steady.mts';

export const ONE_ETHER_WEI = 10n ** 18n;
export const numberToHex = (value: number | bigint) => `0x${value.toString(16)}`;

export type World = Awaited<ReturnType<typeof startWorld>>;

/** Starts the sandbox with a chain whose history is always the same. */
export async function startWorld() {
	const sandbox = await startSandbox({ chain: true, grpc: true });
	const stopTrusting = trustCertificate(sandbox);
	const [owner = '', payer = '', other = ''] = (await sandbox.chain('eth_accounts')) as string[];
	// Otherwise blocks of the same second could not be distinguished.
	await sandbox.chain('anvil_setBlockTimestampInterval', 12);
	const coin = await deployContract(sandbox, 'Coin', { file: 'Tokens' });
	const give = async (to: string, amount: number) =>
		await sandbox.mined({
			from: owner,
			to: coin.address,
			data: coin.data('transfer(address,uint256)', BigInt(to), amount),
		});
	const pay = async (wei: bigint) =>
		await sandbox.mined({ from: payer, to: other, value: numberToHex(wei) });
	await give(payer, 2_500_000);
	const chain = { call: sandbox.chain, mine: sandbox.mined };
	await registerName(chain, 'wallet.example.eth', payer, 'https://example.com');
	await give(other, 750_000);
	await pay(ONE_ETHER_WEI);
	const { transactionHash } = await pay((3n * ONE_ETHER_WEI) / 2n);
	return {
		sandbox,
		owner,
		payer,
		other,
		give,
		pay,
		transactionHash,
		token: coin.address,
		/** The block of the last payment. */
		block: await readHeadNumber(sandbox),
		blockHash: (await readStamp(sandbox, await readHeadNumber(sandbox))).hash,
		steady: async (): Promise<Stabilize> =>
			createStabilizer(await readStamps(sandbox), listAddresses(sandbox)),
		stop: async () => {
			stopTrusting();
			await sandbox.stop();
		},
	};
}

async function readHeadNumber(sandbox: Sandbox): Promise<number> {
	return Number(await sandbox.chain('eth_blockNumber'));
}

async function readStamp(sandbox: Sandbox, number: number): Promise<BlockStamp> {
	const block = await sandbox.chain('eth_getBlockByNumber', numberToHex(number), false);
	const { hash, timestamp } = block as { hash: string; timestamp: string };
	return { number, hash, timestamp: Number(timestamp) };
}

/** Reads all blocks, the latest first: one second may hold several of them. */
async function readStamps(sandbox: Sandbox): Promise<BlockStamp[]> {
	const numbers = Array.from(
		{ length: (await readHeadNumber(sandbox)) + 1 },
		(_, number) => number,
	);
	return await Promise.all(
		numbers.reverse().map(async (number) => await readStamp(sandbox, number)),
	);
}

function listAddresses({ platformUrl, nodeUrl }: Sandbox) {
	return [
		{ url: platformUrl, shown: 'https://gateway.example.com' },
		{ url: nodeUrl, shown: 'https://node.example.com' },
	];
}

/** The gRPC library reads this file when it is loaded. */
function trustCertificate({ grpcCertificate }: Sandbox): () => void {
	const folder = mkdtempSync(join(tmpdir(), 'chain-infra-docs-'));
	const file = join(folder, 'root.pem');
	writeFileSync(file, String(grpcCertificate));
	process.env.GRPC_DEFAULT_SSL_ROOTS_FILE_PATH = file;
	return () => rmSync(folder, { recursive: true });
}
