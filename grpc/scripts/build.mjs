import { join } from 'node:path';
import { bundle } from '../../scripts/bundle.mjs';

await bundle(join(import.meta.dirname, '..'), {
	nodes: ['Grpc', 'GrpcTrigger'],
	credentials: ['ChainNodeXTokenApi'],
	library: 'library/session.mts',
	// The bundle leaves this module out, because only unused parts of grpc-js need it.
	external: ['@grpc/proto-loader'],
});
