import type { IExecuteFunctions } from 'n8n-workflow';
import {
	getPlainCredential,
	hashCells,
	InvalidInput,
	Pauses,
	runInSlices,
	type Client,
	type TonTransfer,
} from '../../../nodes/core';
import { parseTonRules } from '../../rules/tonRules';
import { describeWorstCase } from '../../rules/worstCase';
import { loadKeyLibrary } from './library';
import type { SigningRequest } from './request';
import { createRulesReader } from './rulesReader';
import { parseTonKey } from './tonKey';
import { formatTonWallets } from './tonOwnWallet';
import { signTonTransfer } from './tonSigner';

const TON_CREDENTIAL = 'chainSignerTonApi';

/** Connects the signer of the TON chain for a run. */
export async function connectTon(context: IExecuteFunctions): Promise<Client<SigningRequest>> {
	const data = await getPlainCredential(context, TON_CREDENTIAL);
	const key = parseTonKey(await loadKeyLibrary(), data);
	const rules = createRulesReader(data, parseTonRules);
	const pauses = new Pauses();
	return {
		parallelItems: 1,
		// Nothing that it signs comes from a service, which could echo the secret.
		redact: (words) => words,
		call: async (request) => {
			await pauses.takeIfDue();
			if (request.ask === 'account') return formatTonWallets(key);
			if (request.ask === 'rules') return { worst: describeWorstCase(rules()) };
			if (request.ask === 'tonTransfer') {
				await runInSlices(hashCells(listCells(request.given)));
				return signTonTransfer(rules(), key, request.given);
			}
			throw new InvalidInput(
				`${TON_CREDENTIAL} signs transfers on the TON chain only`,
				'Choose the operation Sign of TON Transfer.',
			);
		},
	};
}

/** Lists what other people's data can make large. */
function listCells({ messages }: TonTransfer) {
	return messages
		.flatMap(({ body, stateInit }) => [body, stateInit])
		.filter((cell) => cell !== null);
}
