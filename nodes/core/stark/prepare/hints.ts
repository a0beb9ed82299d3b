import { decodeShortString } from '../felts';

const TEST_CHAIN = 'SN_SEPOLIA';

export function findTestChainHint(chainId: bigint): string | undefined {
	return decodeShortString(chainId) === TEST_CHAIN
		? `The chain is a test network, ${TEST_CHAIN}: payments there are worth nothing.`
		: undefined;
}
