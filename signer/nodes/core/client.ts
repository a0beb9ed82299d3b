import type { IExecuteFunctions } from 'n8n-workflow';
import {
	checksumAddress,
	InvalidInput,
	createOperationTyper,
	createParameterParser,
	createParameterSource,
	type ParameterSource,
	getPlainCredential,
	Pauses,
	runInSlices,
	connectRpc,
	formatTransactionRequest,
	formatWitnessAddresses,
	type Client,
	type Connect,
	type Field,
} from '../../../nodes/core';
import { parseRules } from '../../rules/rules';
import { describeWorstCase, withoutOtherKinds } from '../../rules/worstCase';
import { accountKind, authentication } from './fields';
import { parseKey } from './keySigner';
import { loadKeyLibrary } from './library';
import {
	parseAccount,
	parseAccounts,
	authenticateRemote,
	checkAccountHeld,
	verifySigned,
} from './remoteSigner';
import type { SigningRequest } from './request';
import {
	buildAllowedTransaction,
	signAllowedTransaction,
	signMessage,
	signTypedData,
	signWitnessTransaction,
} from './signer';
import { createRulesReader } from './rulesReader';
import { connectStark } from './starkClient';
import { connectTon } from './tonClient';

export const signingOperation = createOperationTyper<SigningRequest>();

const KEY_CREDENTIAL = 'chainSignerKeyApi';
const REMOTE_CREDENTIAL = 'chainSignerRemoteApi';

/** n8n draws its menu; it is read here to know the credential. */
const resource = {
	displayName: 'Resource',
	name: 'resource',
	type: 'string',
	default: '',
} as const satisfies Field;

/** Connects one signer for a run; its credential is read once, here. */
export const connectSigner: Connect<SigningRequest> = async (context, stop) => {
	const source = createParameterSource(context);
	const chain = findOtherChain(source);
	if (chain) return await OTHER_CHAINS[chain](context);
	return createParameterParser(source, [authentication])(0).authentication === 'remote'
		? await connectRemote(context, stop)
		: await connectKey(context);
};

/** The chains of other curves, each with a credential of its own. */
const OTHER_CHAINS = { stark: connectStark, ton: connectTon } as const;

/** Other resources may have kept the kind of an account that was chosen before. */
function findOtherChain(source: ParameterSource): keyof typeof OTHER_CHAINS | undefined {
	const chosen = createParameterParser(source, [resource])(0).resource;
	if (chosen === 'starkTransaction') return 'stark';
	if (chosen === 'tonTransfer') return 'ton';
	if (chosen !== 'account') return undefined;
	const { kind } = createParameterParser(source, [accountKind])(0);
	return kind === 'stark' || kind === 'ton' ? kind : undefined;
}

async function connectKey(context: IExecuteFunctions): Promise<Client<SigningRequest>> {
	const data = await getPlainCredential(context, KEY_CREDENTIAL);
	const keys = await loadKeyLibrary();
	const key = parseKey(keys, data);
	const rules = createRulesReader(data, parseRules);
	const pauses = new Pauses();
	return {
		parallelItems: 1,
		// Nothing that a key signs comes from a service, which could echo the key; to redact it, its text would have to be kept.
		redact: (words) => words,
		call: async (request) => {
			await pauses.takeIfDue();
			switch (request.ask) {
				case 'account':
					return formatForms(key.account);
				case 'rules':
					return { worst: describeWorstCase(rules()) };
				case 'message':
					return signMessage(keys, rules(), key, request.message);
				case 'typedData':
					return await runInSlices(signTypedData(keys, rules(), key, request.typedData));
				case 'witnessTransaction':
					return signWitnessTransaction(rules(), key, request.given);
				case 'transaction': {
					const allowed = buildAllowedTransaction(keys, rules(), key.account, request.given);
					// Each of both hashes a megabyte where there is one.
					await pauses.takeIfDue();
					return signAllowedTransaction(keys, key, allowed);
				}
				case 'starkTransaction':
					throw new InvalidInput(
						'This credential does not sign on the STARK rollup',
						"Choose the credential 'Chain Signer STARK API'.",
					);
				case 'tonTransfer':
					throw new InvalidInput(
						'This credential does not sign on the TON chain',
						"Choose the credential 'Chain Signer TON API'.",
					);
			}
		},
	};
}

const connectRemote: Connect<SigningRequest> = async (context, stop) => {
	const credential = await getPlainCredential(context, REMOTE_CREDENTIAL);
	const keys = await loadKeyLibrary();
	const settings = { authenticate: authenticateRemote, credential };
	const rpc = await connectRpc(REMOTE_CREDENTIAL, settings)(context, stop);
	const account = parseAccount(credential);
	const rules = createRulesReader(credential, parseRules);
	return {
		...rpc,
		isAtMostOnce: ({ ask }) => ask === 'transaction',
		call: async (request, call) => {
			const ask = async (method: string, ...params: readonly unknown[]) =>
				await rpc.call({ path: '', method, params }, call);
			switch (request.ask) {
				case 'account':
					checkAccountHeld(account, parseAccounts(await ask('eth_accounts')));
					return formatForms(account);
				case 'rules':
					return { worst: describeWorstCase(withoutOtherKinds(rules())) };
				case 'transaction': {
					const allowed = buildAllowedTransaction(keys, rules(), account, request.given);
					return verifySigned(
						keys,
						allowed,
						await ask('eth_signTransaction', formatTransactionRequest(allowed.transaction)),
					);
				}
				default:
					throw new InvalidInput(
						'A remote signer signs EVM transactions only',
						"It is asked by eth_signTransaction. For anything else, choose 'Key' as Authentication.",
					);
			}
		},
	};
};

/** Formats the address in all forms. */
function formatForms(account: string) {
	const { base58, hex } = formatWitnessAddresses(account);
	return { evm: checksumAddress(`0x${account}`), witnessBase58: base58, witnessHex: hex };
}
