import { readReverseName, readNameRecords, ENS_REGISTRY } from '../core/evm/names';
import type { Field } from '../core/operation/field';
import { pathField } from '../core/operation/path';
import { optionsField, timeoutField } from '../core/operation/transportOptions';
import { rpcOperation, type Chain } from '../core/protocols/rpc/operation';
import { checksumAddress, parseEvmAddress } from '../core/evm/address';
import { listParser } from '../core/values/json';
import { parseEnsName } from '../core/evm/ensName';
import { isBlank, parseText, InvalidValue } from '../core/values/parse';
import { raise } from '../core/errors/raise';

const nameField = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. wallet.example.eth',
	description:
		'The ENS name, of the letters a to z, digits and a few signs. Other characters are refused, because they make different names look alike.',
	parse: (given: unknown) =>
		isBlank(parseText(given)) ? raise(new InvalidValue('a name')) : parseEnsName(given),
} as const satisfies Field;

/** No real key of a text record is as long as this limit. */
const MAX_KEY_CHARS = 1000;

function parseKey(given: unknown): string {
	const key = parseText(given);
	return key.length <= MAX_KEY_CHARS
		? key
		: raise(new InvalidValue(`keys of text records, each of at most ${MAX_KEY_CHARS} characters`));
}

const records = {
	displayName: 'Records',
	name: 'records',
	type: 'string',
	default: '',
	placeholder: 'e.g. url, com.example',
	description: 'The keys of the text records to read, such as email: comma-separated, or an array',
	parse: listParser(parseKey),
} as const satisfies Field;

const address = {
	displayName: 'Address',
	name: 'address',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
	description: 'The account or contract whose name to find',
	parse: parseEvmAddress,
} as const satisfies Field;

const registry = {
	displayName: 'Registry',
	name: 'registry',
	type: 'string',
	default: ENS_REGISTRY,
	description: 'The contract in which the names of the chain are registered',
	parse: (given: unknown) => parseEvmAddress(isBlank(given) ? ENS_REGISTRY : given),
} as const satisfies Field;

/** The option Timeout also limits requests to gateways, to which some contracts refer for their answer (EIP-3668). */
const options = optionsField([
	registry,
	timeoutField(30_000, 'How many milliseconds to wait for the chain node, and for a gateway'),
]);

/** Returns the chain with another `download`, which waits as long as the option Timeout allows. */
function limitDownloads(chain: Chain, timeout: number | undefined) {
	const download: Chain['download'] = async (file) => await chain.download({ ...file, timeout });
	return { ...chain, download };
}

const resolve = rpcOperation({
	name: 'Resolve',
	action: 'Resolve ENS name to address',
	description:
		'Get the address of a name such as wallet.example.eth, and the text records of the name',
	fields: [nameField, records, pathField('/'), options],
	async *run(p, chain) {
		const { registry: chosen = ENS_REGISTRY, timeout } = p.options;
		const reader = limitDownloads(chain, timeout);
		yield { name: p.name, ...(await readNameRecords(reader, chosen, p.name, p.records)) };
	},
});

const lookup = rpcOperation({
	name: 'Look Up',
	action: 'Look up ENS name of address',
	description:
		'Get the name that an address has chosen for itself, if that name resolves to the address',
	fields: [address, pathField('/'), options],
	async *run(p, chain) {
		const { registry: chosen = ENS_REGISTRY, timeout } = p.options;
		const reader = limitDownloads(chain, timeout);
		const found = await readReverseName(reader, chosen, p.address);
		yield { address: checksumAddress(p.address), name: found };
	},
});

export const name = { name: 'Name', operations: { lookup, resolve } };
