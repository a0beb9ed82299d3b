import { join } from 'node:path';
import { bundle } from '../../scripts/bundle.mjs';

await bundle(join(import.meta.dirname, '..'), {
	nodes: ['Pay', 'Signer'],
	credentials: [
		'ChainSignerDepositsApi',
		'ChainSignerKeyApi',
		'ChainSignerRemoteApi',
		'ChainSignerStarkApi',
		'ChainSignerTonApi',
	],
	library: 'library/keys.mts',
});
