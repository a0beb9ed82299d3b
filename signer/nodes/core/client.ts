import type { ICredentialDataDecryptedObject, IExecuteFunctions } from 'n8n-workflow';
import {
	createOperationTyper,
	createParameterParser,
	createParameterSource,
	getPlainCredential,
	Pauses,
	type Client,
	type Connect,
	type Field,
	type ParameterSource,
} from '../../../nodes/core';
import { describeWorstCase } from '../../rules/worstCase';
import { checkDecimals, type CountedToken } from '../../rules/decimals';
import { openDepositsAccount } from './depositsSigner';
import { accountKind, authentication } from './fields';
import { openKeySigner } from './keySigner';
import type { LocalSigner } from './localSigner';
import { PREPARED, type PreparedKind } from './prepared';
import { connectRemote } from './remoteClient';
import type { SigningRequest } from './request';
import { openStarkSigner } from './starkSigner';
import { openTonSigner } from './tonSigner';

export const signingOperation = createOperationTyper<SigningRequest>();

/** Reads the chosen resource, to find the credential. The menu of resources has a definition of its own. */
const resource = {
	displayName: 'Resource',
	name: 'resource',
	type: 'string',
	default: '',
} as const satisfies Field;

/** A credential that contains a key, and the function that opens its signer. */
interface KeyCredential {
	readonly credential: string;
	readonly open: (data: ICredentialDataDecryptedObject) => Promise<LocalSigner>;
}

/** The signers whose keys are in n8n. Each has a credential of its own. */
const LOCAL_SIGNERS = {
	deposits: { credential: 'chainSignerDepositsApi', open: openDepositsAccount },
	key: { credential: 'chainSignerKeyApi', open: openKeySigner },
	stark: { credential: 'chainSignerStarkApi', open: openStarkSigner },
	ton: { credential: 'chainSignerTonApi', open: openTonSigner },
} as const satisfies Readonly<Record<string, KeyCredential>>;

/** The name of a signer, which also decides the credential. */
export type SignerChoice = keyof typeof LOCAL_SIGNERS | 'remote';

/** Connects one signer for a run; its credential is read once, here. */
export function connectChosen(chosen: SignerChoice): Connect<SigningRequest> {
	return async (context, stop) =>
		chosen === 'remote'
			? await connectRemote(context, stop)
			: await connectLocal(context, LOCAL_SIGNERS[chosen]);
}

/** Connects the signer that the fields of Chain Signer choose. */
export const connectSigner: Connect<SigningRequest> = async (context, stop) =>
	await connectChosen(chooseSigner(createParameterSource(context)))(context, stop);

/** Chooses the signer. For EVM chains, it may be a key or a remote signer, as the field Authentication says. */
function chooseSigner(source: ParameterSource): SignerChoice {
	const kind = readKeyKind(source);
	return kind === 'evm' ? createParameterParser(source, [authentication])(0).authentication : kind;
}

/** Returns which key signs. Only the resources `account` and `prepared` have a field for it. Messages and typed data are for EVM chains. */
function readKeyKind(source: ParameterSource): Exclude<SignerChoice, 'key' | 'remote'> | 'evm' {
	const chosen = createParameterParser(source, [resource])(0).resource;
	if (chosen === 'account' || chosen === 'prepared')
		return createParameterParser(source, [accountKind])(0).kind;
	return Object.hasOwn(PREPARED, chosen) ? PREPARED[chosen as PreparedKind].keyKind : 'evm';
}

async function connectLocal(
	context: IExecuteFunctions,
	{ credential, open }: KeyCredential,
): Promise<Client<SigningRequest>> {
	const signer = await open(await getPlainCredential(context, credential));
	const pauses = new Pauses();
	return {
		parallelItems: 1,
		// Nothing is redacted: no answer comes from a service that could repeat the key, and redacting it would need a copy of its text.
		redact: (words) => words,
		call: async (request) => {
			await pauses.takeIfDue();
			switch (request.kind) {
				case 'account':
					return signer.formatAccount(request.index);
				case 'payers':
					return signer.getPayers();
				case 'rules':
					return { worst: describeWorstCase(signer.getRules()) };
				case 'check':
					await signer.check(request.given);
					return checkCounted(signer.getRules(), request.counted);
				default:
					return await signer.sign(request, pauses);
			}
		},
	};
}

/** Checks the decimals with which a token's amount was converted. The key of deposit addresses limits no amounts, so it checks nothing. */
function checkCounted(
	rules: ReturnType<LocalSigner['getRules']>,
	counted: CountedToken | undefined,
): void {
	if (rules.curve !== 'deposits') checkDecimals(rules, counted);
}
