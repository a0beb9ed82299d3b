import { storeFile } from '../../../../test/harness/binary.mts';
import type { Sample } from '../sample.mts';
import type { World } from '../world.mts';
import { createOperationRunner } from './run.mts';

export async function runPlatformNodes(world: World): Promise<Sample[]> {
	const platform = createOperationRunner(world, 'platform', 'platform');
	const pin = createOperationRunner(world, 'ipfsPin', 'platform');
	const faucet = createOperationRunner(world, 'faucet', 'platform');
	const about = { fileName: 'report.txt', mimeType: 'text/plain' };
	const binary = { data: await storeFile(Buffer.from('A short report'), about) };
	return [
		await platform('organization.get'),
		await platform('project.getAll', { limit: 2, options: { orderBy: 'name' } }),
		await pin('upload', { bucketId: 'BUCK-1' }, [{ json: {}, binary }]),
		await pin('uploadJson', { bucketId: 'BUCK-1', json: '{ "name": "Report" }' }),
		await faucet('request', { chain: 'hoodi', address: world.other }),
	];
}
