import {
	decodeFunctionData,
	encodeErrorResult,
	encodeFunctionResult,
	parseAbi,
	type Hex,
} from 'viem';
import { readNft } from '../../../nodes/core/evm/nfts';
import { rpcError } from '../../../nodes/core/net/responses/rpcErrors';
import { createChain } from '../support/chains.mts';

const abi = parseAbi([
	'function supportsInterface(bytes4 id) view returns (bool)',
	'function balanceOf(address owner, uint256 id) view returns (uint256)',
	'function uri(uint256 id) view returns (string)',
	'function name() view returns (string)',
	'function symbol() view returns (string)',
]);

/** Creates an ERC-1155 contract whose metadata can be downloaded from a URI. */
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

test('the id is wherever the address of the metadata has a place for it', async () => {
	const { nft } = await readNft(editionsAt('ipfs://{id}/{id}.json'), CONTRACT, 0xabcn);
	const id = 'abc'.padStart(64, '0');
	expect(nft.tokenUri).toBe(`ipfs://${id}/${id}.json`);
});

test('an address of metadata that is endless once the ids stand in it is none', async () => {
	const { nft } = await readNft(editionsAt('{id}'.repeat(100_000)), CONTRACT, 1n);
	expect(nft.tokenUri).toBeNull();
});

test('a token that the zero address owns has no owner', async () => {
	const old = createChain((_, [call]) => {
		const isOwner = (call as unknown as { data: Hex }).data.startsWith('0x6352211e');
		return isOwner ? `0x${'0'.repeat(64)}` : '0x';
	});
	const { nft } = await readNft(old, CONTRACT, 1n);
	expect(nft).toMatchObject({ standard: 'ERC-721', owner: null });
});

describe('why a contract gives no address of the metadata', () => {
	const errors = parseAbi([
		'error ERC721NonexistentToken(uint256 tokenId)',
		'error Error(string words)',
		'error Sealed(uint8 why)',
	]);

	/** Creates a contract whose function `tokenURI` reverts with the given data. */
	const failingWith = (data: Hex) =>
		createChain((_, [call]) => {
			const isUri = (call as unknown as { data: Hex }).data.startsWith('0xc87b56dd');
			if (isUri) throw rpcError('eth_call', { code: 3, message: 'execution reverted', data });
			return `0x${'1'.padStart(64, '0')}`;
		});

	test.each([
		['ERC721NonexistentToken', [7n], 'ERC721NonexistentToken(tokenId: 7)'],
		['Error', ['sold out'], 'execution reverted: sold out'],
		['Sealed', [1], /^execution reverted: data 0x[0-9a-f]{8}0{63}1$/],
	] as const)('an error %s', async (errorName, args, words) => {
		const data = encodeErrorResult({ abi: errors, errorName, args } as never);
		const { uriReason } = await readNft(failingWith(data), CONTRACT, 7n);
		if (typeof words === 'string') expect(uriReason).toBe(words);
		else expect(uriReason).toMatch(words);
	});
});
