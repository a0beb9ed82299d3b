import type { INodeParameters } from 'n8n-workflow';
import { encodeFunctionData, getAddress, keccak256, namehash, type Abi } from 'viem';
import { packetToBytes } from 'viem/ens';
import { deployContract } from '../../harness/contract.mts';
import { createSandbox } from '../../harness/sandbox.mts';
import { evmRpcAt } from './support/scene.mts';

type Contract = Awaited<ReturnType<typeof deployContract>>;

const sandbox = createSandbox({ chain: true });
let contracts: Record<'registry' | 'records' | 'wildcard' | 'dirty' | 'broken', Contract>;
const { run, first, calls } = evmRpcAt(sandbox);

const HOLDER = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const OTHER = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const NOBODY = '0x00000000000000000000000000000000000000AA';

beforeAll(async () => {
	const put = async (name: string) => await deployContract(sandbox, name, { file: 'Names' });
	contracts = {
		registry: await put('Registry'),
		records: await put('Records'),
		wildcard: await put('Wildcard'),
		dirty: await put('Dirty'),
		broken: await put('BrokenRegistry'),
	};
	for (const [name, { address }] of [
		['holder.eth', contracts.records],
		['empty.eth', contracts.records],
		['o’holder.eth', contracts.records],
		['wild.eth', contracts.wildcard],
		['dirty.eth', contracts.dirty],
		['nothing.eth', { address: NOBODY }],
		...[HOLDER, OTHER, NOBODY].map((one) => [reverse(one), contracts.records] as const),
	] as const) {
		await send('registry', 'setResolver', namehash(name), address);
	}
	await send('records', 'setAddr', namehash('holder.eth'), HOLDER);
	await send('records', 'setAddr', namehash('o’holder.eth'), OTHER);
	await send('records', 'setText', namehash('holder.eth'), 'url', 'https://example.com/ä');
});

async function send(contract: keyof typeof contracts, functionName: string, ...args: unknown[]) {
	const { abi, address, owner } = contracts[contract];
	const data = encodeFunctionData({ abi: abi as Abi, functionName, args });
	await sandbox.mined({ from: owner, to: address, data });
}

function reverse(address: string): string {
	return `${address.slice(2).toLowerCase()}.addr.reverse`;
}

const of = (operation: string, parameters: INodeParameters) => ({
	resource: 'name',
	operation,
	options: { registry: contracts.registry.address },
	...parameters,
});

describe('a name', () => {
	const resolve = async (name: string, records: string | string[] = '') =>
		await first(of('resolve', { name, records }));

	test('leads to an address, and has texts', async () => {
		expect(await resolve('Holder.ETH', 'url, email')).toEqual({
			name: 'holder.eth',
			address: HOLDER,
			records: { url: 'https://example.com/ä', email: null },
		});
	});

	test.each(['no.such.name.eth', 'empty.eth', 'eth', 'nothing.eth', 'below.holder.eth'])(
		'without an address has null: %s',
		async (name) => {
			expect(await resolve(name, ['url'])).toEqual({ name, address: null, records: { url: null } });
		},
	);

	test.each(['wild.eth', 'any.wild.eth', 'a.b.wild.eth'])(
		'is asked of the resolver above it, which gets it whole: %s',
		async (name) => {
			const asked = packetToBytes(name);
			expect(await resolve(name, 'url')).toEqual({
				name,
				address: getAddress(`0x${keccak256(asked).slice(-40)}`),
				records: { url: Buffer.from(asked).toString() },
			});
		},
	);

	test('has the apostrophe of names, whichever is given', async () => {
		for (const given of ["O'Holder.eth", 'o’holder.eth']) {
			expect(await resolve(given)).toEqual({ name: 'o’holder.eth', address: OTHER, records: {} });
		}
	});

	test('whose address is none is a failure', async () => {
		expect(await resolve('dirty.eth')).toMatchObject({
			message: "The records of the name dirty.eth can't be read",
		});
	});

	test('can not be asked where there is no registry: not in the node of another chain', async () => {
		const given = { name: 'holder.eth', options: {} };
		expect(await first(of('resolve', given))).toMatchObject({
			message: 'There is no registry of names at 0x00000000000C2E074eC69A0dFb2997BA6C7d2e1e',
		});
	});

	test.each(['={{ "" }}', '={{ " " }}', 'holder..eth'])(
		'is refused before anything is asked: %p',
		async (name) => {
			const { message } = (await resolve(name)) as unknown as Error;
			expect(message).toMatch(/^'Name' (is required|must be a name.*)$/);
			expect(await sandbox.record()).toEqual([]);
		},
	);

	test('of a thousand items travels in few requests', async () => {
		const input = Array.from({ length: 1000 }, () => ({ json: {} }));
		const { items } = await run(of('resolve', { name: '=n{{ $itemIndex }}.wild.eth' }), {
			items: input,
		});
		expect(items).toHaveLength(1000);
		expect((await calls()).length).toBeLessThan(60);
	});
});

describe('an address', () => {
	const lookup = async (address: string) => await first(of('lookup', { address }));
	const claim = async (address: string, name: string) =>
		await send('records', 'setName', namehash(reverse(address)), name);

	test('has the name that leads back to it', async () => {
		await claim(HOLDER, 'holder.eth');
		expect(await lookup(HOLDER.toLowerCase())).toEqual({ address: HOLDER, name: 'holder.eth' });
	});

	test.each([
		'holder.eth',
		'no.such.eth',
		'Holder.eth',
		'hоlder.eth',
		"o'holder.eth",
		'',
		'..',
		'dirty.eth',
		'holder.eth\0',
		'holder.eth\n',
		`${'a.'.repeat(126)}holder.eth`,
	])('has none where it claims %p, which does not lead back', async (name) => {
		await claim(OTHER, name);
		expect(await lookup(OTHER)).toEqual({ address: OTHER, name: null });
	});

	test('has none where the claim can not be read on the chain', async () => {
		const given = '0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb';
		await send('registry', 'setResolver', namehash(reverse(given)), contracts.dirty.address);
		expect(await lookup(given)).toEqual({ address: given, name: null });
	});

	test('is not looked up where there is no registry, but something else', async () => {
		const options = { registry: contracts.broken.address };
		expect(await first(of('lookup', { address: HOLDER, options }))).toMatchObject({
			message: `There is no registry of names at ${contracts.broken.address}`,
		});
	});

	test('has none where it claims nothing', async () => {
		expect(await lookup('0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB')).toMatchObject({
			name: null,
		});
	});
});
