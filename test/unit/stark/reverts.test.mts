import { findRevertReason } from '../../../nodes/core/stark/reverts';

const traceback = (reason: string) =>
	`Transaction execution has failed:\n0: Error in the called contract (contract address: 0x1, class hash: 0x2, selector: 0x3):\nError at pc=0:4835:\nCairo traceback (most recent call last):\nUnknown location (pc=0:67)\n\n1: Error in the called contract (contract address: 0x4, class hash: 0x5, selector: 0x6):\nExecution failed. Failure reason:\nError in contract (contract address: 0x0616263646566, class hash: 0x02, selector: 0x03):\n${reason}.\n`;

const OVERFLOW = "0x753235365f737562204f766572666c6f77 ('u256_sub Overflow')";
const MARK = '0x46a6158a16a947e5916b2a2ca68501a45e93d7110e81aa2d6438b1c57c879a3';

test.each<[unknown, string | undefined]>([
	[traceback(OVERFLOW), 'u256_sub Overflow'],
	[
		`(0x617267656e742f6d756c746963616c6c2d6661696c6564 ('argent/multicall-failed'), 0x0 (''), ${OVERFLOW}, 0x454e545259504f494e545f4641494c4544 ('ENTRYPOINT_FAILED'))`,
		'u256_sub Overflow',
	],
	['0x753235365f737562204f766572666c6f77', 'u256_sub Overflow'],
	[traceback('"a text of more than one felt"'), 'a text of more than one felt'],
	[`(${MARK} (''), 0x0 (''), 0x6869 ('hi'), 0x2 (''))`, 'hi'],
	[
		{
			revert_error: {
				contract_address: '0x1',
				class_hash: '0x2',
				selector: '0x3',
				error: { contract_address: '0x4', class_hash: '0x5', selector: '0x6', error: OVERFLOW },
			},
		},
		'u256_sub Overflow',
	],
	[{ transaction_index: 0, execution_error: traceback(OVERFLOW) }, 'u256_sub Overflow'],
	[
		'Error in the called contract (0x1):\nError message: ERC20: transfer amount exceeds balance\nError at pc=0:1:\nAn ASSERT_EQ instruction failed: 1 != 0.',
		'ERC20: transfer amount exceeds balance',
	],
	[
		'Entry point EntryPointSelector(0x3) not found in contract.',
		'Entry point EntryPointSelector(0x3) not found in contract',
	],
	[
		'Requested contract address 0x5 is not deployed.',
		'Requested contract address 0x5 is not deployed',
	],
	['something else', 'something else'],
	['', undefined],
	[undefined, undefined],
	[5, undefined],
	[{ revert_error: {} }, undefined],
])('the reason of %p is %p', (given, reason) => {
	expect(findRevertReason(given)).toBe(reason);
});

test('errors that nest without end are followed so far, and long ones are cut', () => {
	let nested: unknown = OVERFLOW;
	for (let depth = 0; depth < 100_000; depth++) nested = { error: nested };
	expect(findRevertReason(nested)).toBeUndefined();
	expect(findRevertReason('x'.repeat(10_000_000))?.length).toBe(501);
});
