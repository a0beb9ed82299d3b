/** Search terms of users: the node that they want, as n8n lists it, and its actions. */
interface SearchWish {
	readonly word: string;
	readonly node: string;
	readonly actions: readonly string[];
}

const EVM_NODE = 'Chain EVM RPC';
const PREPARE_ACTION = 'Prepare to pay, mint, deploy, speed up (stuck)';
const TOKEN_TRIGGER = 'On a token transfer (payment, USDC, USDT)';
const TOKEN_TRANSFERS_ACTION = 'Find token transfers, such as payments';
const NFT_TRIGGER = 'On an NFT transfer or mint';
const NFT_ACTION = 'Get NFT owner and metadata';
const WITNESS_NODE = 'Chain Witness Wallet';
const FREEZE_ACTION = 'Build a freeze of coins to stake';
const PIN_NODE = 'Chain IPFS Pin';
const PIN_ACTION = 'Upload and pin a file to IPFS';
const DOWNLOAD_ACTION = 'Download a file, verify its CID (IPFS)';
const TON_NODE = 'Chain TON';
const TON_TRIGGER = 'On a payment in coins (invoice, comment)';
const JETTON_TRIGGER = 'On a payment in jettons (USDT, token)';
const TON_PREPARE_ACTION = 'Prepare to pay coins, jettons (USDT) or NFTs';
const TRC20_TRIGGER = 'On a token payment (TRC-20, USDT)';
const TRC20_ACTION = 'Build a token transfer (TRC-20, USDT)';
const STARK_NODE = 'Chain STARK';
const STARK_TRIGGERS = ['On a contract event', 'On a token transfer (ERC-20, payment)'];
const UTILITIES_NODE = 'Chain Utilities';
const ACTIVITY_NODE = 'Chain Activity';
const ADDRESS_TRIGGER = 'On activity of an address (wallet, deposit)';

/** Terms that the actions contain. */
export const ACTION_WISHES: readonly SearchWish[] = [
	{ word: 'pay', node: EVM_NODE, actions: [PREPARE_ACTION] },
	{ word: 'send', node: EVM_NODE, actions: ['Send a signed transaction'] },
	{ word: 'transfer', node: EVM_NODE, actions: [TOKEN_TRIGGER, TOKEN_TRANSFERS_ACTION] },
	{ word: 'payment', node: EVM_NODE, actions: [TOKEN_TRIGGER, TOKEN_TRANSFERS_ACTION] },
	{ word: 'mint', node: EVM_NODE, actions: [PREPARE_ACTION, NFT_TRIGGER] },
	{ word: 'deploy', node: EVM_NODE, actions: [PREPARE_ACTION] },
	{
		word: 'log',
		node: EVM_NODE,
		actions: ['On a contract event (log)', 'Find events and logs'],
	},
	{ word: 'allowance', node: EVM_NODE, actions: ['Get the allowance of a token'] },
	{
		word: 'balance',
		node: EVM_NODE,
		actions: ['Get the balance of an account', 'Get the token balance of an account'],
	},
	{ word: 'balance', node: TON_NODE, actions: ['Get an account, its balance and wallet'] },
	{ word: 'balance', node: WITNESS_NODE, actions: ['Get an account, its balance and votes'] },
	{ word: 'balance', node: STARK_NODE, actions: ['Get the token balance of an account'] },
	{ word: 'portfolio', node: EVM_NODE, actions: ['Get many token balances, such as a portfolio'] },
	{ word: 'portfolio', node: TON_NODE, actions: ['Get all jetton balances (portfolio)'] },
	{ word: 'USDC', node: EVM_NODE, actions: [TOKEN_TRIGGER] },
	{ word: 'stuck', node: EVM_NODE, actions: [PREPARE_ACTION] },
	{ word: 'speed up', node: EVM_NODE, actions: [PREPARE_ACTION] },
	{
		word: 'NFT',
		node: EVM_NODE,
		actions: [NFT_ACTION, 'Find NFT transfers and mints', NFT_TRIGGER],
	},
	{ word: 'owner', node: EVM_NODE, actions: [NFT_ACTION] },
	{ word: 'metadata', node: EVM_NODE, actions: [NFT_ACTION] },
	{ word: 'ENS', node: EVM_NODE, actions: ['Resolve an ENS name to an address'] },
	{ word: 'simulate', node: EVM_NODE, actions: ['Simulate before you sign'] },
	{ word: 'price', node: EVM_NODE, actions: ['Get a price from a feed'] },
	{ word: 'gas', node: EVM_NODE, actions: ['Get the gas price and fees'] },
	{ word: 'nonce', node: EVM_NODE, actions: ['Get the nonce of an account'] },
	{ word: 'block', node: EVM_NODE, actions: ['Get a block', 'On a new block'] },
	{
		word: 'event',
		node: EVM_NODE,
		actions: ['On a contract event (log)', 'Find events and logs'],
	},
	{ word: 'contract', node: EVM_NODE, actions: ['Read from a smart contract'] },
	{ word: 'receipt', node: EVM_NODE, actions: ['Get the receipt of a transaction'] },
	{ word: 'confirm', node: EVM_NODE, actions: ['Wait for a transaction to confirm'] },
	{ word: 'verify', node: EVM_NODE, actions: ['Verify a signature'] },
	{ word: 'x402', node: EVM_NODE, actions: ['Verify a payment over HTTP (x402)'] },
	{ word: 'mempool', node: EVM_NODE, actions: ['On a pending transaction (mempool)'] },
	{ word: 'vote', node: WITNESS_NODE, actions: ['Build a vote for witnesses'] },
	{ word: 'stake', node: WITNESS_NODE, actions: [FREEZE_ACTION] },
	{ word: 'freeze', node: WITNESS_NODE, actions: [FREEZE_ACTION] },
	{
		word: 'jetton',
		node: TON_NODE,
		actions: ['Get a jetton, its supply and decimals', 'Get a jetton balance'],
	},
	{ word: 'comment', node: TON_NODE, actions: [TON_TRIGGER] },
	{ word: 'invoice', node: TON_NODE, actions: [TON_TRIGGER] },
	{ word: 'pay', node: TON_NODE, actions: [TON_TRIGGER, TON_PREPARE_ACTION] },
	{ word: 'payout', node: TON_NODE, actions: [TON_PREPARE_ACTION] },
	{ word: 'USDT', node: TON_NODE, actions: [JETTON_TRIGGER, TON_PREPARE_ACTION] },
	{ word: 'USDT', node: EVM_NODE, actions: [TOKEN_TRIGGER] },
	{ word: 'USDT', node: WITNESS_NODE, actions: [TRC20_TRIGGER, TRC20_ACTION] },
	{ word: 'TRC20', node: WITNESS_NODE, actions: [TRC20_TRIGGER, TRC20_ACTION] },
	{
		word: 'TRX',
		node: WITNESS_NODE,
		actions: ['On a payment in coins (TRX, deposit)', 'Build a transfer of coins (TRX)'],
	},
	{
		word: 'energy',
		node: WITNESS_NODE,
		actions: ['Build a delegation of energy', 'Estimate the energy of a call'],
	},
	{ word: 'sign', node: 'Chain Signer', actions: ['Sign an EVM transaction', 'Sign a message'] },
	{ word: 'sign STARK', node: 'Chain Signer', actions: ['Sign a STARK transaction'] },
	{ word: 'sign TON', node: 'Chain Signer', actions: ['Sign a TON transfer'] },
	{ word: 'IPFS', node: PIN_NODE, actions: [PIN_ACTION, 'Upload and pin JSON to IPFS'] },
	{ word: 'upload', node: PIN_NODE, actions: [PIN_ACTION] },
	{ word: 'CID', node: PIN_NODE, actions: [DOWNLOAD_ACTION] },
	{ word: 'verify', node: PIN_NODE, actions: [DOWNLOAD_ACTION] },
	{ word: 'hash', node: UTILITIES_NODE, actions: ['Compute a hash'] },
	{
		word: 'decode',
		node: UTILITIES_NODE,
		actions: ['Decode data of a contract'],
	},
	{ word: 'gRPC', node: 'Chain gRPC', actions: ['Call a gRPC method'] },
	{ word: 'deposit', node: ACTIVITY_NODE, actions: [ADDRESS_TRIGGER] },
];

/** Terms for a whole node: it has few actions, and the wanted one is among the first. */
export const NODE_WISHES: readonly SearchWish[] = [
	{ word: 'alert', node: ACTIVITY_NODE, actions: [ADDRESS_TRIGGER, TOKEN_TRIGGER] },
	{ word: 'webhook', node: ACTIVITY_NODE, actions: [ADDRESS_TRIGGER, TOKEN_TRIGGER] },
	{ word: 'watch', node: ACTIVITY_NODE, actions: [ADDRESS_TRIGGER, TOKEN_TRIGGER] },
	{ word: 'wei', node: UTILITIES_NODE, actions: ['Convert an amount'] },
	{ word: 'checksum', node: UTILITIES_NODE, actions: ['Convert an address'] },
	{ word: 'faucet', node: 'Chain Faucet', actions: ['Request testnet funds'] },
	{ word: 'simulate', node: 'Chain L2 Simulate', actions: ['Simulate transactions'] },
	{ word: 'Cairo simulation', node: 'Chain L2 Simulate', actions: ['Simulate transactions'] },
	{ word: 'toncoin', node: TON_NODE, actions: [TON_TRIGGER] },
	{ word: 'TON payment', node: TON_NODE, actions: [TON_TRIGGER, JETTON_TRIGGER] },
	{ word: 'STRK', node: STARK_NODE, actions: STARK_TRIGGERS },
	{ word: 'Starknet', node: STARK_NODE, actions: STARK_TRIGGERS },
	{ word: 'Cairo', node: STARK_NODE, actions: STARK_TRIGGERS },
];
