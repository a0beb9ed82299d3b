/** What people type who want something of a chain: the node that they want, as n8n lists it, and its actions. */
export interface Wish {
	readonly word: string;
	readonly node: string;
	readonly actions: readonly string[];
}

const EVM = 'Chain EVM RPC';
const PREPARE = 'Prepare a transaction to pay, mint or deploy';
const ON_TOKENS = 'On a token transfer (payment, USDC)';
const FIND_TOKENS = 'Find token transfers, such as payments';
const ON_NFTS = 'On an NFT transfer or mint';
const NFT = 'Get NFT owner and metadata';
const WITNESS = 'Chain Witness Wallet';
const FREEZE = 'Build a freeze of coins to stake';
const PIN = 'Upload and pin a file to IPFS';
const UTILITIES = 'Chain Utilities';
const ACTIVITY = 'Chain Activity';
const ON_ADDRESS = 'On activity of an address (wallet, deposit)';

/** Words that the actions name. */
export const wordsOfActions: readonly Wish[] = [
	{ word: 'pay', node: EVM, actions: [PREPARE] },
	{ word: 'send', node: EVM, actions: ['Send a signed transaction'] },
	{ word: 'transfer', node: EVM, actions: [ON_TOKENS, FIND_TOKENS] },
	{ word: 'payment', node: EVM, actions: [ON_TOKENS, FIND_TOKENS] },
	{ word: 'mint', node: EVM, actions: [PREPARE, ON_NFTS] },
	{ word: 'deploy', node: EVM, actions: [PREPARE] },
	{
		word: 'log',
		node: EVM,
		actions: ['On a contract event (log)', 'Find events and logs'],
	},
	{ word: 'allowance', node: EVM, actions: ['Get the allowance of a token'] },
	{
		word: 'balance',
		node: EVM,
		actions: ['Get the balance of an account', 'Get the token balance of an account'],
	},
	{ word: 'USDC', node: EVM, actions: [ON_TOKENS] },
	{ word: 'NFT', node: EVM, actions: [NFT, 'Find NFT transfers and mints', ON_NFTS] },
	{ word: 'owner', node: EVM, actions: [NFT] },
	{ word: 'metadata', node: EVM, actions: [NFT] },
	{ word: 'ENS', node: EVM, actions: ['Resolve an ENS name to an address'] },
	{ word: 'gas', node: EVM, actions: ['Get the gas price and fees'] },
	{ word: 'nonce', node: EVM, actions: ['Get the nonce of an account'] },
	{ word: 'block', node: EVM, actions: ['Get a block', 'On a new block'] },
	{
		word: 'event',
		node: EVM,
		actions: ['On a contract event (log)', 'Find events and logs'],
	},
	{ word: 'contract', node: EVM, actions: ['Read from a smart contract'] },
	{ word: 'receipt', node: EVM, actions: ['Get the receipt of a transaction'] },
	{ word: 'confirm', node: EVM, actions: ['Wait for a transaction to confirm'] },
	{ word: 'verify', node: EVM, actions: ['Verify a signature'] },
	{ word: 'mempool', node: EVM, actions: ['On a pending transaction (mempool)'] },
	{ word: 'vote', node: WITNESS, actions: ['Build a vote for witnesses'] },
	{ word: 'stake', node: WITNESS, actions: [FREEZE] },
	{ word: 'freeze', node: WITNESS, actions: [FREEZE] },
	{ word: 'sign', node: 'Chain Signer', actions: ['Sign a transaction', 'Sign a message'] },
	{ word: 'IPFS', node: 'Chain IPFS Pin', actions: [PIN, 'Upload and pin JSON to IPFS'] },
	{ word: 'upload', node: 'Chain IPFS Pin', actions: [PIN] },
	{ word: 'hash', node: UTILITIES, actions: ['Compute a hash'] },
	{
		word: 'decode',
		node: UTILITIES,
		actions: ['Decode data of a contract'],
	},
	{ word: 'gRPC', node: 'Chain gRPC', actions: ['Call a gRPC method'] },
	{ word: 'deposit', node: ACTIVITY, actions: [ON_ADDRESS] },
];

/** Words of all that a node does: its actions are few, and the one that is wanted is among the first. */
export const wordsOfNodes: readonly Wish[] = [
	{ word: 'alert', node: ACTIVITY, actions: [ON_ADDRESS, ON_TOKENS] },
	{ word: 'webhook', node: ACTIVITY, actions: [ON_ADDRESS, ON_TOKENS] },
	{ word: 'watch', node: ACTIVITY, actions: [ON_ADDRESS, ON_TOKENS] },
	{ word: 'wei', node: UTILITIES, actions: ['Convert an amount'] },
	{ word: 'checksum', node: UTILITIES, actions: ['Convert an address'] },
	{ word: 'faucet', node: 'Chain Faucet', actions: ['Request testnet funds'] },
	{ word: 'simulate', node: 'Chain L2 Simulate', actions: ['Simulate transactions'] },
];
