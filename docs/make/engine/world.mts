import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startStage } from '../../../test/cases/stage.mts';
import type { Sandbox } from '../../../test/harness/sandbox.mts';
import { createStabilizer, type BlockStamp, type Stabilize } from './steady.mts';

export const numberToHex = (value: number | bigint) => `0x${value.toString(16)}`;

export type World = Awaited<ReturnType<typeof startWorld>>;

/** Starts everything that the cases of the operations need. The resulting chain is the same in each run. */
export async function startWorld() {
	const stage = await startStage({ grpc: true });
	const { sandbox } = stage;
	const stopTrusting = trustCertificate(sandbox);
	return {
		stage,
		sandbox,
		steady: async (): Promise<Stabilize> =>
			createStabilizer(await readStamps(sandbox), listAddresses(sandbox)),
		stop: async () => {
			stopTrusting();
			await stage.stop();
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

/** Reads the times of all blocks, the latest first. Several blocks can have the same second. */
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

/** Makes the gRPC library trust the sandbox's certificate. The library reads the file when it is loaded. */
function trustCertificate({ grpcCertificate }: Sandbox): () => void {
	const folder = mkdtempSync(join(tmpdir(), 'chain-infra-docs-'));
	const file = join(folder, 'root.pem');
	writeFileSync(file, String(grpcCertificate));
	process.env.GRPC_DEFAULT_SSL_ROOTS_FILE_PATH = file;
	return () => rmSync(folder, { recursive: true });
}
