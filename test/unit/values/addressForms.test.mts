import { InvalidInput } from '../../../nodes/core/errors/invalidInput';
import { parseEvmAddress } from '../../../nodes/core/evm/address';
import { parseStarkAddress } from '../../../nodes/core/stark/address';
import { parseTonAddress } from '../../../nodes/core/ton/address';
import { parseField, type Parse } from '../../../nodes/core/values/parse';
import { witnessAddressParser } from '../../../nodes/core/witness/address';
import { catchThrown } from '../support/fakes.mts';

const EVM = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const WITNESS = 'THPvaUhoh2Qn2y9THCZML3H815hhFhn5YC';
const WITNESS_HEX = '41517591d35d313bf6a5e33098284502b045e2bc08';
const TON = 'EQCD39VS5jcptHL8vMjEXrzGaRcCVYto7HUn4bpAOg8xqB2N';
const TON_RAW = '0:83dfd552e63729b472fcbcc8c45ebcc6691702558b68ec7527e1ba403a0f31a8';
const STARK = '0x049d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004dc7';

const PARSERS: Readonly<Record<string, Parse>> = {
	'Chain EVM RPC': parseEvmAddress,
	'Chain Witness Wallet': witnessAddressParser(true),
	'Chain TON': parseTonAddress,
	'Chain STARK': parseStarkAddress,
};

function getAdvice(parse: Parse, given: unknown): string | undefined {
	const thrown = catchThrown(() => parseField('To', given, parse));
	expect(thrown).toBeInstanceOf(InvalidInput);
	return (thrown as InvalidInput).description;
}

describe.each([
	['Chain EVM RPC', EVM],
	['Chain Witness Wallet', WITNESS],
	['Chain Witness Wallet', WITNESS_HEX],
	['Chain TON', TON],
	['Chain TON', TON_RAW],
	['Chain STARK', STARK],
])('the address of %s %s', (node, address) => {
	const others = Object.entries(PARSERS).filter(([name]) => name !== node);

	test.each(others)('is refused in the fields of %s with the node that takes it', (_, parse) => {
		expect(getAdvice(parse, address)).toContain(node);
	});

	test('with a wrong character is not sent to another node', () => {
		const wrong = `${address.slice(0, -1)}!`;
		for (const parse of Object.values(PARSERS)) expect(getAdvice(parse, wrong)).toBeUndefined();
	});
});

test.each(['', 'vitalik.eth', null, {}, '0x'])('%p names no other node', (given) => {
	for (const parse of Object.values(PARSERS)) expect(getAdvice(parse, given)).toBeUndefined();
});
