import { parseFileGateway, parseIpfsAddress } from '../core/ipfs/address';
import { MEGABYTE_BYTES, openIpfsFile } from '../core/ipfs/gateway';
import type { Field } from '../core/operation/field';
import { FileResult } from '../core/operation/fileResult';
import { optionsField, timeoutField } from '../core/operation/transportOptions';
import { restOperation } from '../core/protocols/rest';
import { wholeNumberParser } from '../core/values/parse';

const cid = {
	displayName: 'CID',
	name: 'cid',
	type: 'string',
	required: true,
	default: '={{ $json.cid }}',
	placeholder: 'e.g. bafkreic5housdy5r767kdhiv3f6kr5l2a2rjacsgwgcxprt7qxi6lxau64',
	description:
		'The CID of the file (its address on IPFS), or an ipfs:// link. For a file in a folder, add its path to the CID of the folder: bafy…/image.png.',
	parse: parseIpfsAddress,
} as const satisfies Field;

const gateway = {
	displayName: 'Gateway',
	name: 'gateway',
	type: 'string',
	required: true,
	default: '={{ $json.public_link }}',
	placeholder: 'e.g. https://ipfs.example.com/ipfs/',
	description:
		'The address of an IPFS gateway (a web server), or a link to a file there, such as the public_link of a pin. The gateway need not be trusted, and gets no credential.',
	parse: parseFileGateway,
} as const satisfies Field;

const outputBinaryField = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	required: true,
	default: 'data',
	hint: 'The name of the output binary field to put the file in',
} as const satisfies Field;

const DEFAULT_MAX_MEGABYTES = 100;
const MAX_MEGABYTES = 100_000;

const maxSize = {
	displayName: 'Max Size',
	name: 'maxSize',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: MAX_MEGABYTES },
	default: DEFAULT_MAX_MEGABYTES,
	description: 'The highest size of the file in megabytes. A larger file makes the item fail.',
	parse: wholeNumberParser(1, MAX_MEGABYTES),
} as const satisfies Field;

const verify = {
	displayName: 'Verify',
	name: 'verify',
	type: 'boolean',
	default: true,
	description:
		'Whether the item fails if its file cannot be checked against the CID. If off, only files that can be checked are checked.',
} as const satisfies Field;

const DEFAULT_TIMEOUT_MS = 60_000;
const timeout = timeoutField(
	DEFAULT_TIMEOUT_MS,
	'How many milliseconds to wait while the gateway sends nothing',
);

export const download = restOperation({
	name: 'Download',
	action: 'Download file, verify its CID (IPFS)',
	description:
		'Get a file by its CID from any gateway. Each part of the file is checked against the CID before the node returns the file.',
	fields: [cid, gateway, outputBinaryField, optionsField([maxSize, timeout, verify] as const)],
	async *run(p, { openStream, storeFile }) {
		const { options, cid: address } = p;
		const file = await openIpfsFile(openStream, {
			address,
			gateway: p.gateway,
			verify: options.verify ?? true,
			maxBytes: (options.maxSize ?? DEFAULT_MAX_MEGABYTES) * MEGABYTE_BYTES,
			timeout: options.timeout ?? DEFAULT_TIMEOUT_MS,
		});
		const stored = await storeFile(file.content, address.path.at(-1) ?? address.cidText);
		const json = { cid: address.cidText, size: stored.size, verified: file.verified };
		yield new FileResult(json, p.binaryPropertyName, stored);
	},
});
