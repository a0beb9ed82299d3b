import { utils } from 'tronweb';
import { encodeFunctionData, numberToHex, type Abi } from 'viem';
import { deployContract } from '../harness/contract.mts';
import { registerName } from '../harness/names.mts';
import { TEST_ADDRESS, TEST_KEY, type Sandbox } from '../harness/sandbox.mts';
import { NAME, type Scene } from './case.mts';
import { buildStarkScene } from './stageStark.mts';
import { buildTonScene } from './tonScene.mts';

const ONE_ETHER_WEI = 10n ** 18n;
const FIRST_PAYMENT_WEI = ONE_ETHER_WEI;
const LAST_PAYMENT_WEI = (3n * ONE_ETHER_WEI) / 2n;
/** The amount of a gift, in the smallest unit of the token. */
const GIFT = 2_500_000n;
const NFT_ID = 7n;
const METADATA = { name: 'Umbrella #7', image: 'ipfs://bafy…/7.png' };

export interface BuiltChain {
	readonly facts: Omit<Scene, 'first'>;
	/** Gives an account an amount of the token. */
	give(to: string, amount: bigint): Promise<{ readonly transactionHash: string }>;
	/** Sends a payment from the payer to the other account. */
	pay(wei: bigint): Promise<{ readonly transactionHash: string }>;
	/** Mints another NFT for an account. */
	mint(to: string, tokenId: bigint): Promise<unknown>;
}

/** Builds a chain on which a few things have happened. It is the same each time. */
export async function buildChain(sandbox: Sandbox): Promise<BuiltChain> {
	const [owner = '', payer = '', other = ''] = (await sandbox.chain('eth_accounts')) as string[];
	// The interval gives each block a time of its own, so that blocks can be told apart by their time.
	await sandbox.chain('anvil_setBlockTimestampInterval', 12);
	// Every transaction is soon irreversible.
	await sandbox.control('PUT', '/wallet', { blockTime: 20 });
	const { token, give } = await deployToken(sandbox);
	const pay: BuiltChain['pay'] = async (wei) =>
		await sandbox.mined({ from: payer, to: other, value: numberToHex(wei) });
	const { transactionHash: giftHash } = await give(payer, GIFT);
	await registerName({ call: sandbox.chain, mine: sandbox.mined }, NAME.name, payer, NAME.url);
	await give(other, 750_000n);
	await pay(FIRST_PAYMENT_WEI);
	const { transactionHash } = await pay(LAST_PAYMENT_WEI);
	const { nft, mint } = await deployNfts(sandbox);
	await mint(payer, NFT_ID);
	await mintEditions(sandbox, owner);
	const feed = await deployFeed(sandbox);
	const { address: dollar } = await deployContract(sandbox, 'Dollar', { file: 'Dollars' });
	const facts: BuiltChain['facts'] = {
		owner,
		payer,
		payments: [FIRST_PAYMENT_WEI, LAST_PAYMENT_WEI],
		lastPayment: await locate(sandbox, transactionHash),
		holder: payer,
		gifts: [GIFT],
		giftHash,
		token,
		nft,
		feed,
		dollar,
		other,
		signerAddress: TEST_ADDRESS,
		signerKey: TEST_KEY,
		...createWitnessAccount(),
		stark: await buildStarkScene(sandbox.control),
		ton: await buildTonScene(sandbox.control),
		chain: sandbox.chain,
		control: async (path) => await sandbox.control('GET', path),
	};
	return { facts, give, pay, mint };
}

async function deployToken(sandbox: Sandbox) {
	const { address, owner, data } = await deployContract(sandbox, 'Coin', { file: 'Tokens' });
	const give: BuiltChain['give'] = async (to, amount) =>
		await sandbox.mined({
			from: owner,
			to: address,
			data: data('transfer(address,uint256)', BigInt(to), amount),
		});
	const token: Scene['token'] = {
		address,
		name: 'Test Coin',
		symbol: 'TC€',
		decimals: 6,
		totalSupply: 1_000_000_500_000n,
	};
	return { token, give };
}

async function deployNfts(sandbox: Sandbox) {
	const { address, owner, abi } = await deployContract(sandbox, 'Collection', { file: 'Nfts' });
	const uri = `data:application/json,${JSON.stringify(METADATA)}`;
	const mint: BuiltChain['mint'] = async (to, tokenId) =>
		await sandbox.mined({
			from: owner,
			to: address,
			gas: numberToHex(500_000),
			data: encodeFunctionData({
				abi: abi as Abi,
				functionName: 'mint',
				args: [to, tokenId, uri],
			}),
		});
	const nft: Scene['nft'] = {
		contract: address,
		tokenId: String(NFT_ID),
		name: 'Collection ☂',
		symbol: 'COLL',
		metadata: METADATA,
	};
	return { nft, mint };
}

async function deployFeed(sandbox: Sandbox): Promise<Scene['feed']> {
	const { address, owner, data } = await deployContract(sandbox, 'Feed', { file: 'Feeds' });
	await sandbox.mined({ from: owner, to: address, data: data('set(int256)', 250_050_000_000n) });
	return { address, price: '2500.5' };
}

/** Five of an ERC-1155. */
async function mintEditions(sandbox: Sandbox, owner: string): Promise<void> {
	const { address, data } = await deployContract(sandbox, 'Editions', { file: 'Nfts' });
	const several = data('mint(address,uint256,uint256)', BigInt(owner), 1, 5);
	await sandbox.mined({ from: owner, to: address, data: several });
}

async function locate({ chain }: Sandbox, transactionHash: string): Promise<Scene['lastPayment']> {
	const found = await chain('eth_getTransactionByHash', transactionHash);
	const { blockHash, blockNumber } = found as { blockHash: string; blockNumber: string };
	return { transactionHash, blockHash, blockNumber: Number(blockNumber) };
}

function createWitnessAccount(): Pick<Scene, 'witnessOwner' | 'sign'> {
	const key = '1'.repeat(64);
	return {
		witnessOwner: String(utils.address.fromPrivateKey(key)),
		sign: async (built) => {
			const copy = structuredClone(built) as never;
			return await Promise.resolve(JSON.stringify(utils.crypto.signTransaction(key, copy)));
		},
	};
}
