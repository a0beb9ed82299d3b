import { TronWeb, utils } from 'tronweb';
import { ADDRESS, FRIEND, GENEROUS } from './signerNode.mts';

/** Builds transactions without a node. */
const tronWeb = new TronWeb({ fullHost: 'http://127.0.0.1:1' });

const timestamp = 1_700_000_000_000;
const blockHeader = {
	ref_block_bytes: 'ab12',
	ref_block_hash: '0123456789abcdef',
	expiration: timestamp + 60_000,
	timestamp,
};
const local = { blockHeader, txLocal: true };

/** Converts an EVM address to the hex form of TRON. */
export const asWitness = (address: string) => `41${address.slice(2).toLowerCase()}`;
export const asBase58 = (address: string) => utils.address.fromHex(asWitness(address));

export const OWNER = asWitness(ADDRESS);

export interface Built {
	readonly visible: boolean;
	readonly txID: string;
	readonly raw_data: Record<string, unknown>;
	readonly raw_data_hex: string;
}

/** Builds transactions with tronweb in the same form as the node Chain Witness Wallet. */
export const builder = tronWeb.transactionBuilder;

export async function transferOf(amount: number, to = asWitness(FRIEND), owner = OWNER) {
	return plain(await builder.sendTrx(to, amount, owner, local));
}

/** Builds a transfer for another permission than the owner's, such as one of several signers. */
export async function permittedBy(permissionId: number) {
	return plain(await builder.sendTrx(asWitness(FRIEND), 1, OWNER, { ...local, permissionId }));
}

/** Builds a transfer that expires after the given time. */
export async function expiringIn(milliseconds: number) {
	const options = {
		...local,
		blockHeader: { ...blockHeader, expiration: Date.now() + milliseconds },
	};
	return plain(await builder.sendTrx(asWitness(FRIEND), 1, OWNER, options));
}

/** Builds a transfer with a memo of the given length. */
export async function memoOf(bytes: number) {
	const built = await builder.sendTrx(asWitness(FRIEND), 1, OWNER, local);
	return plain(await builder.addUpdateData(built, 'a'.repeat(bytes), 'utf8', local));
}

export async function callOf(
	contract: string,
	data: string,
	more: { callValue?: number; feeLimit?: number; tokenId?: number; tokenValue?: number } = {},
) {
	const { transaction } = await builder.triggerSmartContract(
		asWitness(contract),
		'',
		{ ...local, input: data.replace('0x', ''), feeLimit: 1_000_000, ...more } as never,
		[],
		OWNER,
	);
	return plain(transaction);
}

export async function delegationTo(receiver: string) {
	const to = asWitness(receiver);
	return plain(await builder.delegateResource(10 ** 12, to, 'ENERGY', OWNER, true, 28_800, local));
}

export const otherKinds: Readonly<Record<string, () => Promise<Built>>> = {
	vote: async () => plain(await builder.vote({ [asWitness(FRIEND)]: 5 }, OWNER, local)),
	registration: async () => plain(await builder.applyForSR(OWNER, 'https://example.com', local)),
	freeze: async () => plain(await builder.freezeBalanceV2(10 ** 12, 'ENERGY', OWNER, local)),
	unfreeze: async () => plain(await builder.unfreezeBalanceV2(10 ** 12, 'ENERGY', OWNER, local)),
	delegate: async () => await delegationTo(FRIEND),
	undelegate: async () =>
		plain(await builder.undelegateResource(10 ** 12, asWitness(FRIEND), 'ENERGY', OWNER, local)),
	'withdraw unfrozen': async () => plain(await builder.withdrawExpireUnfreeze(OWNER, local)),
	'withdraw rewards': async () => plain(await builder.withdrawBlockRewards(OWNER, local)),
	assetTransfer: async () =>
		plain(await builder.sendToken(asWitness(FRIEND), 5, '1000001', OWNER, local)),
};

function plain(built: object): Built {
	const { visible, txID, raw_data, raw_data_hex } = JSON.parse(JSON.stringify(built)) as Built;
	return { visible: visible ?? false, txID, raw_data, raw_data_hex };
}

export const ALL_WITNESS = {
	...GENEROUS,
	witnessKinds: [
		'transfer',
		'contractCall',
		'vote',
		'registration',
		'freeze',
		'delegate',
		'withdraw',
	],
	witnessMaxAmount: '1000000',
	witnessMaxFee: '1000000',
};

export const signWitness = (transaction: object) => ({
	resource: 'witnessTransaction',
	operation: 'sign',
	transaction: JSON.stringify(transaction),
});
