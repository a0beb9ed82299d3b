import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';
import {
	catching,
	checksumAddress,
	formatInOneLine,
	parseCredential,
	InvalidInput,
	networkError,
	RequestFailure,
	createRedactor,
	sendTestRequest,
	tryParseJson,
	isRecord,
	formatWitnessAddresses,
	type HttpRequest,
} from '../../../nodes/core';
import { ChainSignerRemoteApi } from '../../credentials/ChainSignerRemoteApi.credentials';
import { parseDepositRules } from '../../rules/depositRules';
import { parseSecp256k1Rules } from '../../rules/rules';
import { parseStarkRules } from '../../rules/starkRules';
import { parseTonRules } from '../../rules/tonRules';
import { describeWorstCase, describeWorstTransactions } from '../../rules/worstCase';
import { openDepositsAccount } from './depositsSigner';
import { parseKey } from './keySigner';
import { loadKeyLibrary } from './library';
import { formatStarkAccount, openStarkAccount } from './starkSigner';
import { parseTonKey } from './tonKey';
import { formatTonWallets } from './tonOwnWallet';
import { parseAccount, parseAccounts, authenticateRemote, checkAccountHeld } from './remoteSigner';

/** The tests of credentials, by the names that credentials give in `testedBy`. */
export const credentialTest = {
	signerDeposits: testSignerDeposits,
	signerKey: testSignerKey,
	signerRemote: testSignerRemote,
	signerStark: testSignerStark,
	signerTon: testSignerTon,
};

type TestResult = Promise<INodeCredentialTestResult>;

/** Tests the key without sending anything. */
async function testSignerKey(
	this: ICredentialTestFunctions,
	{ data: given = {} }: ICredentialsDecrypted,
): TestResult {
	return await runTest(async () => {
		const data = parseCredential(given);
		const { account } = parseKey(await loadKeyLibrary(), data);
		return formatTested(account, describeWorstCase(parseSecp256k1Rules(data)));
	});
}

/** Tests the key without sending anything. */
async function testSignerDeposits(
	this: ICredentialTestFunctions,
	{ data: given = {} }: ICredentialsDecrypted,
): TestResult {
	return await runTest(async () => {
		const data = parseCredential(given);
		const { evm, path, witnessBase58 } = (await openDepositsAccount(data)).formatAccount();
		const worst = describeWorstCase(parseDepositRules(data));
		return `The address ${path} is ${evm}, which is ${witnessBase58}. ${worst}`;
	});
}

async function testSignerRemote(
	this: ICredentialTestFunctions,
	{ data: given = {} }: ICredentialsDecrypted,
): TestResult {
	const data = catching(InvalidInput, () => parseCredential(given));
	if (data instanceof InvalidInput) return { status: 'Error', message: formatError(data) };
	const { redact } = createRedactor(new ChainSignerRemoteApi().properties, data);
	return await runTest(async () => {
		const account = parseAccount(data);
		const worst = describeWorstTransactions(parseSecp256k1Rules(data));
		checkAccountHeld(account, await fetchAccounts(this, data));
		return formatTested(account, worst);
	}, redact);
}

/** Tests the secret without sending anything. */
async function testSignerTon(
	this: ICredentialTestFunctions,
	{ data: given = {} }: ICredentialsDecrypted,
): TestResult {
	return await runTest(async () => {
		const data = parseCredential(given);
		const key = parseTonKey(await loadKeyLibrary(), data);
		const { v3r2, v4r2, v5r1, v5r1Test } = formatTonWallets(key);
		const rules = parseTonRules(data);
		return `The wallets of this key are ${v5r1} (v5r1), ${v4r2} (v4r2), ${v3r2} (v3r2) and, on the test network, ${v5r1Test} (v5r1). Transfers of ${rules.walletType} are signed. ${describeWorstCase(rules)}`;
	});
}

/** Tests the key without sending anything. It cannot test whether the account has this key, which only the chain knows. */
async function testSignerStark(
	this: ICredentialTestFunctions,
	{ data: given = {} }: ICredentialsDecrypted,
): TestResult {
	return await runTest(async () => {
		const data = parseCredential(given);
		const { address, publicKey } = formatStarkAccount(await openStarkAccount(data));
		return `Signs for ${address} by the public key ${publicKey}. ${describeWorstCase(parseStarkRules(data))}`;
	});
}

const ACCOUNTS_REQUEST: HttpRequest = {
	method: 'POST',
	path: '',
	body: { jsonrpc: '2.0', method: 'eth_accounts', params: [], id: 1 },
	timeout: 10_000,
};

async function fetchAccounts(
	context: ICredentialTestFunctions,
	data: ICredentialDataDecryptedObject,
) {
	const { status, text } = await sendTestRequest(
		context,
		authenticateRemote,
		data,
		ACCOUNTS_REQUEST,
	).catch((error: unknown) => {
		throw networkError(error, ACCOUNTS_REQUEST);
	});
	if (status === 401 || status === 403) {
		throw new RequestFailure(
			data.username
				? 'The signer refused the username or the password'
				: 'The signer wants a username and a password',
		);
	}
	const answer = tryParseJson(text);
	return parseAccounts(isRecord(answer) ? answer.result : undefined);
}

function formatTested(account: string, worst: string): string {
	const { base58 } = formatWitnessAddresses(account);
	return `Signs for ${checksumAddress(`0x${account}`)}, which is ${base58}. ${worst}`;
}

/** Runs the test of a credential. n8n's form shows the message of a failure, but not the message of a success. */
async function runTest(test: () => Promise<string>, redact = (text: string) => text): TestResult {
	try {
		return { status: 'OK', message: await test() };
	} catch (error) {
		return { status: 'Error', message: redact(formatError(error)) };
	}
}

function formatError(error: unknown): string {
	if (error instanceof InvalidInput) return formatInOneLine(error);
	return error instanceof RequestFailure ? error.message : 'The credential could not be tested';
}
