import { parseGatewayAddress } from '../core/chain/metadata';
import type { Field } from '../core/operation/field';

export const fetchMetadata = {
	displayName: 'Fetch Metadata',
	name: 'fetchMetadata',
	type: 'boolean',
	default: true,
	description:
		'Whether to fetch the metadata (name, image, attributes) from where the contract says it is. What cannot be had is null, with the reason in <code>metadataError</code>.',
} as const satisfies Field;

export const ipfsGateway = {
	displayName: 'IPFS Gateway',
	name: 'ipfsGateway',
	type: 'string',
	default: '',
	placeholder: 'e.g. https://ipfs.example.com/ipfs/',
	description:
		'Where metadata that lies in IPFS is fetched from: the address of a gateway, behind which the path in IPFS is put. Without it, metadata in IPFS is not fetched.',
	parse: parseGatewayAddress,
} as const satisfies Field;
