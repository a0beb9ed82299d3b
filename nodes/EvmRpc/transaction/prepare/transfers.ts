import { checksumAddress } from '../../../core/evm/address';
import { InvalidInput } from '../../../core/errors/invalidInput';
import { encodeFunctionData, parseFunction } from '../../../core/evm/abi/call';
import { planCoinTransfer } from '../../../core/evm/prepare/coins';
import { checkReceiver, type Intent } from '../../../core/evm/prepare/intent';
import { readNftStandard, type NftStandard } from '../../../core/evm/nfts';
import { parseEther } from '../../../core/values/units';
import { optionalParser, parseUint256 } from '../../../core/values/numbers';
import { InvalidValue } from '../../../core/values/parse';
import { addressField, receiver, transactionKind } from './transactionKind';
import { raise } from '../../../core/errors/raise';
import { TOKEN_ID_NAME } from '../../../fields/tokenNames';

export const coinTransfer = transactionKind({
	name: 'Coin Transfer',
	description: 'Pay in the coin of the chain',
	fields: [
		receiver,
		{
			displayName: 'Amount',
			name: 'amount',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 0.1',
			description: 'How much to pay',
			hint: 'In coins, or with the unit wei, gwei or ether',
			parse: parseEther,
		},
	],
	intent: planCoinTransfer,
});

const ERC721_TRANSFER_FUNCTION = parseFunction(
	'safeTransferFrom(address from, address to, uint256 tokenId)',
);
const ERC1155_TRANSFER_FUNCTION = parseFunction(
	'safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes data)',
);

export const nftTransfer = transactionKind({
	name: 'NFT Transfer',
	description: 'Transfer a token of an ERC-721 or ERC-1155 contract',
	fields: [
		receiver,
		{
			displayName: 'Token ID',
			name: TOKEN_ID_NAME,
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 1234',
			description: 'The ID of the token in the contract, decimal or 0x-hex',
			parse: parseUint256,
		},
		{
			displayName: 'Quantity',
			name: 'quantity',
			type: 'string',
			default: '1',
			placeholder: 'e.g. 1',
			description: 'How many units of the token to transfer; always 1 for ERC-721',
			parse: (given: unknown) => {
				const quantity = optionalParser(parseUint256)(given) ?? 1n;
				return quantity > 0n ? quantity : raise(new InvalidValue('1 or more'));
			},
		},
		{
			...addressField,
			displayName: 'NFT Contract',
			name: 'contract',
			placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
			description: 'The address of the ERC-721 or ERC-1155 contract',
		},
	],
	intent: (p, context) => {
		checkReceiver('To', p.to, context, p.contract);
		return async (reader) =>
			buildNftTransfer(p, context.from, await readNftStandard(reader, p.contract, p.tokenId));
	},
});

interface NftTransferInputs {
	readonly contract: string;
	readonly tokenId: bigint;
	readonly to: string;
	readonly quantity: bigint;
}

function buildNftTransfer(p: NftTransferInputs, from: string, standard: NftStandard): Intent {
	const args = [from, p.to, p.tokenId];
	const isSingle = standard === 'ERC-721';
	if (isSingle && p.quantity !== 1n) throw quantityNotOneError(p.quantity);
	const data = isSingle
		? encodeFunctionData(ERC721_TRANSFER_FUNCTION, args)
		: encodeFunctionData(ERC1155_TRANSFER_FUNCTION, [...args, p.quantity, '0x']);
	const what = `${isSingle ? '' : `${p.quantity} of `}the NFT ${p.tokenId} of the contract ${checksumAddress(p.contract)}`;
	const sentence = `Send ${what} (${standard}) to ${checksumAddress(p.to)}`;
	return { sentence, to: p.contract, value: 0n, data, isCall: true };
}

function quantityNotOneError(quantity: bigint): InvalidInput {
	return new InvalidInput(
		`'Quantity' must be 1 for an ERC-721 token, which exists only once; got ${quantity}`,
		'There is one of each token in an ERC-721 contract.',
	);
}
