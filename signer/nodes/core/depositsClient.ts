import type { IExecuteFunctions } from 'n8n-workflow';
import { getPlainCredential, Pauses } from '../../../nodes/core';
import type { DepositRules } from '../../rules/depositRules';
import { openDepositsSigner, type SweptRequest } from './depositsSigner';

/** A request to the key of deposit addresses. */
export type DepositsRequest =
	| { readonly kind: 'rules' }
	| { readonly kind: 'account'; readonly index: number }
	| { readonly kind: 'check' | 'sign'; readonly index: number; readonly given: SweptRequest };

/** The client of the key of deposit addresses during one run. */
export interface DepositsClient {
	call(request: DepositsRequest): Promise<object | string | undefined>;
}

export const DEPOSITS_CREDENTIAL = 'chainSignerDepositsApi';

/**
 * Connects the key of deposit addresses, and reads its credential once. Calls pause now and then, because deriving a key takes a
 * millisecond.
 */
export async function connectDeposits(context: IExecuteFunctions): Promise<DepositsClient> {
	const signer = await openDepositsSigner(await getPlainCredential(context, DEPOSITS_CREDENTIAL));
	const pauses = new Pauses();
	return {
		call: async (request) => {
			await pauses.takeIfDue();
			switch (request.kind) {
				case 'rules':
					return signer.getRules() satisfies DepositRules;
				case 'account':
					return signer.getAccount(request.index);
				case 'check':
					return signer.check(request.index, request.given) ?? undefined;
				case 'sign':
					return await signer.sign(request.index, request.given);
			}
		},
	};
}
