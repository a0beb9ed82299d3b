import { parseGatewayAddress } from '../core/chain/metadata';
import type { Field } from '../core/operation/field';

export const fetchMetadata = {
	displayName: 'Fetch Metadata',
	name: 'fetchMetadata',
	type: 'boolean',
	default: true,
	description:
		'Whether to fetch the metadata (name, image, attributes). If that fails, metadataError has the reason.',
} as const satisfies Field;

export const ipfsGateway = {
	displayName: 'IPFS Gateway',
	name: 'ipfsGateway',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://ipfs.example.com/ipfs/',
	description:
		'The IPFS gateway from which to fetch metadata. Without a gateway, metadata in IPFS is not fetched.',
	parse: parseGatewayAddress,
} as const satisfies Field;
