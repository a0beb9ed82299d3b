import { Faucet } from '../../nodes/Faucet/Faucet.node';
import { IpfsPin } from '../../nodes/IpfsPin/IpfsPin.node';
import { TonFee } from '../../nodes/TonFee/TonFee.node';
import { HASH_OF_SENT } from './mark.mts';
import { address, evm, rpc, wallet, ZERO, type Operation } from './operation.mts';

const pin = { id: 'PIN-1', cid: 'bafy' };
const paid = { url: `https://example.com/tx/${ZERO}` };

/** A signed legacy transaction of sufficient length. */
const signed = '={{ "0xf86b" + "00".repeat(40) + $json.mark }}';
const toBroadcast =
	'={{ ({ txID: $json.mark + "0".repeat(24), raw_data: {}, raw_data_hex: "00", signature: ["00"] }) }}';

export const spending: readonly Operation[] = [
	{
		name: 'Faucet: request',
		node: () => new Faucet(),
		credential: 'platform',
		travels: 'once',
		parameters: { operation: 'request', chain: 'sepolia', address },
		answer: paid,
	},
	{
		name: 'IPFS: upload a file',
		node: () => new IpfsPin(),
		credential: 'platform',
		travels: 'once',
		parameters: { operation: 'upload', bucketId: 'BUCK-1' },
		answer: pin,
	},
	{
		name: 'IPFS: upload JSON',
		node: () => new IpfsPin(),
		credential: 'platform',
		travels: 'once',
		parameters: { operation: 'uploadJson', bucketId: 'BUCK-1', json: '={{ $json }}' },
		answer: pin,
	},
	{
		name: 'Witness: broadcast',
		...wallet({ operation: 'broadcast', transaction: toBroadcast }, { result: true }, 'once'),
	},
	{
		name: 'Witness: call any method',
		...wallet(
			{
				resource: 'api',
				operation: 'request',
				path: 'wallet/anything',
				body: '={{ JSON.stringify({ value: $json.mark }) }}',
			},
			{ done: true },
			'once',
		),
		takesAny: true,
	},
	{
		name: 'TON: call any method by POST',
		node: () => new TonFee(),
		credential: 'token',
		travels: 'once',
		parameters: {
			resource: 'api',
			operation: 'request',
			httpMethod: 'POST',
			path: 'message',
			body: '={{ JSON.stringify({ boc: $json.mark }) }}',
		},
		answer: { message_hash: 'hash' },
		takesAny: true,
	},
	{
		name: 'EVM: raw transaction by any method',
		...evm(rpc('eth_sendRawTransaction'), ZERO, 'onceOverRpc'),
	},
	{
		name: 'EVM: send a transaction',
		...evm(
			{ resource: 'transaction', operation: 'send', signedTransaction: signed },
			HASH_OF_SENT,
			'onceOverRpc',
		),
	},
	{ name: 'EVM: a method unknown to the node', ...evm(rpc('evm_mine'), '0x0', 'onceOverRpc') },
];
