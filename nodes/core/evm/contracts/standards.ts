import { parseFunction } from '../abi/call';
import type { AbiFunction } from '../abi/entry';

/**
 * The functions of each standard. If two standards have functions with the same selector, the standard with more of the
 * contract's functions gives the name.
 */
const STANDARDS: readonly (readonly string[])[] = [
	// ERC-20
	[
		'name() view returns (string)',
		'symbol() view returns (string)',
		'decimals() view returns (uint8)',
		'totalSupply() view returns (uint256)',
		'balanceOf(address account) view returns (uint256)',
		'transfer(address to, uint256 value) nonpayable returns (bool)',
		'transferFrom(address from, address to, uint256 value) nonpayable returns (bool)',
		'approve(address spender, uint256 value) nonpayable returns (bool)',
		'allowance(address owner, address spender) view returns (uint256)',
	],
	// ERC-721
	[
		'name() view returns (string)',
		'symbol() view returns (string)',
		'tokenURI(uint256 tokenId) view returns (string)',
		'balanceOf(address owner) view returns (uint256)',
		'ownerOf(uint256 tokenId) view returns (address)',
		'safeTransferFrom(address from, address to, uint256 tokenId) nonpayable',
		'safeTransferFrom(address from, address to, uint256 tokenId, bytes data) nonpayable',
		'transferFrom(address from, address to, uint256 tokenId) nonpayable',
		'approve(address to, uint256 tokenId) nonpayable',
		'setApprovalForAll(address operator, bool approved) nonpayable',
		'getApproved(uint256 tokenId) view returns (address)',
		'isApprovedForAll(address owner, address operator) view returns (bool)',
	],
	// ERC-721 Enumerable
	[
		'totalSupply() view returns (uint256)',
		'tokenByIndex(uint256 index) view returns (uint256)',
		'tokenOfOwnerByIndex(address owner, uint256 index) view returns (uint256)',
	],
	// ERC-1155
	[
		'uri(uint256 id) view returns (string)',
		'balanceOf(address account, uint256 id) view returns (uint256)',
		'balanceOfBatch(address[] accounts, uint256[] ids) view returns (uint256[])',
		'setApprovalForAll(address operator, bool approved) nonpayable',
		'isApprovedForAll(address account, address operator) view returns (bool)',
		'safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes data) nonpayable',
		'safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] values, bytes data) nonpayable',
	],
	// ERC-165
	['supportsInterface(bytes4 interfaceId) view returns (bool)'],
	// ERC-2612 and EIP-5267
	[
		'permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s) nonpayable',
		'nonces(address owner) view returns (uint256)',
		'DOMAIN_SEPARATOR() view returns (bytes32)',
		'eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)',
	],
	// ERC-3009
	[
		'transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) nonpayable',
		'receiveWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) nonpayable',
		'cancelAuthorization(address authorizer, bytes32 nonce, uint8 v, bytes32 r, bytes32 s) nonpayable',
		'authorizationState(address authorizer, bytes32 nonce) view returns (bool)',
	],
	// ERC-4626
	[
		'asset() view returns (address)',
		'totalAssets() view returns (uint256)',
		'convertToShares(uint256 assets) view returns (uint256)',
		'convertToAssets(uint256 shares) view returns (uint256)',
		'maxDeposit(address receiver) view returns (uint256)',
		'maxMint(address receiver) view returns (uint256)',
		'maxWithdraw(address owner) view returns (uint256)',
		'maxRedeem(address owner) view returns (uint256)',
		'previewDeposit(uint256 assets) view returns (uint256)',
		'previewMint(uint256 shares) view returns (uint256)',
		'previewWithdraw(uint256 assets) view returns (uint256)',
		'previewRedeem(uint256 shares) view returns (uint256)',
		'deposit(uint256 assets, address receiver) nonpayable returns (uint256)',
		'mint(uint256 shares, address receiver) nonpayable returns (uint256)',
		'withdraw(uint256 assets, address receiver, address owner) nonpayable returns (uint256)',
		'redeem(uint256 shares, address receiver, address owner) nonpayable returns (uint256)',
	],
	// ERC-2981
	[
		'royaltyInfo(uint256 tokenId, uint256 salePrice) view returns (address receiver, uint256 royaltyAmount)',
	],
	// ERC-173, and its second step
	[
		'owner() view returns (address)',
		'transferOwnership(address newOwner) nonpayable',
		'renounceOwnership() nonpayable',
		'pendingOwner() view returns (address)',
		'acceptOwnership() nonpayable',
	],
	// Access control by roles
	[
		'DEFAULT_ADMIN_ROLE() view returns (bytes32)',
		'hasRole(bytes32 role, address account) view returns (bool)',
		'getRoleAdmin(bytes32 role) view returns (bytes32)',
		'grantRole(bytes32 role, address account) nonpayable',
		'revokeRole(bytes32 role, address account) nonpayable',
		'renounceRole(bytes32 role, address callerConfirmation) nonpayable',
	],
	// ERC-1271
	['isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)'],
	// ERC-1822 and the functions that upgrade
	[
		'proxiableUUID() view returns (bytes32)',
		'upgradeTo(address newImplementation) nonpayable',
		'upgradeToAndCall(address newImplementation, bytes data) payable',
	],
	// Wrapped coins
	['deposit() payable', 'withdraw(uint256 amount) nonpayable'],
	// Pausing
	['paused() view returns (bool)', 'pause() nonpayable', 'unpause() nonpayable'],
	// Several calls in one
	['multicall(bytes[] data) nonpayable returns (bytes[])'],
];

let parsed: ReadonlyArray<readonly AbiFunction[]> | undefined;

/** Finds the declarations of functions by their selectors. A function that is in no standard is left out. */
export function nameByStandards(selectors: ReadonlySet<string>): Map<string, AbiFunction> {
	parsed ??= STANDARDS.map((functions) => functions.map(parseFunction));
	const countFound = (functions: readonly AbiFunction[]) =>
		functions.filter(({ selector }) => selectors.has(selector)).length;
	const ordered = [...parsed].sort((a, b) => countFound(a) - countFound(b));
	// A later standard in the list replaces the functions of an earlier standard, so the standard that fits best is last.
	return new Map(ordered.flat().map((one) => [one.selector, one]));
}
