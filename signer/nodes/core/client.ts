import { sleep } from 'n8n-workflow';
import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';
import {
	attempt,
	checksummed,
	InvalidInput,
	operationOf,
	parameterReader,
	parameterSource,
	readCredential,
	rpcClient,
	serialized,
	signable,
	witnessForms,
	type Client,
	type Connect,
} from '../../../nodes/core';
import { rulesOf, type Rules } from '../../rules/rules';
import { authentication } from './fields';
import { keyIn } from './keySigner';
import { loadKeys } from './library';
import { accountIn, accountsIn, authenticate, checkHeld, verified } from './remoteSigner';
import type { SigningRequest } from './request';
import {
	allowedTransaction,
	signedMessage,
	signedTransaction,
	signedTypedData,
	signedWitnessTransaction,
} from './signer';

export const signing = operationOf<SigningRequest>();

export const KEY = 'chainSignerKeyApi';
export const REMOTE = 'chainSignerRemoteApi';

/** One signer for a run; its credential is read once, here. */
export const signerClient: Connect<SigningRequest> = async (context, stop) => {
	const chosen = parameterReader(parameterSource(context), [authentication])(0);
	return chosen.authentication === 'remote'
		? await remoteClient(context, stop)
		: await keyClient(context);
};

/** How many are signed before n8n gets its turn: each takes about a millisecond of its time. */
const AT_ONCE = 20;

async function keyClient(context: IExecuteFunctions): Promise<Client<SigningRequest>> {
	const data = await readCredential(context, KEY);
	const keys = await loadKeys();
	const key = keyIn(keys, data);
	const rules = rulesIn(data);
	let signed = 0;
	return {
		width: 1,
		// Nothing that a key signs comes from a service, which could echo it; to look for its text, it would have to be kept.
		redact: (words) => words,
		call: async (request) => {
			if (++signed % AT_ONCE === 0) await sleep(0);
			switch (request.ask) {
				case 'account':
					return formsOf(key.account);
				case 'message':
					return signedMessage(keys, rules(), key, request.message);
				case 'typedData':
					return signedTypedData(keys, rules(), key, request.typedData);
				case 'witnessTransaction':
					return signedWitnessTransaction(keys, rules(), key, request.given);
				case 'transaction': {
					const allowed = allowedTransaction(keys, rules(), key.account, request.given);
					return signedTransaction(keys, allowed, key.sign(keys.keccak256(serialized(allowed))));
				}
			}
		},
	};
}

const remoteClient: Connect<SigningRequest> = async (context, stop) => {
	const data = await readCredential(context, REMOTE);
	const keys = await loadKeys();
	const rpc = await rpcClient(REMOTE, authenticate)(context, stop);
	const account = accountIn(data);
	const rules = rulesIn(data);
	return {
		...rpc,
		isNonIdempotent: ({ ask }) => ask === 'transaction',
		call: async (request, call) => {
			const ask = async (method: string, ...params: readonly unknown[]) =>
				await rpc.call({ path: '', method, params }, call);
			switch (request.ask) {
				case 'account':
					checkHeld(account, accountsIn(await ask('eth_accounts')));
					return formsOf(account);
				case 'transaction': {
					const allowed = allowedTransaction(keys, rules(), account, request.given);
					return verified(keys, allowed, await ask('eth_signTransaction', signable(allowed)));
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

/** Read at once: nothing holds the credential for longer. One that can't be read refuses each item. */
function rulesIn(data: ICredentialDataDecryptedObject): () => Rules {
	const read = attempt(InvalidInput, () => rulesOf(data));
	return () => {
		if (read instanceof InvalidInput) throw read;
		return read;
	};
}

/** The address in all forms. */
function formsOf(account: string) {
	const { base58, hex } = witnessForms(account);
	return { evm: checksummed(account), witnessBase58: base58, witnessHex: hex };
}
