import { readFile } from 'node:fs/promises';
import solc from 'solc';
import type { Sandbox } from './sandbox.mts';

export interface ChainFacts {
	token: string;
	/** Has the owner of the token give some of it to the other account. */
	transfer: (amount: bigint) => Promise<unknown>;
	/** An NFT contract; the holder has its token 1. */
	pieces: string;
	/** Makes another token, for the other account. */
	makePiece: () => Promise<unknown>;
	/** Owns all of the token. */
	owner: string;
	/** Owns none. */
	other: string;
	/** Was given some of the token, by so many transfers. */
	holder: string;
	transfers: number;
	/** A transaction that is in a block. */
	transactionHash: string;
	/** Has paid others, through the splitter too, between these blocks. */
	payer: string;
	fromBlock: number;
	toBlock: number;
	/** Its key is in the credentials of Chain Signer. It pays for nothing here, so that its nonces are the user's alone. */
	treasury: string;
	/** The remote signer signs for it; the same holds for its nonces. */
	minter: string;
	/** Its NFT contract, apart from the one that an example watches. */
	collection: string;
}

interface Compiled {
	contracts?: { Demo: Record<string, { evm: Code }> };
	errors?: unknown[];
}

interface Code {
	bytecode: { object: string };
	methodIdentifiers: Record<string, string>;
}

const ETHER = 10n ** 18n;

/** Gives the examples something to read: three contracts and a few payments, each in a block of its own. */
export async function seedChain(sandbox: Sandbox): Promise<ChainFacts> {
	const accounts = (await sandbox.chain('eth_accounts')) as string[];
	const [
		owner = '',
		payer = '',
		other = '',
		another = '',
		holder = '',
		treasury = '',
		minter = '',
	] = accounts;
	const code = await compiled();
	const deploy = ({ bytecode }: Code) =>
		sandbox.mine({ from: owner, data: `0x${bytecode.object}` });
	const token = await deploy(code('Token'));
	const splitter = await deploy(code('Splitter'));
	for (const amount of [3n, 2n, 1n]) {
		await sandbox.mine({ from: payer, to: other, value: hex(amount * ETHER) });
	}
	const transfer = code('Token').methodIdentifiers['transfer(address,uint256)'];
	const give = async (to: string, amount: bigint) =>
		await sandbox.mine({
			from: owner,
			to: token.contractAddress,
			data: `0x${transfer}${word(to)}${word(hex(amount))}`,
		});
	const gifts = [ETHER, ETHER / 2n, 1n];
	for (const amount of gifts) await give(holder, amount);
	const split = code('Splitter').methodIdentifiers['split(address,address)'];
	const data = `0x${split}${word(other)}${word(another)}`;
	const last = await sandbox.mine({
		from: payer,
		to: splitter.contractAddress,
		value: hex(ETHER),
		data,
	});
	const pieces = await deploy(code('Pieces'));
	const mint = code('Pieces').methodIdentifiers['mint(address)'];
	const make = async (to: string) =>
		await sandbox.mine({
			from: owner,
			to: pieces.contractAddress,
			data: `0x${mint}${word(to)}`,
		});
	await make(holder);
	const collection = await deploy(code('Pieces'));
	return {
		pieces: String(pieces.contractAddress),
		makePiece: async () => await make(other),
		token: String(token.contractAddress),
		transfer: async (amount) => await give(other, amount),
		owner,
		other,
		holder,
		transfers: gifts.length,
		transactionHash: last.transactionHash,
		payer,
		fromBlock: Number(splitter.blockNumber),
		toBlock: Number(last.blockNumber),
		treasury,
		minter,
		collection: String(collection.contractAddress),
	};
}

async function compiled(): Promise<(name: string) => Code> {
	const content = await readFile(new URL('contracts/Demo.sol', import.meta.url), 'utf8');
	const input = {
		language: 'Solidity',
		sources: { Demo: { content } },
		settings: {
			outputSelection: { '*': { '*': ['evm.bytecode.object', 'evm.methodIdentifiers'] } },
		},
	};
	const { contracts, errors } = JSON.parse(solc.compile(JSON.stringify(input))) as Compiled;
	return (name) => {
		const found = contracts?.Demo[name];
		if (!found) throw new Error(JSON.stringify(errors));
		return found.evm;
	};
}

const hex = (value: bigint) => `0x${value.toString(16)}`;
const word = (address: string) => address.slice(2).padStart(64, '0');
