import { getAddress, type Hex, type TypedDataDomain } from 'viem';
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts';
import { AUTHORIZATION_TYPES } from './authorizations.mts';
import { deployContract } from './contract.mts';
import type { Sandbox } from './sandbox.mts';

export interface SignedPayment {
	readonly authorization: Readonly<Record<string, string>>;
	readonly signature: Hex;
}

interface Wish {
	readonly to: string;
	readonly value: bigint;
	readonly from?: string;
	readonly validAfter?: bigint;
	readonly validBefore?: bigint;
	readonly nonce?: Hex;
	/** The domain fields that replace the correct domain of the signature. */
	readonly domain?: TypedDataDomain;
}

const NAMES: Readonly<Record<string, readonly [name: string, version: string]>> = {
	Dollar: ['Test Dollar', '2'],
	UnversionedDollar: ['Unversioned Dollar', '1'],
	RenamedDollar: ['Once Dollar', '3'],
	StrangeDollar: ['Something Else', '1'],
	NamedChainDollar: ['Test Dollar', '2'],
};

export const secondsFromNow = (seconds: number) => BigInt(Math.floor(Date.now() / 1000) + seconds);

/**
 * Deploys a token with EIP-3009 (test/contracts/Dollars.sol). Returns functions that sign for it without any code of
 * the package.
 */
export async function deployDollar(sandbox: Sandbox, kind = 'Dollar') {
	const token = await deployContract(sandbox, kind, { file: 'Dollars' });
	const [name = '', version = ''] = NAMES[kind] ?? [];
	const domain = {
		name,
		version,
		chainId: Number(await sandbox.chain('eth_chainId')),
		verifyingContract: getAddress(token.address),
	};
	const give = async (to: string, amount: bigint) => {
		const data = token.data('transfer(address,uint256)', BigInt(to), amount);
		await sandbox.mined({ from: token.owner, to: token.address, data });
	};
	const sign = async (
		account: PrivateKeyAccount,
		{ to, value, domain: otherDomain, ...more }: Wish,
	): Promise<SignedPayment> => {
		const message = {
			from: account.address,
			to,
			value,
			validAfter: 0n,
			validBefore: secondsFromNow(300),
			nonce: generatePrivateKey(),
			...more,
		};
		const signature = await account.signTypedData({
			domain: { ...domain, ...otherDomain },
			types: AUTHORIZATION_TYPES,
			primaryType: 'TransferWithAuthorization',
			message: message as never,
		});
		const texts = Object.entries(message).map(([member, value_]) => [member, String(value_)]);
		return { authorization: Object.fromEntries(texts) as Record<string, string>, signature };
	};
	const readBalance = async (owner: string) => {
		const data = token.data('balanceOf(address)', BigInt(owner));
		return BigInt(String(await sandbox.chain('eth_call', { to: token.address, data }, 'latest')));
	};
	return { ...token, address: getAddress(token.address), domain, give, sign, readBalance };
}

export type Dollar = Awaited<ReturnType<typeof deployDollar>>;

/** Creates an account with a new random key. */
export const createAccount = () => privateKeyToAccount(generatePrivateKey());

const encode = (content: object) => Buffer.from(JSON.stringify(content)).toString('base64');

/** Formats the header of an x402 payment in version 2. */
export const formatSecondPayment = (accepted: object, payload: object) =>
	encode({ x402Version: 2, accepted, payload });

/** The header of version 1. */
export const formatFirstPayment = (network: string, payload: object) =>
	encode({ x402Version: 1, scheme: 'exact', network, payload });
