import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';
import { ACCOUNT_PRIVATE_KEY, deposit } from '../../../test/harness/accountKey.mts';
import { openDepositsSigner, type SweptRequest } from '../../nodes/core/depositsSigner';
import { FRIEND, signWith, TOKEN } from './signerNode.mts';
import { asBase58 } from './witness.mts';

export const DESTINATION = FRIEND;

/** A credential of the key of deposit addresses, as the form stores it. */
export const DEPOSITS: ICredentialDataDecryptedObject = {
	accountPrivateKey: ACCOUNT_PRIVATE_KEY,
	evmDestination: DESTINATION,
	witnessDestination: asBase58(DESTINATION),
	chainIds: '1, 31337',
	tokens: `${TOKEN}, ${asBase58(TOKEN)}`,
	maxFee: '0.01',
	witnessMaxFee: '30',
};

/** Asks Chain Signer about deposits. */
export async function askDeposits(
	parameters: INodeParameters,
	data: ICredentialDataDecryptedObject = DEPOSITS,
) {
	return await signWith(
		{ resource: 'account', kind: 'deposits', ...parameters },
		{ credentials: { chainSignerDepositsApi: data } },
	);
}

/** Signs a request with the key of a deposit address. Returns the signature, or the message of the refusal. */
export async function signSwept(
	request: SweptRequest,
	{ index = 0, data = DEPOSITS }: { index?: number; data?: ICredentialDataDecryptedObject } = {},
): Promise<Readonly<Record<string, unknown>> | string> {
	const signer = await openDepositsSigner(data);
	try {
		return (await signer.sign(index, request)) as Readonly<Record<string, unknown>>;
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}

export { deposit };
