import { Address } from '@ton/core';
import fc from 'fast-check';
import { utils } from 'tronweb';
import { encodeBase58Check } from '../../../nodes/core/values/base58';
import { parseTonAccount, formatTonAddresses } from '../../../nodes/core/ton/address';
import { parseWitnessAccount, formatWitnessAddresses } from '../../../nodes/core/witness/address';
import { getSeed } from '../../harness/caseCount.mts';

fc.configureGlobal({ seed: getSeed(20261123), numRuns: 300 });

const digits = fc
	.uint8Array({ minLength: 20, maxLength: 20 })
	.map((bytes) => Buffer.from(bytes).toString('hex'));

test('the forms of an account of a witness chain are those of another implementation', () => {
	fc.assert(
		fc.property(digits, (account) => {
			const { base58, hex } = formatWitnessAddresses(account);
			expect([base58, hex]).toEqual([utils.address.fromHex(`41${account}`), `41${account}`]);
			for (const given of [base58, hex, hex.toUpperCase(), ` ${base58}\n`]) {
				expect(parseWitnessAccount(given)).toBe(account);
			}
		}),
	);
});

test.each([
	['0062e907b15cbf27d5425399ebf6f0fb50ebb88f18', '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa'],
	['00'.repeat(21), '1111111111111111111114oLvT2'],
])('%s is %s in base58check', (hex, text) => {
	expect(encodeBase58Check(Buffer.from(hex, 'hex'))).toBe(text);
});

test('the forms of an account of a TON chain are those of another implementation, whichever was given', () => {
	const accounts = fc.tuple(
		fc.constantFrom(0, -1),
		fc.uint8Array({ minLength: 32, maxLength: 32 }),
	);
	const spelled = fc.record({
		testOnly: fc.boolean(),
		bounceable: fc.boolean(),
		urlSafe: fc.boolean(),
	});
	fc.assert(
		fc.property(accounts, spelled, ([workchain, hash], spelling) => {
			const address = new Address(workchain, Buffer.from(hash));
			const { testOnly } = spelling;
			const forms = {
				raw: address.toRawString(),
				bounceable: address.toString({ testOnly, bounceable: true }),
				nonBounceable: address.toString({ testOnly, bounceable: false }),
			};
			expect(formatTonAddresses(parseTonAccount(address.toString(spelling)))).toEqual(forms);
			const raw = formatTonAddresses(parseTonAccount(address.toRawString().toUpperCase()));
			expect(raw.bounceable).toBe(address.toString({ bounceable: true }));
			expect(raw.raw).toBe(forms.raw);
		}),
	);
});
