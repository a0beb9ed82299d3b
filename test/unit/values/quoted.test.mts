import fc from 'fast-check';
import { quoteText, quoteSymbol } from '../../../nodes/core/values/quoted';
import { expectLinear } from '../support/growth.mts';
import { anyCharacter } from '../../harness/anyText.mts';
import { getCaseCount, getSeed } from '../../harness/caseCount.mts';

fc.configureGlobal({ seed: getSeed(20261123) });

const STARS = '\u{1f31f}'.repeat(60);

describe('a text in quotes', () => {
	test.each<[what: string, text: string, shown: string]>([
		['plain', 'Grüße aus 東京, 10 €!', '"Grüße aus 東京, 10 €!"'],
		['empty', '', '""'],
		['with quotes', 'a"b\\c“d”e«f»g＂', "\"a'b'c'd'e'f'g'\""],
		['of several lines', 'a\r\n\tb\u2028c\u2029d\u00a0e', '"a b c d e"'],
		['with control characters', 'a\u0000\u001b[31mb\u007f\u0085', '"a??[31mb??"'],
		['that turns the direction', 'a\u202eb\u2066c\u200fd', '"a?b?c?d"'],
		['of a script that is written from the right', 'aשלוםbمرحبا', '"a????b?????"'],
		['with what is not seen', 'a\u200bb\u2060c\u{e0041}d\u00ad', '"a?b?c?d?"'],
		['with marks that are drawn over others', 'e\u0301x\u0336\u0336', '"éx??"'],
		['with half a character', 'a\ud83d', '"a?"'],
		['with a private character', 'a\ue000', '"a?"'],
		['of signs', STARS, `"${STARS}"`],
		['that is long', 'x'.repeat(61), `"${'x'.repeat(60)}…"`],
	])('%s', (_, text, shown) => {
		expect(quoteText(text, 60)).toBe(shown);
	});

	test('is short, ends where its quotes do, and is on one line, whatever it says', () => {
		fc.assert(
			fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), (text) => {
				const shown = quoteText(text, 60);
				expect([...shown].length).toBeLessThanOrEqual(63);
				expect(shown).toMatch(/^"[^"\\\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]*"$/u);
			}),
			{ numRuns: getCaseCount(2000) },
		);
	});

	test('however long it is, little of it is looked at', async () => {
		await expectLinear(1_000_000, (size) => quoteText('"\u0301'.repeat(size), 60));
	});
});

describe('the symbol of a token', () => {
	test.each<[symbol: string | null, shown: string | undefined]>([
		['USDC', '"USDC"'],
		['USD₮0', '"USD₮0"'],
		['stETH-LP.e', '"stETH-LP.e"'],
		[null, undefined],
		['', undefined],
		[' \n', undefined],
		// The second and the fourth letter are Cyrillic.
		['UЅDС', '"U?D?"'],
		['USDC\u0000\u0000', '"USDC??"'],
		['USDC", 6 decimals) to 0xfB6916095ca1df60bB79', '"USDC\', 6 decimals) t…"'],
		['a'.repeat(20), `"${'a'.repeat(20)}"`],
		['a'.repeat(21), `"${'a'.repeat(20)}…"`],
	])('%j', (symbol, shown) => {
		expect(quoteSymbol(symbol)).toBe(shown);
	});

	test('is no room for an address', () => {
		fc.assert(
			fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), (symbol) => {
				const shown = quoteSymbol(symbol) ?? '""';
				expect(shown).toMatch(/^"[^"\\]{0,20}…?"$/u);
				expect(shown).toMatch(/^[ -~\p{Sc}…]*$/u);
			}),
			{ numRuns: getCaseCount(2000) },
		);
	});
});
