import {
	connectRpc,
	formatTransactionRequest,
	getPlainCredential,
	InvalidInput,
	type Connect,
	type ParsedEvmTransaction,
} from '../../../nodes/core';
import { parseSecp256k1Rules } from '../../rules/rules';
import { checkDecimals } from '../../rules/decimals';
import { judgeDerived } from '../../rules/recipients';
import { describeWorstTransactions } from '../../rules/worstCase';
import { formatForms } from './keySigner';
import { loadKeyLibrary } from './library';
import {
	authenticateRemote,
	checkAccountHeld,
	parseAccount,
	parseAccounts,
	verifySigned,
} from './remoteSigner';
import type { Payers, SigningRequest } from './request';
import { createRulesReader } from './localSigner';
import { buildAllowedTransaction } from './secp256k1Signer';

const REMOTE_CREDENTIAL = 'chainSignerRemoteApi';

/** Connects a signer that keeps its key outside n8n. */
export const connectRemote: Connect<SigningRequest> = async (context, stop) => {
	const credential = await getPlainCredential(context, REMOTE_CREDENTIAL);
	const keys = await loadKeyLibrary();
	const settings = { authenticate: authenticateRemote, credential };
	const rpc = await connectRpc(REMOTE_CREDENTIAL, settings)(context, stop);
	const account = parseAccount(credential);
	const getRules = createRulesReader(credential, parseSecp256k1Rules);
	const allow = async (given: ParsedEvmTransaction) =>
		await judgeDerived(() => buildAllowedTransaction(keys, getRules(), account, given));
	return {
		...rpc,
		isAtMostOnce: ({ kind }) => kind === 'transaction',
		call: async (request, call) => {
			const ask = async (method: string, ...params: readonly unknown[]) =>
				await rpc.call({ path: '', method, params }, call);
			switch (request.kind) {
				case 'account':
					checkAccountHeld(account, parseAccounts(await ask('eth_accounts')));
					return formatForms(account);
				case 'payers':
					return { accounts: [`0x${account}`] } satisfies Payers;
				case 'check':
					if (request.given.kind !== 'transaction') throw unsignedError();
					await allow(request.given.given);
					return checkDecimals(getRules(), request.counted);
				case 'rules':
					return { worst: describeWorstTransactions(getRules()) };
				case 'transaction': {
					const allowed = await allow(request.given);
					return verifySigned(
						keys,
						allowed,
						await ask('eth_signTransaction', formatTransactionRequest(allowed.transaction)),
					);
				}
				default:
					throw unsignedError();
			}
		},
	};
};

function unsignedError(): InvalidInput {
	return new InvalidInput(
		'A remote signer signs EVM transactions only',
		"It is asked by eth_signTransaction. For anything else, choose 'Key' as Authentication.",
	);
}
