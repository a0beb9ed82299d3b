import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	createPublicClient,
	custom,
	encodeDeployData,
	encodeFunctionData,
	getAddress,
	parseEventLogs,
	type Abi,
	type Hex,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { hashMessage } from 'viem/experimental/erc7739';
import { evmRpcAt } from '../engine/evmRpc/support/scene.mts';
import { createSandbox } from '../harness/sandbox.mts';

interface Contract {
	readonly abi: Abi;
	readonly address: Hex;
}

/** A contract with OpenZeppelin's code, and functions to mint and burn. */
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";
import {ERC721URIStorage} from "@openzeppelin/contracts/token/ERC721/extensions/ERC721URIStorage.sol";
import {ERC1155} from "@openzeppelin/contracts/token/ERC1155/ERC1155.sol";
import {IERC1271} from "@openzeppelin/contracts/interfaces/IERC1271.sol";
import {EIP712} from "@openzeppelin/contracts/utils/cryptography/EIP712.sol";
import {SignerECDSA} from "@openzeppelin/contracts/utils/cryptography/signers/SignerECDSA.sol";
import {ERC7739} from "@openzeppelin/contracts/utils/cryptography/signers/draft-ERC7739.sol";
import {SignatureChecker} from "@openzeppelin/contracts/utils/cryptography/SignatureChecker.sol";

contract Pictures is ERC721URIStorage {
	constructor() ERC721(unicode"Pictures ☂", "PIC") {}
	function mint(address to, uint256 id, string calldata uri) external { _mint(to, id); _setTokenURI(id, uri); }
	function burn(uint256 id) external { _burn(id); }
}

contract Several is ERC1155 {
	constructor() ERC1155("data:application/json,%7B%22id%22%3A%22{id}%22%7D") {}
	function mint(address to, uint256[] calldata ids, uint256[] calldata values) external { _mintBatch(to, ids, values, ""); }
	function burn(address from, uint256 id, uint256 value) external { _burn(from, id, value); }
}

contract Wallet is IERC1271, SignerECDSA {
	constructor(address signer) SignerECDSA(signer) {}
	function isValidSignature(bytes32 hash, bytes calldata signature) external view returns (bytes4) {
		return _rawSignatureValidation(hash, signature) ? IERC1271.isValidSignature.selector : bytes4(0xffffffff);
	}
}

contract NestedWallet is SignerECDSA, ERC7739 {
	constructor(address signer) SignerECDSA(signer) EIP712("Nested", "1") {}
}

contract Checker {
	function isValid(address signer, bytes32 hash, bytes calldata signature) external view returns (bool) {
		return SignatureChecker.isValidSignatureNow(signer, hash, signature);
	}
}
`;

type Name = 'Pictures' | 'Several' | 'Wallet' | 'NestedWallet' | 'Checker';

const sandbox = createSandbox({ chain: true });
let contracts: Record<Name, Contract>;
let [owner, payee, stranger] = ['', '', ''] as [string, string, string];
const { run, first } = evmRpcAt(sandbox);
const keyOf = (digit: string) => privateKeyToAccount(`0x${digit.repeat(64)}`);
const [signer, another] = [keyOf('1'), keyOf('2')];

beforeAll(async () => {
	[owner, payee, stranger] = (await sandbox.chain('eth_accounts')) as [string, string, string];
	const compiled = await compile();
	const put = async (name: Name, ...args: unknown[]): Promise<Contract> => {
		const { abi, evm } = compiled[name] as Compiled;
		const data = encodeDeployData({ abi, bytecode: `0x${evm.bytecode.object}`, args });
		const { contractAddress } = await sandbox.mined({ from: owner, data });
		return { abi, address: String(contractAddress) as Hex };
	};
	contracts = {
		Pictures: await put('Pictures'),
		Several: await put('Several'),
		Wallet: await put('Wallet', signer.address),
		NestedWallet: await put('NestedWallet', signer.address),
		Checker: await put('Checker'),
	};
});

interface Compiled {
	readonly abi: Abi;
	readonly evm: { readonly bytecode: { readonly object: string } };
}

async function compile(): Promise<Record<string, Compiled>> {
	const { default: solc } = await import('solc');
	const outputSelection = { '*': { '*': ['abi', 'evm.bytecode.object'] } };
	const settings = { optimizer: { enabled: true }, outputSelection };
	const sources = { 'Derived.sol': { content: SOURCE } };
	const folder = process.env.FOREIGN_MODULES ?? '';
	const read = (path: string) => ({ contents: readFileSync(join(folder, path), 'utf8') });
	const input = JSON.stringify({ language: 'Solidity', sources, settings });
	const output = JSON.parse(solc.compile(input, { import: read }) as string) as {
		contracts?: Record<string, Record<string, Compiled>>;
	};
	const found = output.contracts?.['Derived.sol'];
	if (!found) throw new Error(JSON.stringify(output));
	return found;
}

async function send(name: Name, functionName: string, args: unknown[], from = owner) {
	const { abi, address } = contracts[name];
	const data = encodeFunctionData({ abi, functionName, args });
	await sandbox.mined({ from, to: address, data });
}

/** Creates a viem client that reads the same chain. Its results are the expected values. */
const oracle = () => {
	const request = async ({ method, params }: { method: string; params?: unknown }) =>
		await sandbox.chain(method, ...((params ?? []) as unknown[]));
	return createPublicClient({ transport: custom({ request }, { retryCount: 0 }) });
};
const read = async (name: Name, functionName: string, ...args: unknown[]) =>
	await oracle().readContract({ ...contracts[name], functionName, args });

const nft = async (operation: string, name: Name, more: object) =>
	await first({ resource: 'nft', operation, contract: contracts[name].address, ...more });

const LAST = 2n ** 256n - 1n;

describe('ERC-721', () => {
	const uri = 'data:application/json;base64,eyJuYW1lIjoiw6kifQ==';

	test.each([0n, 7n, LAST])('token %s has the values that viem reads', async (id) => {
		await send('Pictures', 'mint', [payee, id, uri]);
		expect(await nft('get', 'Pictures', { tokenId: `0X${id.toString(16).toUpperCase()}` })).toEqual(
			{
				contract: getAddress(contracts.Pictures.address),
				tokenId: id.toString(),
				standard: 'ERC-721',
				name: await read('Pictures', 'name'),
				symbol: await read('Pictures', 'symbol'),
				owner: await read('Pictures', 'ownerOf', id),
				tokenUri: await read('Pictures', 'tokenURI', id),
				metadata: { name: 'é' },
				metadataError: null,
			},
		);
		const holding = { owner: payee, tokenId: id.toString() };
		expect(await nft('getBalance', 'Pictures', holding)).toMatchObject({ balance: '1' });
		expect(await nft('getBalance', 'Pictures', { owner: payee })).toMatchObject({
			balance: String(await read('Pictures', 'balanceOf', payee)),
		});
	});

	test('a burned token has no owner, and is none of anybody', async () => {
		await send('Pictures', 'mint', [payee, 9n, uri]);
		await send('Pictures', 'burn', [9n]);
		expect(await nft('get', 'Pictures', { tokenId: '9' })).toMatchObject({
			standard: 'ERC-721',
			owner: null,
			tokenUri: null,
			metadata: null,
		});
		const holding = { owner: payee, tokenId: '9' };
		expect(await nft('getBalance', 'Pictures', holding)).toMatchObject({ balance: '0' });
	});
});

describe('ERC-1155', () => {
	test.each([0n, 0xabcn, LAST])('token %s has the values that viem reads', async (id) => {
		await send('Several', 'mint', [payee, [id], [LAST]]);
		const digits = id.toString(16).padStart(64, '0');
		const uri = String(await read('Several', 'uri', id));
		expect(await nft('get', 'Several', { tokenId: id.toString() })).toEqual({
			contract: getAddress(contracts.Several.address),
			tokenId: id.toString(),
			standard: 'ERC-1155',
			name: null,
			symbol: null,
			owner: null,
			tokenUri: uri.replace('{id}', digits),
			metadata: { id: digits },
			metadataError: null,
		});
		const holding = { owner: payee, tokenId: id.toString() };
		expect(await nft('getBalance', 'Several', holding)).toMatchObject({
			balance: String(await read('Several', 'balanceOf', payee, id)),
		});
	});

	test('balances of all of its tokens are refused', async () => {
		expect(await nft('getBalance', 'Several', { owner: payee })).toMatchObject({
			message: "'Token ID' must be given for a contract of ERC-1155",
		});
	});
});

test('transfers of both, minted, burned and to oneself, are those that viem finds', async () => {
	const before = Number(await sandbox.chain('eth_blockNumber'));
	await send('Pictures', 'mint', [payee, 20n, '']);
	await send('Pictures', 'safeTransferFrom', [payee, payee, 20n], payee);
	await send('Pictures', 'transferFrom', [payee, stranger, 20n], payee);
	await send('Pictures', 'burn', [20n]);
	await send('Several', 'mint', [payee, [1n, 2n, 1n], [5n, 0n, 7n]]);
	await send('Several', 'safeTransferFrom', [payee, payee, 1n, 2n, '0x'], payee);
	await send(
		'Several',
		'safeBatchTransferFrom',
		[payee, stranger, [1n, 2n], [3n, 0n], '0x'],
		payee,
	);
	await send('Several', 'burn', [stranger, 1n, 1n]);
	const logs = await oracle().getLogs({ fromBlock: BigInt(before + 1) });
	const wanted = parseEventLogs({
		abi: [...contracts.Pictures.abi, ...contracts.Several.abi],
		eventName: ['Transfer', 'TransferSingle', 'TransferBatch'],
		logs,
	}).flatMap((log) => {
		const { tokenId, id, ids, value, values, ...parties } = log.args as Record<string, unknown>;
		const quantities = (values ?? [value ?? 1n]) as unknown[];
		return ((ids ?? [tokenId ?? id]) as unknown[]).map((one, at) => ({
			contract: getAddress(log.address),
			tokenId: String(one),
			quantity: String(quantities[at]),
			...parties,
			transactionHash: log.transactionHash,
			logIndex: log.logIndex,
		}));
	});
	const range = { fromBlock: String(before + 1), returnAll: true };
	const { items } = await run({ resource: 'nft', operation: 'getTransfers', ...range });
	expect(wanted).toHaveLength(11);
	expect(items.map(({ json }) => json)).toMatchObject(wanted);
});

describe('signatures', () => {
	const message = 'Sign in to example.com ✓';
	const verify = async (address: string, signature: string, more: object = { message }) =>
		await first({ resource: 'signature', operation: 'verify', address, signature, ...more });

	test("are what OpenZeppelin's checker and viem take them for, of keys and of a wallet", async () => {
		const hash = `0x${'5a'.repeat(32)}` as const;
		const signatures = await Promise.all(
			[signer, another].map(async (one) => await one.sign({ hash })),
		);
		for (const address of [signer.address, contracts.Wallet.address, contracts.Checker.address]) {
			for (const signature of signatures) {
				const checked = await read('Checker', 'isValid', address, hash, signature);
				expect(await oracle().verifyHash({ address, hash, signature })).toBe(checked);
				expect(await verify(address, signature, { signed: 'hash', hash })).toMatchObject({
					valid: checked,
				});
			}
		}
	});

	test('of a wallet that binds them to itself (ERC-7739) are valid for this wallet', async () => {
		const { address } = contracts.NestedWallet;
		const domain = { name: 'Nested', version: '1', chainId: 31337, verifyingContract: address };
		const verifierDomain = { ...domain, salt: `0x${'0'.repeat(64)}` as const };
		const hash = hashMessage({ message, verifierDomain });
		const signature = await signer.sign({ hash });
		expect(await verify(address, signature)).toEqual({
			valid: true,
			signer: null,
			by: 'contract',
		});
		expect(await verify(address, await signer.signMessage({ message }))).toMatchObject({
			valid: false,
			by: 'contract',
		});
	});
});
