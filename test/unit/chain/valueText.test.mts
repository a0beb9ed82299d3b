import { formatPresent } from '../../../nodes/core/chain/valueText';
import { buildDecimal } from '../../../nodes/core/values/units';

const ONE = buildDecimal(1n, 0);

const CONDITION = { compare: 'fallsBelow', threshold: ONE, rearmAt: ONE } as const;

const FOUND = { value: buildDecimal(5n, 0), unit: 'TRX', subject: 'The balance' };

test('the unit of a token is quoted, even if its contract calls it TRX', () => {
	expect(formatPresent(CONDITION, FOUND).summary).toBe(
		'The balance is 5 "TRX"; the threshold is 1 "TRX"',
	);
});

test('the name of the coin is not quoted', () => {
	expect(formatPresent(CONDITION, { ...FOUND, isUnitKnown: true }).summary).toBe(
		'The balance is 5 TRX; the threshold is 1 TRX',
	);
});
