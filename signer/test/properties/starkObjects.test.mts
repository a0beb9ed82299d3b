import type { IDataObject } from 'n8n-workflow';
import fc from 'fast-check';
import { signInvoke } from '../../../test/cases/starkSigning.mts';
import { STARK_ACCOUNT } from '../../../test/harness/sandbox.mts';
import { ChainSignerStarkApi } from '../../credentials/ChainSignerStarkApi.credentials';
import { changingObjects, loot } from '../support/changingObjects.mts';
import { createTally, expectSame } from '../support/properties.mts';
import { runWithObject } from '../support/signerNode.mts';
import { buildInvoke, PRIME, toHex, type Call } from '../support/stark.mts';

const [FRIEND, STRANGER, TOKEN] = [0xf1n, 0xf3n, 0xa1n];

const pay = (to: bigint, amount: bigint): Call => ({
	to: TOKEN,
	name: 'transfer',
	calldata: [to, amount, 0n],
});

/** Values that the rules allow. The values of `EVIL` break the rules. */
const HONEST = buildInvoke([pay(FRIEND, 100n)]);

const EVIL: Readonly<Record<keyof typeof HONEST, unknown>> = {
	type: 'DECLARE',
	version: '0x100000000000000000000000000000003',
	sender_address: toHex(STRANGER),
	calldata: buildInvoke([pay(STRANGER, 1n), pay(FRIEND, 101n)]).calldata,
	nonce: toHex(PRIME + 7n),
	resource_bounds: {
		l1_gas: { max_amount: '0xffffffff', max_price_per_unit: '0xffffffff' },
		l2_gas: { max_amount: '0xffffffff', max_price_per_unit: '0xffffffff' },
		l1_data_gas: { max_amount: '0xffffffff', max_price_per_unit: '0xffffffff' },
	},
	tip: '0xffffffff',
	paymaster_data: ['0x1'],
	account_deployment_data: ['0x1'],
	nonce_data_availability_mode: 'L2',
	fee_data_availability_mode: 'L2',
	chainId: '0x534e5f4d41494e',
};

const ASKED = {
	resource: 'starkTransaction',
	credentialType: new ChainSignerStarkApi(),
	data: {
		...STARK_ACCOUNT,
		chainIds: 'SN_SEPOLIA',
		maxFee: '0.000000000000000614',
		recipients: toHex(FRIEND),
		tokenLimits: `${toHex(TOKEN)} 100`,
	},
};

const count = createTally();

/** The signature of the reference client, which is always the same for the same transaction. */
const EXPECTED = signInvoke(HONEST, STARK_ACCOUNT.privateKey);

/** Formats what a run gives, to compare it with what an honest one gives. */
const format = ({ transaction, transactionHash }: IDataObject) =>
	JSON.stringify({ transaction, transactionHash });

const WANTED = format({
	transaction: { ...HONEST, signature: EXPECTED.signature },
	transactionHash: EXPECTED.hash,
});

test('objects that change or have methods of their own: what is signed is what they showed once, within the rules', async () => {
	await fc.assert(
		fc.asyncProperty(changingObjects(HONEST, EVIL), async (build) => {
			const { given, about: chosen, isHonest } = build();
			const result = await runWithObject(given, ASKED);
			const about = { chosen, result };
			const isSigned = !(result instanceof Error);
			count(isSigned);
			expectSame(loot.functions.length, 0, about);
			if (!isSigned) {
				expectSame(isHonest, false, about);
				return;
			}
			expectSame(format(result), WANTED, about);
		}),
	);
});

test('the judge would notice another signer', async () => {
	const honest = await runWithObject(HONEST, ASKED);
	expect(format(honest as IDataObject)).toBe(WANTED);
	const rules = { ...ASKED.data, contracts: '*', recipients: '', tokenLimits: '' };
	const other = buildInvoke([pay(STRANGER, 101n)]);
	const evil = await runWithObject(other, { ...ASKED, data: rules });
	expect(evil).not.toBeInstanceOf(Error);
	expect(format(evil as IDataObject)).not.toBe(WANTED);
});
