import { join } from 'node:path';
import { project, settings } from '../../jest.config.mjs';

/** The configuration of `npm run test:foreign`: these engine tests are valid for any chain, so they run on another one as well. */
export default {
	...settings,
	...project,
	rootDir: join(import.meta.dirname, '..', '..'),
	testMatch: [
		'**/test/foreign/*.foreign.mts',
		'**/grpc/test/foreign/*.foreign.mts',
		'**/test/engine/{contract,once,paths}.test.mts',
		'**/test/engine/evmRpc/{logs,names,nfts,prepare,reads,replacement,signatures,tokens}.test.mts',
	],
	maxWorkers: 2,
};
