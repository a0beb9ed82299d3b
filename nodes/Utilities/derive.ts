import { formatPath, MAX_INDEX, type AccountKey } from '../core/accountKey/accountKey';
import { ADDRESSES_PER_SLICE, openAccountKey } from '../core/accountKey/derive';
import { InvalidInput } from '../core/errors/invalidInput';
import { checksumAddress } from '../core/evm/address';
import { Loader, sharedKey } from '../core/net/pacing/shared';
import type { Field } from '../core/operation/field';
import { createOperationTyper } from '../core/operation/operation';
import { wholeNumberParser } from '../core/values/parse';
import { formatWitnessAddresses } from '../core/witness/address';
import { accountKey } from '../fields/accountKeyFields';

const index = {
	displayName: 'Index',
	name: 'index',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 42',
	description:
		"The number (index) of the address, counting from 0. Use another number for each order, such as the order's own.",
	parse: wholeNumberParser(0, MAX_INDEX),
} as const satisfies Field;

const withoutRequests = createOperationTyper<never>();

export const derive = withoutRequests({
	name: 'Derive',
	action: 'Derive address for order',
	description:
		'Derive an address of an account from its public key alone, for example one for each order',
	fields: [accountKey, index],
	itemsPerRequest: ADDRESSES_PER_SLICE,
	async *run({ accountKey: key, index: at }, { shared }) {
		const account = await shared(DERIVATION).derive(key, at);
		if (account === undefined)
			throw new InvalidInput(
				`The account key has no address with the index ${at}: use another index`,
			);
		yield {
			index: at,
			path: formatPath(key, at),
			evm: checksumAddress(`0x${account}`),
			witnessBase58: formatWitnessAddresses(account).base58,
		};
	},
});

const DERIVATION = sharedKey('utilities.derivation', () => new Derivation());

/** Derives the addresses of several items at once, which takes a quarter of the time of single derivations. */
class Derivation {
	private readonly accounts = new Map<string, (index: number) => Promise<string | undefined>>();

	async derive(key: AccountKey, at: number): Promise<string | undefined> {
		const known = this.accounts.get(key.text);
		const read = known ?? createAccountReader(key);
		if (!known) this.accounts.set(key.text, read);
		return await read(at);
	}
}

function createAccountReader(key: AccountKey) {
	const loader = new Loader<string>(ADDRESSES_PER_SLICE);
	const opening = openAccountKey(key);
	return async (at: number) =>
		await loader.get(String(at), async (names) => {
			const accounts = (await opening)(names.map(Number));
			return new Map(
				names.flatMap((name, place) => {
					const account = accounts[place];
					return account === undefined ? [] : [[name, account] as const];
				}),
			);
		});
}
