import { abiParser } from '../../../../nodes/core/evm/abi/abi';
import { decodeEventLog } from '../../../../nodes/core/evm/abi/event';

const word = (digits: string) => `0x${digits.padStart(64, '0')}`;

describe('a log of several events', () => {
	const { events } = abiParser('event')([
		'event Note(bytes32 indexed what, uint256 value) anonymous',
		'event Set(uint256 value)',
	]);
	const set = events.find(({ name }) => name === 'Set')?.topic;

	test('is of the one whose topic it begins with, whatever anonymous event it fits as well', () => {
		const log = { topics: [set], data: word('7') };
		expect(decodeEventLog(events, log)).toEqual({ event: 'Set', args: { value: '7' } });
	});

	test('is of the anonymous one if it begins with the topic of none', () => {
		const log = { topics: [word('1')], data: word('7') };
		const args = { what: word('1'), value: '7' };
		expect(decodeEventLog(events, log)).toEqual({ event: 'Note', args });
	});
});
