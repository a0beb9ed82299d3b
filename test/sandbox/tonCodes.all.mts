import { jettonMinterCode } from '@ton-community/assets-sdk/dist/jetton/contracts/build/jetton-minter.js';
import { jettonWalletCode } from '@ton-community/assets-sdk/dist/jetton/contracts/build/jetton-wallet.js';
import { nftCollectionEditableCode } from '@ton-community/assets-sdk/dist/nft/contracts/build/nft-collection-editable.js';
import { nftItemCode } from '@ton-community/assets-sdk/dist/nft/contracts/build/nft-item.js';
import { CODES_BASE64 } from '../../sandbox/apis/ton/codes.mts';

test('the contracts of the sandbox are those that their publishers compile', () => {
	expect(CODES_BASE64).toEqual({
		jettonMaster: jettonMinterCode.codeBoc,
		jettonWallet: jettonWalletCode.codeBoc,
		nftCollection: nftCollectionEditableCode.codeBoc,
		nftItem: nftItemCode.codeBoc,
	});
});
