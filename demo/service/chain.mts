import { encodeCall, type CompiledContract, compileContracts, numberToHex } from './contracts.mts';
import { registerName } from './names.mts';
import type { Sandbox } from './sandbox.mts';

export interface ChainFacts {
	token: string;
	/** A stablecoin that takes signed payments. The holder and the treasury own some of it. */
	dollar: string;
	/** Transfers tokens of the owner to the account `other`. */
	transfer: (amount: bigint) => Promise<unknown>;
	/** Transfers tokens of the owner to any address. */
	transferTo: (to: string, amount: bigint) => Promise<unknown>;
	/** An NFT contract. The holder owns the NFT with ID 1. */
	pieces: string;
	/** A price feed that tells the price of a coin in dollars. */
	feed: string;
	/** Mints another NFT for the account `other`. */
	makePiece: () => Promise<unknown>;
	/** The account that owns all tokens at the start. */
	owner: string;
	/** An account that owns no tokens at first. */
	other: string;
	/** The account that has received tokens. `transfers` is the number of times. */
	holder: string;
	transfers: number;
	/** Lets the treasury allow someone to spend some of its tokens. */
	allow: (amount: bigint) => Promise<unknown>;
	/** An account that may spend tokens of the treasury. */
	spender: string;
	/** The name that resolves to the holder. */
	name: string;
	/** The hash of a transaction that is in a block. */
	transactionHash: string;
	/** The hash of a transaction that transferred some of the tokens. */
	giftHash: string;
	/**
	 * An account that paid others between the blocks `fromBlock` and `toBlock`. Some payments went through the splitter
	 * contract.
	 */
	payer: string;
	fromBlock: number;
	toBlock: number;
	/** The account whose key Chain Signer has. It owns some tokens. The demo itself sends only `allow` from it. */
	treasury: string;
	/**
	 * The account for which the remote signer signs. The demo sends only one transaction from it, which an example
	 * needs to be stuck.
	 */
	minter: string;
	/** An NFT contract of the minter, which no example watches. */
	collection: string;
}

const TRANSFER_INTERVAL_MS = 60_000;
const ONE_ETHER_WEI = 10n ** 18n;
const DOLLARS_GIVEN = 100n * 10n ** 6n;
const ENS_NAME = 'wallet.example.eth';

/** Prepares the chain for the examples: contracts, and a few payments that each have a block of their own. */
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
	const code = await compileContracts();
	const deploy = ({ bytecode }: CompiledContract) =>
		sandbox.mine({ from: owner, data: `0x${bytecode.object}` });
	const token = await deploy(code('Token'));
	const splitter = await deploy(code('Splitter'));
	for (const amount of [3n, 2n, 1n]) {
		await sandbox.mine({ from: payer, to: other, value: numberToHex(amount * ONE_ETHER_WEI) });
	}
	const dollar = await deploy(code('Dollar'));
	for (const to of [holder, treasury]) {
		await sandbox.mine({
			from: owner,
			to: dollar.contractAddress,
			data: encodeCall(code('Dollar'), 'transfer(address,uint256)', to, numberToHex(DOLLARS_GIVEN)),
		});
	}
	const onToken = async (from: string, signature: string, who: string, amount: bigint) =>
		await sandbox.mine({
			from,
			to: token.contractAddress,
			data: encodeCall(code('Token'), signature, who, numberToHex(amount)),
		});
	const give = async (to: string, amount: bigint) =>
		await onToken(owner, 'transfer(address,uint256)', to, amount);
	const gifts = [ONE_ETHER_WEI, ONE_ETHER_WEI / 2n, 1n];
	for (const amount of gifts) await give(holder, amount);
	const data = encodeCall(code('Splitter'), 'split(address,address)', other, another);
	const last = await sandbox.mine({
		from: payer,
		to: splitter.contractAddress,
		value: numberToHex(ONE_ETHER_WEI),
		data,
	});
	const pieces = await deploy(code('Pieces'));
	const make = async (to: string) =>
		await sandbox.mine({
			// Anyone may mint. Another account mints here, because the owner sends transactions at the same time.
			from: another,
			to: pieces.contractAddress,
			data: encodeCall(code('Pieces'), 'mint(address)', to),
		});
	await make(holder);
	const collection = await deploy(code('Pieces'));
	const feed = await deploy(code('Feed'));
	const gift = await give(treasury, 1000n * ONE_ETHER_WEI);
	const put = async (name: string) => {
		const { contractAddress } = await deploy(code(name));
		return { code: code(name), address: String(contractAddress) };
	};
	const places = { registry: await put('Registry'), resolver: await put('Resolver') };
	await registerName(sandbox, owner, places, { name: ENS_NAME, address: holder });
	return {
		pieces: String(pieces.contractAddress),
		feed: String(feed.contractAddress),
		makePiece: async () => await make(other),
		token: String(token.contractAddress),
		dollar: String(dollar.contractAddress),
		transfer: async (amount) => await give(other, amount),
		transferTo: give,
		owner,
		other,
		holder,
		transfers: gifts.length,
		allow: async (amount) => await onToken(treasury, 'approve(address,uint256)', payer, amount),
		spender: payer,
		name: ENS_NAME,
		giftHash: gift.transactionHash,
		transactionHash: last.transactionHash,
		payer,
		fromBlock: Number(splitter.blockNumber),
		toBlock: Number(last.blockNumber),
		treasury,
		minter,
		collection: String(collection.contractAddress),
	};
}

/** Transfers a token once a minute while the demo runs, so that a trigger in the editor soon sees an event. */
export function keepTransferring({ transfer }: ChainFacts): void {
	// A failed transfer is ignored. If the sandbox has stopped, the demo ends by itself.
	setInterval(() => void transfer(ONE_ETHER_WEI).catch(() => {}), TRANSFER_INTERVAL_MS).unref();
}
