import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	encodeDeployData,
	encodeFunctionData,
	getAddress,
	labelhash,
	namehash,
	type Abi,
	type Hex,
} from 'viem';
import { evmRpcAt } from '../engine/evmRpc/support/scene.mts';
import { createSandbox } from '../harness/sandbox.mts';

interface Contract {
	readonly abi: Abi;
	readonly address: string;
}

const sandbox = createSandbox({ chain: true });
let registry: Contract;
let [owner, holder, stranger] = ['', '', ''];
const { first } = evmRpcAt(sandbox);

/** The name is set up with the contracts of ENS, as a user would do it. */
beforeAll(async () => {
	[owner, holder, stranger] = (await sandbox.chain('eth_accounts')) as [string, string, string];
	registry = await put('ens', 'ENSRegistry');
	const resolver = await put('resolver', 'PublicResolver', registry.address);
	const registrar = await put('resolver', 'ReverseRegistrar', registry.address, resolver.address);
	const give = async (parent: string, label: string, to = owner) =>
		await send(registry, owner, 'setSubnodeOwner', namehash(parent), labelhash(label), to);
	await give('', 'eth');
	await give('eth', 'wallet');
	await give('', 'reverse');
	await give('reverse', 'addr', registrar.address);
	const node = namehash('wallet.eth');
	await send(registry, owner, 'setResolver', node, resolver.address);
	await send(resolver, owner, 'setAddr', node, holder);
	await send(resolver, owner, 'setText', node, 'url', 'https://example.com');
	for (const account of [holder, stranger]) {
		await send(registrar, account, 'setName', 'wallet.eth');
	}
});

/** Deploys a compiled contract from an npm package of `@ensdomains`. */
async function put(kept: 'ens' | 'resolver', name: string, ...args: unknown[]): Promise<Contract> {
	const folder = process.env.FOREIGN_MODULES ?? '';
	const file = join(folder, '@ensdomains', kept, 'build', 'contracts', `${name}.json`);
	const { abi, bytecode } = JSON.parse(readFileSync(file, 'utf8')) as { abi: Abi; bytecode: Hex };
	const data = encodeDeployData({ abi, bytecode, args });
	const { contractAddress } = await sandbox.mined({ from: owner, data });
	return { abi, address: String(contractAddress) };
}

async function send({ abi, address }: Contract, from: string, name: string, ...args: unknown[]) {
	const data = encodeFunctionData({ abi, functionName: name, args });
	await sandbox.mined({ from, to: address, data });
}

const of = (operation: string) => ({
	resource: 'name',
	operation,
	options: { registry: registry.address },
});

test("ENS's own registry and resolver return the address and the texts of a name", async () => {
	expect(await first({ ...of('resolve'), name: 'wallet.eth', records: 'url, email' })).toEqual({
		name: 'wallet.eth',
		address: getAddress(holder),
		records: { url: 'https://example.com', email: null },
	});
	expect(await first({ ...of('resolve'), name: 'other.eth' })).toMatchObject({ address: null });
});

test('an address has the name that it claimed, unless that is the name of another', async () => {
	for (const [address, name] of [
		[holder, 'wallet.eth'],
		[stranger, null],
		[owner, null],
	]) {
		expect(await first({ ...of('lookup'), address })).toMatchObject({ name });
	}
});
