import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import {
	encodeFelt,
	formatBounds,
	formatFelt,
	InvalidInput,
	INVOKE_VERSION,
	runInSlices,
	type Pauses,
	type StarkInvoke,
} from '../../../nodes/core';
import { judge } from '../../rules/judge';
import type { Policy } from '../../rules/policy';
import { decodeStarkInvoke } from '../../rules/stark';
import { parseStarkRules } from '../../rules/starkRules';
import type { LocalSigner } from './localSigner';
import { createRulesReader } from './rulesReader';
import { checkSender } from './sender';
import { formatStarkAccount, openStarkAccount, type StarkAccount } from './starkAccount';
import { computeInvokeHash } from './starkHash';

/** Opens the signer of STARK rollups. */
export async function openStarkSigner(data: ICredentialDataDecryptedObject): Promise<LocalSigner> {
	const account = await openStarkAccount(data);
	const getRules = createRulesReader(data, parseStarkRules);
	return {
		formatAccount: () => formatStarkAccount(account),
		getPayers: () => ({ accounts: [formatFelt(account.address)] }),
		getRules,
		check: async (request) => {
			if (request.kind !== 'starkTransaction') throw otherChainError();
			checkStarkInvoke(getRules(), account, request.given);
		},
		sign: async (request, pauses) => {
			if (request.kind !== 'starkTransaction') throw otherChainError();
			return await signStarkInvoke(getRules(), account, request.given, pauses);
		},
	};
}

function otherChainError(): InvalidInput {
	return new InvalidInput(
		'chainSignerStarkApi signs transactions of STARK rollups only',
		'Choose the operation Sign of STARK Transaction.',
	);
}

/** Signs the hash of the fields of the transaction, after all rules have allowed it. */
async function signStarkInvoke(
	policy: Policy,
	account: StarkAccount,
	invoke: StarkInvoke,
	pauses: Pauses,
) {
	checkStarkInvoke(policy, account, invoke);
	// The rules may decode many calls, and each hash takes several milliseconds of n8n's time.
	await pauses.takeIfDue();
	const hash = await runInSlices(computeInvokeHash(invoke, account.hashPoseidon));
	return {
		transaction: formatSigned(invoke, account.key.sign(hash)),
		transactionHash: formatFelt(hash),
		from: formatFelt(invoke.sender),
	};
}

/** Refuses what the rules forbid. */
function checkStarkInvoke(policy: Policy, account: StarkAccount, invoke: StarkInvoke): void {
	checkSender(invoke.sender, account.address, formatFelt);
	judge(policy, decodeStarkInvoke(invoke), Date.now());
}

/** Formats the input of Send, without the chain ID. */
function formatSigned(invoke: StarkInvoke, signature: readonly bigint[]) {
	const { sender, chainId, nonce, tip, calldata, bounds } = invoke;
	return {
		type: 'INVOKE',
		version: encodeFelt(INVOKE_VERSION),
		sender_address: encodeFelt(sender),
		calldata: calldata.map(encodeFelt),
		nonce: encodeFelt(nonce),
		resource_bounds: formatBounds(bounds),
		tip: encodeFelt(tip),
		paymaster_data: [],
		account_deployment_data: [],
		nonce_data_availability_mode: 'L1',
		fee_data_availability_mode: 'L1',
		chainId: encodeFelt(chainId),
		signature: signature.map(encodeFelt),
	};
}
