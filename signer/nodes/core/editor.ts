import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import {
	checksummed,
	inOneLine,
	InvalidInput,
	networkFailure,
	RequestFailure,
	secretsOf,
	sendTest,
	tryParseJson,
	isRecord,
	witnessForms,
	type HttpRequest,
} from '../../../nodes/core';
import { ChainSignerRemoteApi } from '../../credentials/ChainSignerRemoteApi.credentials';
import { rulesOf } from '../../rules/rules';
import { keyIn } from './keySigner';
import { loadKeys } from './library';
import { accountIn, accountsIn, authenticate, checkHeld } from './remoteSigner';

/** By the names in `testedBy`. */
export const credentialTest = { signerKey, signerRemote };

type Test = Promise<INodeCredentialTestResult>;

/** Asks nobody. */
async function signerKey(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Test {
	return await told(async () => {
		const { account } = keyIn(await loadKeys(), data);
		rulesOf(data);
		return account;
	});
}

async function signerRemote(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Test {
	const { redact } = secretsOf(new ChainSignerRemoteApi().properties, data);
	return await told(async () => {
		const account = accountIn(data);
		rulesOf(data);
		checkHeld(account, await heldBy(this, data));
		return account;
	}, redact);
}

const ACCOUNTS: HttpRequest = {
	method: 'POST',
	path: '',
	body: { jsonrpc: '2.0', method: 'eth_accounts', params: [], id: 1 },
	timeout: 10_000,
};

async function heldBy(context: ICredentialTestFunctions, data: ICredentialDataDecryptedObject) {
	const { status, text } = await sendTest(context, authenticate, data, ACCOUNTS).catch(
		async (error: unknown) => await Promise.reject(networkFailure(error, ACCOUNTS)),
	);
	if (status === 401 || status === 403) {
		throw new RequestFailure(
			data.username
				? 'The signer refused the username or the password'
				: 'The signer wants a username and a password',
		);
	}
	const answer = tryParseJson(text);
	return accountsIn(isRecord(answer) ? answer.result : undefined);
}

async function told(test: () => Promise<string>, redact = (text: string) => text): Test {
	try {
		const account = await test();
		const { base58 } = witnessForms(account);
		return { status: 'OK', message: `Signs for ${checksummed(account)}, which is ${base58}` };
	} catch (error) {
		return { status: 'Error', message: redact(wordsOf(error)) };
	}
}

function wordsOf(error: unknown): string {
	if (error instanceof InvalidInput) return inOneLine(error);
	return error instanceof RequestFailure ? error.message : 'The credential could not be tested';
}
