import { parseGatewayAddress } from '../core/chain/metadata';
import type { Field } from '../core/operation/field';

export const fetchMetadata = {
	displayName: 'Fetch Metadata',
	name: 'fetchMetadata',
	type: 'boolean',
	default: true,
	description:
		'Whether to fetch the metadata (name, image, attributes). If that fails, metadataError says why.',
} as const satisfies Field;

export const ipfsGateway = {
	displayName: 'IPFS Gateway',
	name: 'ipfsGateway',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://ipfs.example.com/ipfs/',
	description:
		'The gateway to fetch metadata in IPFS from, by its address. Without it, such metadata is not fetched.',
	parse: parseGatewayAddress,
} as const satisfies Field;
