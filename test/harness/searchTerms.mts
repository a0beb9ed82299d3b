/** A search term of users, the node that they look for, and the actions of the node that they want. */
interface SearchWish {
	readonly word: string;
	readonly node: string;
	readonly actions: readonly string[];
}

const EVM_NODE = 'Chain EVM RPC';
const PREPARE_ACTION = 'Prepare to pay, mint, deploy, speed up (stuck)';
const TOKEN_TRIGGER = 'On token transfer (payment, USDC, USDT)';
const TOKEN_TRANSFERS_ACTION = 'Find token transfers, such as payments';
const NFT_TRIGGER = 'On NFT transfer or mint';
const NFT_ACTION = 'Get NFT owner and metadata';
const WITNESS_NODE = 'Chain Witness Wallet';
const FREEZE_ACTION = 'Build freeze of coins to stake';
const PIN_NODE = 'Chain IPFS Pin';
const PIN_ACTION = 'Upload and pin file to IPFS';
const DOWNLOAD_ACTION = 'Download file, verify its CID (IPFS)';
const TON_NODE = 'Chain TON';
const TON_TRIGGER = 'On payment in coins (invoice, comment)';
const JETTON_TRIGGER = 'On payment in jettons (USDT, token)';
const TON_PREPARE_ACTION = 'Prepare to pay coins, jettons (USDT) or NFTs';
const TRC20_TRIGGER = 'On token payment (TRC-20, USDT)';
const TRC20_ACTION = 'Build token transfer (TRC-20, USDT)';
const STARK_NODE = 'Chain STARK';
const STARK_TRIGGERS = ['On contract event', 'On token transfer (ERC-20, payment)'];
const UTILITIES_NODE = 'Chain Utilities';
const ACTIVITY_NODE = 'Chain Activity';
const ADDRESS_TRIGGER = 'On activity of address (wallet, deposit)';

/** Terms that the actions contain. */
export const ACTION_WISHES: readonly SearchWish[] = [
	{ word: 'pay', node: EVM_NODE, actions: [PREPARE_ACTION] },
	{ word: 'send', node: EVM_NODE, actions: ['Send signed transaction'] },
	{ word: 'transfer', node: EVM_NODE, actions: [TOKEN_TRIGGER, TOKEN_TRANSFERS_ACTION] },
	{ word: 'payment', node: EVM_NODE, actions: [TOKEN_TRIGGER, TOKEN_TRANSFERS_ACTION] },
	{ word: 'mint', node: EVM_NODE, actions: [PREPARE_ACTION, NFT_TRIGGER] },
	{ word: 'deploy', node: EVM_NODE, actions: [PREPARE_ACTION] },
	{
		word: 'log',
		node: EVM_NODE,
		actions: ['On contract event (log)', 'Find events and logs'],
	},
	{ word: 'allowance', node: EVM_NODE, actions: ['Get allowance of token'] },
	{
		word: 'balance',
		node: EVM_NODE,
		actions: ['Get balance of account', 'Get token balance of account'],
	},
	{ word: 'balance', node: TON_NODE, actions: ['Get account, its balance and wallet'] },
	{ word: 'balance', node: WITNESS_NODE, actions: ['Get account, its balance and votes'] },
	{ word: 'balance', node: STARK_NODE, actions: ['Get token balance of account'] },
	{ word: 'portfolio', node: EVM_NODE, actions: ['Get many token balances, such as portfolio'] },
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
	{ word: 'ENS', node: EVM_NODE, actions: ['Resolve ENS name to address'] },
	{ word: 'simulate', node: EVM_NODE, actions: ['Simulate before you sign'] },
	{ word: 'price', node: EVM_NODE, actions: ['Get price from feed'] },
	{ word: 'gas', node: EVM_NODE, actions: ['Get gas price and fees'] },
	{ word: 'nonce', node: EVM_NODE, actions: ['Get nonce of account'] },
	{ word: 'block', node: EVM_NODE, actions: ['Get block', 'On new block'] },
	{
		word: 'event',
		node: EVM_NODE,
		actions: ['On contract event (log)', 'Find events and logs'],
	},
	{ word: 'contract', node: EVM_NODE, actions: ['Read from smart contract'] },
	{ word: 'receipt', node: EVM_NODE, actions: ['Get receipt of transaction'] },
	{ word: 'confirm', node: EVM_NODE, actions: ['Wait for transaction to confirm'] },
	{ word: 'verify', node: EVM_NODE, actions: ['Verify signature'] },
	{ word: 'x402', node: EVM_NODE, actions: ['Verify payment over HTTP (x402)'] },
	{ word: 'mempool', node: EVM_NODE, actions: ['On pending transaction (mempool)'] },
	{ word: 'vote', node: WITNESS_NODE, actions: ['Build vote for witnesses'] },
	{ word: 'stake', node: WITNESS_NODE, actions: [FREEZE_ACTION] },
	{ word: 'freeze', node: WITNESS_NODE, actions: [FREEZE_ACTION] },
	{
		word: 'jetton',
		node: TON_NODE,
		actions: ['Get jetton, its supply and decimals', 'Get jetton balance'],
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
		actions: ['On payment in coins (TRX, deposit)', 'Build transfer of coins (TRX)'],
	},
	{
		word: 'energy',
		node: WITNESS_NODE,
		actions: ['Build delegation of energy', 'Estimate energy of call'],
	},
	{ word: 'sign', node: 'Chain Signer', actions: ['Sign EVM transaction', 'Sign message'] },
	{ word: 'sign STARK', node: 'Chain Signer', actions: ['Sign STARK transaction'] },
	{ word: 'sign TON', node: 'Chain Signer', actions: ['Sign TON transfer'] },
	{ word: 'IPFS', node: PIN_NODE, actions: [PIN_ACTION, 'Upload and pin JSON to IPFS'] },
	{ word: 'upload', node: PIN_NODE, actions: [PIN_ACTION] },
	{ word: 'CID', node: PIN_NODE, actions: [DOWNLOAD_ACTION] },
	{ word: 'verify', node: PIN_NODE, actions: [DOWNLOAD_ACTION] },
	{ word: 'hash', node: UTILITIES_NODE, actions: ['Compute hash'] },
	{
		word: 'decode',
		node: UTILITIES_NODE,
		actions: ['Decode data of contract'],
	},
	{ word: 'gRPC', node: 'Chain gRPC', actions: ['Call gRPC method'] },
	{ word: 'deposit', node: ACTIVITY_NODE, actions: [ADDRESS_TRIGGER] },
];

/** Search terms that lead to a whole node with few actions. The wanted action must be among the first. */
export const NODE_WISHES: readonly SearchWish[] = [
	{ word: 'alert', node: ACTIVITY_NODE, actions: [ADDRESS_TRIGGER, TOKEN_TRIGGER] },
	{ word: 'webhook', node: ACTIVITY_NODE, actions: [ADDRESS_TRIGGER, TOKEN_TRIGGER] },
	{ word: 'watch', node: ACTIVITY_NODE, actions: [ADDRESS_TRIGGER, TOKEN_TRIGGER] },
	{ word: 'wei', node: UTILITIES_NODE, actions: ['Convert amount'] },
	{ word: 'checksum', node: UTILITIES_NODE, actions: ['Convert address'] },
	{ word: 'faucet', node: 'Chain Faucet', actions: ['Request testnet funds'] },
	{ word: 'simulate', node: 'Chain L2 Simulate', actions: ['Simulate transactions'] },
	{ word: 'Cairo simulation', node: 'Chain L2 Simulate', actions: ['Simulate transactions'] },
	{ word: 'toncoin', node: TON_NODE, actions: [TON_TRIGGER] },
	{ word: 'TON payment', node: TON_NODE, actions: [TON_TRIGGER, JETTON_TRIGGER] },
	{ word: 'STRK', node: STARK_NODE, actions: STARK_TRIGGERS },
	{ word: 'Starknet', node: STARK_NODE, actions: STARK_TRIGGERS },
	{ word: 'Cairo', node: STARK_NODE, actions: STARK_TRIGGERS },
];
