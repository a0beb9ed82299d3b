import assert from 'node:assert/strict';
import type { IDataObject } from 'n8n-workflow';
import { getAddress, type Hex } from 'viem';
import { mnemonicToAccount } from 'viem/accounts';
import { AUTHORIZATION_TYPES } from '../../harness/authorizations.mts';
import { MNEMONIC, type Case, type Scene } from '../case.mts';

/** The account that owns all of the test stablecoin. */
const buyer = mnemonicToAccount(MNEMONIC);

const SALE = {
	amount: '0.01',
	resourceUrl: 'https://shop.example.com/answer',
};

interface Offer {
	readonly amount: string;
	readonly asset: Hex;
	readonly payTo: Hex;
	readonly extra: { readonly name: string; readonly version: string };
}

const decode = (header: unknown) =>
	JSON.parse(Buffer.from(String(header), 'base64').toString()) as IDataObject;

const priceOf = ({ dollar, other }: Scene) => ({ token: dollar, to: other, ...SALE });

async function readOffer(scene: Scene): Promise<Offer> {
	const asking = { resource: 'httpPayment', operation: 'require', ...priceOf(scene) };
	const { headers } = await scene.first('evmRpc', asking);
	const { accepts } = decode((headers as IDataObject)['PAYMENT-REQUIRED']);
	return (accepts as unknown as [Offer])[0];
}

/** Signs a payment as a buyer does who knows only the seller's answer with status 402. */
async function signPayment(scene: Scene) {
	const accepted = await readOffer(scene);
	const { amount, asset, extra, payTo } = accepted;
	const authorization = {
		from: buyer.address,
		to: payTo,
		value: amount,
		validAfter: '0',
		// The clock of the chain is ahead of this machine, because each block adds at least a second.
		validBefore: String(Math.floor(Date.now() / 1000) + 3600),
		nonce: `0x${Date.now().toString(16).padStart(64, '0')}` as const,
	};
	const signature = await buyer.signTypedData({
		domain: { ...extra, chainId: 31337, verifyingContract: asset },
		types: AUTHORIZATION_TYPES,
		primaryType: 'TransferWithAuthorization',
		message: {
			...authorization,
			value: BigInt(authorization.value),
			validAfter: 0n,
			validBefore: BigInt(authorization.validBefore),
		},
	});
	return { accepted, payload: { signature, authorization } };
}

const SHOWN_AUTHORIZATION = {
	from: '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266',
	to: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
	value: '10000',
	validAfter: '0',
	validBefore: '1795780000',
	nonce: `0x${'5a'.repeat(32)}`,
};
const SHOWN_SIGNATURE = `0x${'ab'.repeat(32)}${'12'.repeat(32)}1b`;

export const httpPayments: readonly Case[] = [
	{
		resource: 'httpPayment',
		operation: 'require',
		parameters: (scene) => ({ ...priceOf(scene), description: 'An answer' }),
		check: ([item], { dollar, other }) => {
			const { statusCode, headers } = item as { statusCode: number; headers: IDataObject };
			const { accepts } = decode(headers['PAYMENT-REQUIRED']) as { accepts: [Offer] };
			const [{ amount, asset, payTo }] = accepts;
			assert.deepEqual(
				[statusCode, amount, asset, payTo],
				[402, '10000', getAddress(dollar), getAddress(other)],
			);
		},
	},
	{
		resource: 'httpPayment',
		operation: 'verify',
		parameters: async (scene) => {
			const payment = { x402Version: 2, ...(await signPayment(scene)) };
			const header = Buffer.from(JSON.stringify(payment)).toString('base64');
			return { ...priceOf(scene), payment: header };
		},
		check: ([item]) =>
			assert.deepEqual(
				[item?.isValid, item?.invalidReason, item?.payer, item?.amount],
				[true, null, buyer.address, '0.01'],
			),
		alsoForSchema: (scene) => [{ ...priceOf(scene), payment: 'hello' }],
		shown: {
			given: { payment: "{{ $json.headers['payment-signature'] }}" },
			outcome: {
				authorization: SHOWN_AUTHORIZATION,
				validBefore: SHOWN_AUTHORIZATION.validBefore,
				nonce: SHOWN_AUTHORIZATION.nonce,
				signature: SHOWN_SIGNATURE,
			},
		},
	},
	{
		resource: 'httpPayment',
		operation: 'respond',
		parameters: ({ lastPayment, payer }) => ({
			transactionHash: lastPayment.transactionHash,
			payer,
		}),
		check: ([item], { lastPayment }) => {
			const headers = item?.headers as IDataObject;
			const { success, transaction } = decode(headers['PAYMENT-RESPONSE']);
			assert.deepEqual([success, transaction], [true, lastPayment.transactionHash]);
		},
	},
	{
		resource: 'transaction',
		operation: 'prepare',
		about: 'what a payer has signed is carried out by another account',
		parameters: async (scene) => {
			const { payload } = await signPayment(scene);
			return {
				kind: 'authorization',
				from: scene.payer,
				authorization: JSON.stringify(payload.authorization),
				signature: payload.signature,
				token: scene.dollar,
			};
		},
		check: ([item], { dollar }) => {
			const { to } = item?.transaction as { to: string };
			assert.equal(getAddress(to), getAddress(dollar));
			assert.match(String(item?.summary), /^Bring 0\.01 of the token 0x.* by an authorization /);
		},
	},
];
