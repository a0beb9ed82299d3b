import { join } from 'node:path';
import { bundle } from '../../scripts/bundle.mjs';

await bundle(join(import.meta.dirname, '..'), {
	nodes: ['Grpc', 'GrpcTrigger'],
	credentials: ['ChainNodeXTokenApi'],
	library: 'library/session.mts',
	// Only parts of grpc-js that are never called need this module.
	external: ['@grpc/proto-loader'],
});
