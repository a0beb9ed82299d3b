import { isReadMethod, isSendMethod } from '../../../../nodes/core/protocols/rpc/request';

test.each([
	'eth_accounts',
	'eth_blobBaseFee',
	'eth_blockNumber',
	'eth_chainId',
	'eth_coinbase',
	'eth_createAccessList',
	'eth_feeHistory',
	'eth_gasPrice',
	'eth_hashrate',
	'eth_maxPriorityFeePerGas',
	'eth_mining',
	'eth_protocolVersion',
	'eth_syncing',
	'debug_storageRangeAt',
	'web3_clientVersion',
	'net_version',
	'txpool_content',
	'starknet_specVersion',
	'starknet_blockHashAndNumber',
	'Filecoin.ChainHead',
	'Filecoin.StateGetActor',
	'eth_getBalance',
	'eth_call',
	'trace_filter',
])('%s is known to read: it is repeated and travels in batches', (method) => {
	expect(isReadMethod(method)).toBe(true);
	expect(isSendMethod(method)).toBe(false);
});

test.each([
	'eth_sendRawTransaction',
	'eth_getFilterChanges',
	'eth_getWork',
	'Filecoin.MpoolGetNonce',
	'getnewaddress',
	'engine_getPayloadV3',
	'callback_register',
	'eth_newFilter',
	'miner_start',
	'wallet_issueBlock',
	'requestAirdrop',
	'sui_executeTransactionBlock',
	'evm_mine',
	'personal_unlockAccount',
	'chain.unknown/Method',
])('%s is not: it is sent once, alone', (method) => {
	expect(isReadMethod(method)).toBe(false);
});
