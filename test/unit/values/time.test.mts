import fc from 'fast-check';
import { DateTime } from 'luxon';
import { parsePlainData } from '../../../nodes/core/values/plainData';
import { toUnixSeconds, parseTime } from '../../../nodes/core/values/time';
import { catchThrown } from '../support/fakes.mts';
import { getSeed } from '../../harness/caseCount.mts';

const seconds = (given: unknown, zone = 'UTC') => toUnixSeconds(parseTime(given), zone);

test.each([
	[1_700_000_000, 1_700_000_000],
	['1700000000', 1_700_000_000],
	[' 1700000000.9 ', 1_700_000_000],
	[0, 0],
	['2023-11-14T22:13:20Z', 1_700_000_000],
	['2023-11-14T22:13:20.999z', 1_700_000_000],
	['2023-11-14 22:13:20Z', 1_700_000_000],
	['2023-11-14T23:13:20+01:00', 1_700_000_000],
	['2023-11-14T17:13:20-0500', 1_700_000_000],
	['2023-11-14T22:13Z', 1_699_999_980],
	['2023-11-14', 1_699_920_000],
	[parsePlainData(new Date(1_700_000_000_999)), 1_700_000_000],
	[parsePlainData(DateTime.fromSeconds(1_700_000_000, { zone: 'Asia/Tokyo' })), 1_700_000_000],
])('%p is %i', (given, wanted) => {
	expect(seconds(given)).toBe(wanted);
});

test.each([
	['2026-01-31T14:00:00', 'Europe/Berlin', '2026-01-31T13:00:00Z'],
	['2026-07-31T14:00:00', 'Europe/Berlin', '2026-07-31T12:00:00Z'],
	['2026-07-31', 'America/New_York', '2026-07-31T04:00:00Z'],
	['2026-07-31 00:30', 'Asia/Kolkata', '2026-07-30T19:00:00Z'],
	['2026-07-31T14:00:00Z', 'Asia/Kolkata', '2026-07-31T14:00:00Z'],
	['0001-01-01', 'UTC', '0001-01-01T00:00:00Z'],
	['0099-12-31T23:59:59', 'America/New_York', '0100-01-01T04:56:01Z'],
])('%s in the time zone %s is %s', (given, zone, wanted) => {
	expect(seconds(given, zone)).toBe(Date.parse(wanted) / 1000);
});

test('a clock that a zone shows is read as luxon reads it', () => {
	const zones = fc.constantFrom('Europe/Berlin', 'America/St_Johns', 'Australia/Lord_Howe', 'UTC');
	const moments = fc.integer({ min: 0, max: 4_000_000_000 });
	const property = fc.property(moments, zones, (moment, zone) => {
		const text = DateTime.fromSeconds(moment, { zone }).toFormat("yyyy-MM-dd'T'HH:mm:ss");
		const wanted = DateTime.fromISO(text, { zone }).toSeconds();
		// When clocks are set back, an hour occurs twice, and the text may mean either of the two times.
		expect([0, 1800, 3600]).toContain(Math.abs(seconds(text, zone) - wanted));
		expect(seconds(`${text}Z`, zone)).toBe(Date.parse(`${text}Z`) / 1000);
	});
	fc.assert(property, { seed: getSeed(15), numRuns: 500 });
});

test.each([
	['', /such as/],
	['yesterday', /such as/],
	['2026-13-01', /such as/],
	['2026-02-30', /such as/],
	['2026-02-28T25:00:00Z', /such as/],
	['1.2.2026', /such as/],
	[-5, /such as/],
	[{}, /such as/],
	[null, /such as/],
	[true, /such as/],
	[new Date(NaN), /such as/],
	[1_700_000_000_000, /milliseconds/],
])('%p is refused', (given, message) => {
	expect(String(catchThrown(() => parseTime(given)))).toMatch(message);
});
