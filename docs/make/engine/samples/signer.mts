import { TEST_ADDRESS } from '../../../../test/harness/sandbox.mts';
import type { Sample } from '../sample.mts';
import type { World } from '../world.mts';
import { createOperationRunner } from './run.mts';

const FRIEND_ADDRESS = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';

/** The transaction as Prepare returns it. */
const TRANSFER_TRANSACTION = {
	type: '0x2',
	chainId: '0x7a69',
	from: TEST_ADDRESS,
	to: FRIEND_ADDRESS,
	nonce: '0x0',
	gas: '0x5208',
	value: '0x16345785d8a0000',
	data: '0x',
	maxFeePerGas: '0x77359400',
	maxPriorityFeePerGas: '0x3b9aca00',
};

/** A vote that Chain Witness Wallet built. */
const VOTE_TRANSACTION = {
	visible: false,
	txID: '556c6a6b17f28122ad510780344baf822d3d03e33e08595bb3db519b16f1c21b',
	raw_data: {
		contract: [
			{
				parameter: {
					value: {
						owner_address: '4170997970c51812dc3a010c7d01b50e0d17dc79c8',
						votes: [{ vote_address: '41fb6916095ca1df60bb79ce92ce3ea74c37c5d359', vote_count: 5 }],
					},
					type_url: 'type.googleapis.com/protocol.VoteWitnessContract',
				},
				type: 'VoteWitnessContract',
			},
		],
		ref_block_bytes: 'ab12',
		ref_block_hash: '0123456789abcdef',
		expiration: 1700000060000,
		timestamp: 1700000000000,
	},
	raw_data_hex:
		'0a02ab1222080123456789abcdef40e0a499ffbc315a6a080412660a30747970652e676f6f676c65617069732e636f6d2f70726f746f636f6c2e566f74655769746e657373436f6e747261637412320a154170997970c51812dc3a010c7d01b50e0d17dc79c812190a1541fb6916095ca1df60bb79ce92ce3ea74c37c5d35910057080d095ffbc31',
};

const MAIL_TYPED_DATA = {
	types: {
		Mail: [
			{ name: 'to', type: 'address' },
			{ name: 'contents', type: 'string' },
		],
	},
	domain: { name: 'Example', chainId: 31337 },
	primaryType: 'Mail',
	message: { to: FRIEND_ADDRESS, contents: 'hello' },
};

export async function runSigner(world: World): Promise<Sample[]> {
	const run = createOperationRunner(world, 'signer', 'signerKey');
	const shown = (sample: Sample): Sample => ({
		...sample,
		parameters: { transaction: '{{ $json.transaction }}' },
	});
	const witness = await run('witnessTransaction.sign', {
		transaction: JSON.stringify(VOTE_TRANSACTION),
	});
	return [
		await run('account.get'),
		await run('message.sign', { message: 'I am the owner of this account' }),
		shown(await run('transaction.sign', { transaction: JSON.stringify(TRANSFER_TRANSACTION) })),
		await run('typedData.sign', { typedData: JSON.stringify(MAIL_TYPED_DATA) }),
		{ ...witness, parameters: { transaction: '{{ $json }}' } },
	];
}
