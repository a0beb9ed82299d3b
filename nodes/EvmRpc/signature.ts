import { hashTypedDataInSlices } from '../core/evm/abi/typedData';
import { parseEvmAddress } from '../core/evm/address';
import { hashMessageInSlices } from '../core/evm/message';
import { verifySignature } from '../core/evm/signatures';
import type { Field } from '../core/operation/field';
import { pathField } from '../core/operation/path';
import { runInSlices } from '../core/net/pacing/slices';
import { rpcOperation } from '../core/protocols/rpc/operation';
import { parseHexBytes, parseHash, encodeHex } from '../core/values/hex';
import { parseExactText } from '../core/values/parse';

const address = {
	displayName: 'Address',
	name: 'address',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description: 'The expected signer, an account or a contract',
	parse: parseEvmAddress,
} as const satisfies Field;

const SIGNATURE = {
	displayName: 'Signature',
	name: 'signature',
	type: 'string',
	required: true,
	default: '',
	placeholder:
		'e.g. 0xd05c1b5b4b1b6f2e3f1c8a2c8e3a5a7d9f0b1c2d3e4f5061728394a5b6c7d8e92fa6d1b7c8e9f0a1b2c3d4e5f60718293a4b5c6d7e8f90a1b2c3d4e5f60718291b',
	description:
		'The signature as 0x-hex: 65 or 64 bytes (EIP-2098) for an account, any number of bytes for a contract',
	parse: parseHexBytes,
} as const satisfies Field;

const signed = {
	displayName: 'Signed',
	name: 'signed',
	type: 'options',
	default: 'message',
	description: 'What was signed',
	options: [
		{ name: 'Hash', value: 'hash', description: 'A hash of 32 bytes, signed as it is' },
		{
			name: 'Message',
			value: 'message',
			description: 'A text that a wallet shows and signs (EIP-191)',
		},
		{ name: 'Typed Data', value: 'typedData', description: 'Structured data (EIP-712)' },
	],
} as const satisfies Field;

const message = {
	displayName: 'Message',
	name: 'message',
	type: 'string',
	typeOptions: { rows: 2 },
	default: '',
	placeholder: 'e.g. Sign in to example.com, 2026-01-31, 4711',
	description: 'The exact text that was signed. Nothing is trimmed.',
	show: { signed: ['message'] },
	parse: parseExactText,
} as const satisfies Field;

const typedData = {
	displayName: 'Typed Data',
	name: 'typedData',
	type: 'string',
	typeOptions: { rows: 5 },
	required: true,
	default: '',
	placeholder:
		'e.g. { "types": { "Mail": [{ "name": "text", "type": "string" }] }, "domain": { "name": "Example" }, "primaryType": "Mail", "message": { "text": "Hello" } }',
	description: 'What was signed, as JSON: an object with types, domain, primaryType and message',
	show: { signed: ['typedData'] },
	parse: (given: unknown) => given,
} as const satisfies Field;

const signedHash = {
	displayName: 'Hash',
	name: 'hash',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b',
	description: 'The 32 bytes that were signed, as 0x-hex. No prefix (EIP-191) is added.',
	show: { signed: ['hash'] },
	parse: parseHash,
} as const satisfies Field;

const verify = rpcOperation({
	name: 'Verify',
	action: 'Verify signature',
	description:
		'Check whether an account or a contract signed a message, typed data or a hash. The chain node makes the check.',
	fields: [address, SIGNATURE, signed, message, typedData, signedHash, pathField('/')],
	async *run(p, chain) {
		const { displayName } = typedData;
		const computeDigest = () =>
			p.message ? hashMessageInSlices(p.message) : hashTypedDataInSlices(p.typedData, displayName);
		const digest = p.hash ?? encodeHex(await runInSlices(computeDigest()));
		yield await verifySignature(chain, p.address, p.signature, digest);
	},
});

export const signature = { name: 'Signature', operations: { verify } };
