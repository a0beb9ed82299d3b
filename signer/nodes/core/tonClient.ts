import { sleep, type IExecuteFunctions } from 'n8n-workflow';
import { getPlainCredential, InvalidInput, type Client } from '../../../nodes/core';
import { parseTonRules } from '../../rules/tonRules';
import { describeTonWorst } from '../../rules/tonWorst';
import { loadKeyLibrary } from './library';
import type { SigningRequest } from './request';
import { createRulesReader } from './rulesReader';
import { parseTonKey } from './tonKey';
import { formatTonWallets } from './tonOwnWallet';
import { signTonTransfer } from './tonSigner';

const TON_CREDENTIAL = 'chainSignerTonApi';

/** After this many signatures n8n gets a turn: each takes a few milliseconds of its time. */
const SIGNATURES_PER_TICK = 5;

/** Connects the signer of the TON chain for a run. */
export async function connectTon(context: IExecuteFunctions): Promise<Client<SigningRequest>> {
	const data = await getPlainCredential(context, TON_CREDENTIAL);
	const key = parseTonKey(await loadKeyLibrary(), data);
	const rules = createRulesReader(data, parseTonRules);
	let signed = 0;
	return {
		parallelItems: 1,
		// Nothing that it signs comes from a service, which could echo the secret.
		redact: (words) => words,
		call: async (request) => {
			if (++signed % SIGNATURES_PER_TICK === 0) await sleep(0);
			if (request.ask === 'account') return formatTonWallets(key);
			if (request.ask === 'rules') return { worst: describeTonWorst(rules()) };
			if (request.ask === 'tonTransfer') return signTonTransfer(rules(), key, request.given);
			throw new InvalidInput(
				`${TON_CREDENTIAL} signs transfers on the TON chain only`,
				'Choose the operation Sign of TON Transfer.',
			);
		},
	};
}
