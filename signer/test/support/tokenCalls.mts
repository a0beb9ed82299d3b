import { encodeFunctionData, parseAbi } from 'viem';

const abi = parseAbi([
	'function transfer(address to, uint256 amount)',
	'function transferFrom(address from, address to, uint256 amount)',
	'function approve(address spender, uint256 amount)',
	'function increaseAllowance(address spender, uint256 added)',
	'function increaseApproval(address spender, uint256 added)',
	'function decreaseAllowance(address spender, uint256 less)',
	'function setApprovalForAll(address operator, bool approved)',
	'function safeTransferFrom(address from, address to, uint256 id)',
	'function safeTransferFrom(address from, address to, uint256 id, bytes data)',
	'function safeTransferFrom(address from, address to, uint256 id, uint256 quantity, bytes data)',
	'function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] quantities, bytes data)',
	'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
	'function multicall(bytes[] calls)',
	'function execute(address to, uint256 value, bytes data)',
	'function transferAndCall(address to, uint256 amount, bytes data)',
	'function send(address to, uint256 amount, bytes data)',
	'function mint(address to, uint256 amount)',
	'function list((address maker, uint256 price)[] orders)',
	'function burn(uint256 amount)',
]);

/** Encodes a call of one of the functions in `abi`. */
export const call = (functionName: string, ...args: readonly unknown[]) =>
	encodeFunctionData({ abi, functionName, args } as never) as string;

export const free = { value: '0x0' };

/** A call of a contract without coins, unless `more` adds some. */
export const to = (address: string, data: string, more: object = {}) => ({
	to: address,
	data,
	...free,
	...more,
});

/** The rules for all attacks. */
export const BASE = { chainIds: '31337', maxFee: '0.01', maxAmount: '1' };
