/** The one spelling of an address: EVM in lower case, TON raw; undefined if it is none. */
export async function parseAccount(address: string, chain: string): Promise<string | undefined> {
	return chain === 'ton-testnet' ? await parseTonAccount(address) : await parseEvmAccount(address);
}

async function parseTonAccount(address: string): Promise<string | undefined> {
	const { Address } = await import('@ton/core');
	try {
		return Address.parse(address).toRawString();
	} catch {
		return undefined;
	}
}

async function parseEvmAccount(address: string): Promise<string | undefined> {
	if (!/^0x[0-9a-fA-F]{40}$/.test(address)) return undefined;
	const digits = address.slice(2);
	const isMixed = digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
	if (isMixed && address !== (await checksumAddress(address))) return undefined;
	return address.toLowerCase();
}

/** EIP-55: a letter is upper case where the hash of the digits has 8 or more. */
async function checksumAddress(address: string): Promise<string> {
	const { ethersUtils } = (await import('tronweb')).utils;
	const digits = address.slice(2).toLowerCase();
	const hash = ethersUtils.keccak256(Buffer.from(digits)).slice(2);
	const cased = [...digits].map((digit, index) =>
		parseInt(hash[index]!, 16) >= 8 ? digit.toUpperCase() : digit,
	);
	return `0x${cased.join('')}`;
}
