import {
	decodeFunctionResult,
	encodeFunctionData,
	getAddress,
	maxUint256,
	type Abi,
	type Hex,
} from 'viem';
import { compileContract, deployContract } from '../../../harness/contract.mts';
import type { Sandbox } from '../../../harness/sandbox.mts';

export interface Contract {
	readonly address: Hex;
	readonly abi: Abi;
}

export const encode = ({ abi }: Contract, functionName: string, ...args: unknown[]): Hex =>
	encodeFunctionData({ abi, functionName, args });

const TOKEN_NAMES = ['Plain', 'Taxed', 'Growing', 'Lying', 'Wrapped', 'DoubleWrapped'] as const;
type TokenName = (typeof TOKEN_NAMES)[number];

/** The tokens whose events do not tell the truth about the moved amounts. */
export const UNTRUE_TOKENS: readonly string[] = ['Taxed', 'Growing', 'Lying'];

export const NFT_IDS = [1n, 2n, 3n, 4n, 5n, 6n];
export const EDITION_IDS = [7n, 8n, 9n];

export type World = Awaited<ReturnType<typeof buildWorld>>;

/** Deploys contracts of all kinds, and gives the accounts some of each token. */
export async function buildWorld(sandbox: Sandbox) {
	const accounts = (await sandbox.chain('eth_accounts')) as Hex[];
	const people = accounts.slice(0, 4).map((account) => getAddress(account));
	const [owner] = people as [Hex];
	const put = async (name: string): Promise<Contract> => {
		const { address, abi } = await deployContract(sandbox, name, { file: 'Forecast' });
		return { address: getAddress(address), abi: abi as Abi };
	};
	const tokens = {} as Record<TokenName, Contract>;
	for (const name of TOKEN_NAMES) tokens[name] = await put(name);
	const [ones, manys, doer, lens] = [
		await put('Ones'),
		await put('Manys'),
		await put('Doer'),
		await put('Lens'),
	];
	const actors = [...people, doer.address];
	const send = async (to: Hex, data: Hex, value = 0n, from = owner) =>
		await sandbox.mined({ from, to, data, value: `0x${value.toString(16)}` });
	for (const actor of actors) {
		for (const token of Object.values(tokens))
			await send(token.address, encode(token, 'mint', actor, 1_000_000n));
		for (const id of EDITION_IDS) await send(manys.address, encode(manys, 'mint', actor, id, 50n));
	}
	for (const [at, id] of NFT_IDS.entries())
		await send(ones.address, encode(ones, 'mint', actors[at % actors.length], id));
	// Deposits coins in the wrapping tokens, because tokens that were minted without coins could not be unwrapped.
	await send(tokens.Wrapped.address, '0x', 10_000_000n);
	await send(tokens.DoubleWrapped.address, '0x', 10_000_000n);
	await send(doer.address, '0x', 10_000_000n);
	const { bytecode, abi } = await compileContract('Forecast', 'Passing');
	const passing = { bytecode, abi: abi as Abi };
	return { sandbox, people, actors, tokens, ones, manys, doer, lens, passing, maxUint256 };
}

/** Balances and approvals by their names. Each value is an amount, or an address that is written as a number. */
export type State = ReadonlyMap<string, bigint>;

const ADDRESS_MODULUS = 2n ** 160n;
export const toHolder = (word: bigint) =>
	getAddress(`0x${(word % ADDRESS_MODULUS).toString(16).padStart(40, '0')}`);

/** Creates a function that reads all balances and approvals in one call. It uses none of the code of this package. */
export function createStateReader(world: World): () => Promise<State> {
	const { sandbox, actors, tokens, ones, manys, lens } = world;
	const contracts = [...Object.values(tokens), ones, manys].map(({ address }) => address);
	const accounts = [...actors, ...contracts];
	const looks: Array<{ key: string; to: Hex; data: Hex }> = [];
	const look = (key: string, contract: Contract, functionName: string, ...args: unknown[]) =>
		looks.push({ key, to: contract.address, data: encode(contract, functionName, ...args) });
	for (const token of Object.values(tokens)) {
		for (const account of accounts)
			look(`erc20 ${token.address} null ${account}`, token, 'balanceOf', account);
		for (const from of actors)
			for (const to of accounts)
				look(`allowance ${token.address} ${from} ${to}`, token, 'allowance', from, to);
	}
	for (const id of NFT_IDS) {
		look(`owner ${ones.address} ${id}`, ones, 'ownerOf', id);
		look(`approved ${ones.address} ${id}`, ones, 'getApproved', id);
	}
	for (const id of EDITION_IDS)
		for (const account of accounts)
			look(`erc1155 ${manys.address} ${id} ${account}`, manys, 'balanceOf', account, id);
	for (const contract of [ones, manys])
		for (const from of actors)
			for (const to of actors)
				look(`all ${contract.address} ${from} ${to}`, contract, 'isApprovedForAll', from, to);
	const data = encode(lens, 'read', accounts, looks);
	return async () => {
		const call = { to: lens.address, data, gas: '0x1c9c380' };
		const returned = (await sandbox.chain('eth_call', call, 'latest')) as Hex;
		const [coins, words] = decodeFunctionResult({
			abi: lens.abi,
			functionName: 'read',
			data: returned,
		}) as [readonly bigint[], readonly bigint[]];
		return new Map([
			...accounts.map((account, at) => [`coin null null ${account}`, coins[at] ?? 0n] as const),
			...looks.map(({ key }, at) => [key, words[at] ?? 0n] as const),
		]);
	};
}
