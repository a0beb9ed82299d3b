import {
	computeMaxFee,
	ETHER_DECIMALS,
	formatUnits,
	type UnsignedTransaction,
} from '../../nodes/core';
import { decodeContractCall } from './contractCalls';
import { decodePayment, type CallEffects, type Effects } from './effects';

/** Decodes what an EVM transaction does. Its addresses and its data are in lower case. */
export function decodeEvmTransaction(transaction: UnsignedTransaction): Effects {
	const { chainId, from, nonce, to, value } = transaction;
	const fee = computeMaxFee(transaction);
	const coins = formatUnits(value, ETHER_DECIMALS);
	return {
		own: from,
		chain: { id: chainId, wants: `the transaction is for chain ${chainId}` },
		nonce,
		expiry: undefined,
		coins: { amount: value, wants: `the transaction sends ${coins} coins` },
		fee: {
			amount: fee,
			wants: `the transaction offers a fee of ${formatUnits(fee, ETHER_DECIMALS)} coins`,
		},
		...(to === undefined && {
			deployment: {
				amount: value,
				wants: `the contract that is deployed would receive ${coins} coins`,
			},
		}),
		...decodeOutflow(transaction),
	};
}

function decodeOutflow({ from, to, data, value }: UnsignedTransaction): CallEffects {
	if (to === undefined) return { calls: [], moves: [], approvals: [] };
	return data === '0x' ? decodePayment(to) : decodeContractCall({ from, to, data, value });
}
