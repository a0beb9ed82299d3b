import { decodeFunctionData, encodeFunctionResult, parseAbi, type Hex } from 'viem';
import { readNft } from '../../../nodes/core/evm/nfts';
import { createChain } from '../support/chains.mts';

const abi = parseAbi([
	'function supportsInterface(bytes4 id) view returns (bool)',
	'function balanceOf(address owner, uint256 id) view returns (uint256)',
	'function uri(uint256 id) view returns (string)',
	'function name() view returns (string)',
	'function symbol() view returns (string)',
]);

/** An ERC-1155 contract whose metadata can be downloaded. */
function editionsAt(uri: string) {
	return createChain((_, [call]) => {
		const { functionName, args } = decodeFunctionData({
			abi,
			data: (call as unknown as { data: Hex }).data,
		});
		const results = {
			supportsInterface: () => args?.[0] === '0xd9b67a26',
			balanceOf: () => 0n,
			uri: () => uri,
			name: () => '',
			symbol: () => '',
		};
		return encodeFunctionResult({ abi, functionName, result: results[functionName]() } as never);
	});
}

const CONTRACT = `0x${'c0'.repeat(20)}`;

test('the id stands wherever the address of the metadata has a place for it', async () => {
	const { tokenUri } = await readNft(editionsAt('ipfs://{id}/{id}.json'), CONTRACT, 0xabcn);
	const id = 'abc'.padStart(64, '0');
	expect(tokenUri).toBe(`ipfs://${id}/${id}.json`);
});

test('an address of metadata that is endless once the ids stand in it is none', async () => {
	const { tokenUri } = await readNft(editionsAt('{id}'.repeat(100_000)), CONTRACT, 1n);
	expect(tokenUri?.length).toBeUndefined();
});

test('a token that the zero address owns has no owner', async () => {
	const old = createChain((_, [call]) => {
		const isOwner = (call as unknown as { data: Hex }).data.startsWith('0x6352211e');
		return isOwner ? `0x${'0'.repeat(64)}` : '0x';
	});
	expect(await readNft(old, CONTRACT, 1n)).toMatchObject({ standard: 'ERC-721', owner: null });
});
