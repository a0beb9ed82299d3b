import { sleep, type IExecuteFunctions } from 'n8n-workflow';
import { getPlainCredential, InvalidInput, type Client } from '../../../nodes/core';
import { parseStarkRules } from '../../rules/starkRules';
import { describeWorstCase } from '../../rules/worstCase';
import type { SigningRequest } from './request';
import { createRulesReader } from './rulesReader';
import { formatStarkAccount, openStarkAccount } from './starkAccount';
import { signStarkInvoke } from './starkSigner';

const STARK_CREDENTIAL = 'chainSignerStarkApi';

/** Connects the signer of STARK rollups for a run. */
export async function connectStark(context: IExecuteFunctions): Promise<Client<SigningRequest>> {
	const data = await getPlainCredential(context, STARK_CREDENTIAL);
	const account = await openStarkAccount(data);
	const rules = createRulesReader(data, parseStarkRules);
	return {
		parallelItems: 1,
		// Nothing that it signs comes from a service, which could echo the key.
		redact: (words) => words,
		call: async (request) => {
			// Each hash takes several milliseconds of n8n's time.
			await sleep(0);
			if (request.ask === 'account') return formatStarkAccount(account);
			if (request.ask === 'rules') return { worst: describeWorstCase(rules()) };
			if (request.ask === 'starkTransaction') {
				return await signStarkInvoke(rules(), account, request.given);
			}
			throw new InvalidInput(
				`${STARK_CREDENTIAL} signs transactions of STARK rollups only`,
				'Choose the operation Sign of STARK Transaction.',
			);
		},
	};
}
