import { join } from 'node:path';
import { bundle } from '../../scripts/bundle.mjs';

await bundle(join(import.meta.dirname, '..'), {
	nodes: ['Signer'],
	credentials: [
		'ChainSignerKeyApi',
		'ChainSignerRemoteApi',
		'ChainSignerStarkApi',
		'ChainSignerTonApi',
	],
	library: 'library/keys.mts',
});
