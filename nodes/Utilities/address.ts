import type { Field } from '../core/operation/field';
import { pureOperation } from '../core/protocols/pure';
import { getCreateAddress, getCreate2Address } from '../core/evm/transactions/contractAddress';
import { parseTonAccount, formatTonAddresses } from '../core/ton/address';
import { parseWitnessAccount, formatWitnessAddresses } from '../core/witness/address';
import { parseBytecode } from '../core/values/hex';
import { checksumAddress, parseEvmAddress } from '../core/evm/address';
import { parseUint256 } from '../core/values/numbers';
import { trimText, type Parse, InvalidValue } from '../core/values/parse';
import { raise } from '../core/errors/raise';
import { derive } from './derive';

/** All forms of the address of an account; null for forms that its chain does not have. */
interface AddressForms {
	readonly kind: 'evm' | 'witness' | 'ton';
	readonly evm: string | null;
	readonly witnessBase58: string | null;
	readonly witnessHex: string | null;
	readonly tonRaw: string | null;
	readonly tonBounceable: string | null;
	readonly tonNonBounceable: string | null;
}

const WITNESS_ADDRESS_PATTERN = /^(0x)?41[0-9a-f]{40}$|^T.{25,40}$/i;

/** Parses an address of an EVM chain, TRON or TON, which its form tells apart, and checks its checksum. */
const parseAnyAddress: Parse<AddressForms> = (given) => {
	const value = trimText(given);
	if (WITNESS_ADDRESS_PATTERN.test(value)) {
		return formatTwentyByteAddress('witness', parseWitnessAccount(value.replace(/^0x/i, '')));
	}
	if (/^0x/i.test(value)) return formatTwentyByteAddress('evm', parseEvmAddress(value).slice(2));
	if (value.includes(':') || value.length === 48) return formatTonAddress(value);
	throw new InvalidValue(
		'an address: 0x followed by 40 hex digits (EVM); T followed by 33 letters and digits, or 41 followed by 40 hex digits (TRON); 48 characters such as EQ…, or 0: followed by 64 hex digits (TON)',
	);
};

/**
 * Formats an account of 20 bytes in the notations of EVM chains and of TRON, because the same account exists on
 * both.
 */
function formatTwentyByteAddress(kind: 'evm' | 'witness', digits: string): AddressForms {
	const { base58, hex } = formatWitnessAddresses(digits);
	return {
		kind,
		evm: checksumAddress(`0x${digits}`),
		witnessBase58: base58,
		witnessHex: hex,
		tonRaw: null,
		tonBounceable: null,
		tonNonBounceable: null,
	};
}

function formatTonAddress(given: string): AddressForms {
	const { raw, bounceable, nonBounceable } = formatTonAddresses(parseTonAccount(given));
	return {
		kind: 'ton',
		evm: null,
		witnessBase58: null,
		witnessHex: null,
		tonRaw: raw,
		tonBounceable: bounceable,
		tonNonBounceable: nonBounceable,
	};
}

const convert = pureOperation({
	name: 'Convert',
	action: 'Convert address',
	description: 'Check an address of an EVM chain, TRON or TON, and get it in all its forms',
	fields: [
		{
			displayName: 'Address',
			name: 'address',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. THPvaUhoh2Qn2y9THCZML3H815hhFhn5YC',
			description:
				'An EVM address (0x…), a TRON address in base58 (T…) or hex (41…), or a TON address, raw (0:…) or user-friendly (EQ…)',
			parse: parseAnyAddress,
		},
	],
	// Each item gets its own copy, because a later node of the workflow may change the object.
	result: (p) => ({ ...p.address }),
});

const by = {
	displayName: 'By',
	name: 'by',
	type: 'options',
	default: 'nonce',
	description: 'What the address is computed from',
	options: [
		{
			name: 'Nonce',
			value: 'nonce',
			description:
				"The address of a contract that an account deploys (CREATE), by the account's nonce (how many transactions it sent before)",
		},
		{
			name: 'Salt',
			value: 'salt',
			description:
				'The address of a contract that another contract deploys with a freely chosen number, the salt (CREATE2)',
		},
	],
} as const satisfies Field;

const deployer = {
	displayName: 'Deployer',
	name: 'deployer',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description: 'The account or contract that deploys the new contract',
	parse: parseEvmAddress,
} as const satisfies Field;

/** The highest nonce that a transaction can have (EIP-2681). */
const MAX_NONCE = 2n ** 64n - 2n;

const nonce = {
	displayName: 'Nonce',
	name: 'nonce',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0',
	description:
		"The deployer's nonce: how many transactions it sent before the deployment, decimal or 0x-hex",
	show: { by: ['nonce'] },
	parse: (given: unknown) => {
		const value = parseUint256(given);
		return value <= MAX_NONCE
			? value
			: raise(new InvalidValue('a nonce: a whole number of 0 or more, below 2^64 - 1'));
	},
} as const satisfies Field;

const salt = {
	displayName: 'Salt',
	name: 'salt',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0x0000000000000000000000000000000000000000000000000000000000000001',
	description: 'The number that was chosen for the deployment: 32 bytes as 0x-hex',
	show: { by: ['salt'] },
	parse: (given: unknown) =>
		/^0x[0-9a-f]{64}$/i.test(trimText(given))
			? trimText(given)
			: raise(
					new InvalidValue('a salt (a freely chosen number) of 32 bytes: 0x and 64 hex digits'),
				),
} as const satisfies Field;

const creationCode = {
	displayName: 'Bytecode',
	name: 'bytecode',
	type: 'string',
	typeOptions: { rows: 2 },
	required: true,
	default: '',
	placeholder: 'e.g. 0x6080604052…',
	description:
		'The bytecode that creates the contract, from the compiler, followed by the encoded arguments of the constructor',
	show: { by: ['salt'] },
	parse: parseBytecode,
} as const satisfies Field;

const compute = pureOperation({
	name: 'Compute',
	action: 'Compute address of contract',
	description: 'Compute the address that a contract has or will have, even before it is deployed',
	fields: [by, deployer, nonce, salt, creationCode],
	result: ({ deployer: account, ...p }) => ({
		address:
			p.nonce === undefined
				? getCreate2Address(account, p.salt ?? '', p.bytecode ?? '')
				: getCreateAddress(account, p.nonce),
	}),
});

export const address = { name: 'Address', operations: { convert, compute, derive } };
