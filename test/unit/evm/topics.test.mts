import { ALLOWED_UNITS, measureLeastGap } from '../../harness/loopGap.mts';
import { parseTopics } from '../../../nodes/fields/logFields';

const HASH = `0x${'Ab'.repeat(32)}`;
const ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const WORD = '0x0000000000000000000000005aaeb6053f3e94c9b9a09f33669435e7ef1beaed';
/** keccak256('Transfer(address,address,uint256)') */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

describe('topics', () => {
	test.each<[unknown, unknown]>([
		[undefined, []],
		[null, []],
		['', []],
		['  ', []],
		[[], []],
		[HASH, [HASH]],
		[` ${HASH} , ${HASH}`, [HASH, HASH]],
		[ADDRESS.toLowerCase(), [WORD]],
		[`,${ADDRESS}`, [null, expect.stringMatching(new RegExp(`^${WORD}$`, 'i'))]],
		['Transfer(address,address,uint256)', [TRANSFER]],
		['Transfer(address,address,uint)', [TRANSFER]],
		[`Transfer(address,address,uint256),,${HASH}`, [TRANSFER, null, HASH]],
		[`${HASH},`, [HASH]],
		[',,,', []],
		['null,*', []],
		[`*,${HASH}`, [null, HASH]],
		[[HASH, null, ''], [HASH]],
		[
			[null, [HASH, ADDRESS.toLowerCase()]],
			[null, [HASH, WORD]],
		],
		[[[]], [[]]],
		[`["${HASH}", null, ["${HASH}"]]`, [HASH, null, [HASH]]],
		[' [null, "Transfer(address,address,uint256)"]', [null, TRANSFER]],
	])('%j are %j', (given, wanted) => {
		expect(parseTopics(given)).toEqual(wanted);
	});

	test('commas inside of a signature do not part it', () => {
		const nested = 'Filled((uint256,uint256),(address,bytes32)[])';
		const [alone] = parseTopics(nested);
		expect(alone).toMatch(/^0x[0-9a-f]{64}$/);
		expect(parseTopics(`${nested},${HASH},${nested}`)).toEqual([alone, HASH, alone]);
		expect(parseTopics([nested])).toEqual([alone]);
	});

	test.each(['(', '(,', ',', 'f(uint256,', ')(,'])(
		'4 MB of %j are refused, and leave n8n its turns',
		async (part) => {
			const text = part.repeat(4_000_000 / part.length);
			const parse = async () => expect(() => parseTopics(text)).toThrow(/topics/);
			expect(await measureLeastGap(parse)).toBeLessThan(ALLOWED_UNITS);
		},
	);

	test('short names stand for long ones, and only whole ones', () => {
		expect(parseTopics('A(uint,int[],(int,uint8))')).toEqual(
			parseTopics('A(uint256,int256[],(int256,uint8))'),
		);
		expect(parseTopics('uint(address)')).not.toEqual(parseTopics('uint256(address)'));
	});

	test.each<[unknown, RegExp]>([
		[`${HASH},${HASH},${HASH},${HASH},${HASH}`, /at most 4 topics/],
		[5, /text or an array/],
		[{}, /text or an array/],
		[[5], /each a hash, an address, the signature/],
		[[{}], /each a hash, an address, the signature/],
		[[[[HASH]]], /each a hash, an address, the signature/],
		['0x12', /each a hash, an address, the signature/],
		['Transfer', /the signature of an event such as/],
		['Transfer(address', /the signature of an event such as/],
		['Transfer(address from)', /the signature of an event such as/],
		[`0x${'Ab'.repeat(20)}`, /EIP-55/],
		['[1, ', /JSON/],
	])('%j is refused', (given, why) => {
		expect(() => parseTopics(given)).toThrow(why);
	});
});
