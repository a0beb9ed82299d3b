import { BlockList, isIPv6 } from 'node:net';
import fc from 'fast-check';
import { isInternalAddress } from '../../../../nodes/core/net/http/internalAddresses';

const INTERNAL = [
	'[::]',
	'[0:0:0:0:0:0:0:0]',
	'[::127.0.0.1]',
	'[::7f00:1]',
	'100.64.0.1',
	'100.127.255.255',
	'[::ffff:100.100.100.200]',
	'[::ffff:6464:64c8]',
	'[64:ff9b::7f00:1]',
	'[64:FF9B::127.0.0.1]',
	'[2002:7f00:1::]',
	'224.0.0.1',
	'239.255.255.255',
	'255.255.255.255',
	'[ff02::1]',
	'fec0::1%eth0',
];

test.each(INTERNAL)('%s is internal', (host) => {
	expect(isInternalAddress(host)).toBe(true);
});

test.each([
	'0x64.0x64.0x64.0xc8',
	'1684300232',
	'0144.0144.0144.0310',
	'100.6579400',
	'100.64.0.1.',
])('https://%s/ leads to an internal address', (host) => {
	expect(isInternalAddress(new URL(`https://${host}/`).hostname)).toBe(true);
});

test.each([
	'example.com',
	'beef',
	'ff02',
	'100.63.255.255',
	'100.128.0.0',
	'8.8.8.8',
	'[2606:4700::1111]',
	'',
])('%s is none', (host) => {
	expect(isInternalAddress(host)).toBe(false);
});

test('each address is in the ranges exactly where Node says so', () => {
	const list = new BlockList();
	list.addSubnet('::', 96, 'ipv6');
	list.addSubnet('64:ff9b::', 96, 'ipv6');
	list.addSubnet('64:ff9b:1::', 48, 'ipv6');
	list.addSubnet('::ffff:0:0:0', 96, 'ipv6');
	list.addSubnet('2001::', 32, 'ipv6');
	list.addSubnet('2002::', 16, 'ipv6');
	list.addSubnet('fec0::', 10, 'ipv6');
	list.addSubnet('ff00::', 8, 'ipv6');
	list.addSubnet('100.64.0.0', 10, 'ipv4');
	list.addSubnet('192.88.99.0', 24, 'ipv4');
	list.addSubnet('224.0.0.0', 3, 'ipv4');
	const near = fc
		.tuple(
			fc.constantFrom('::', '64:ff9b::', '64:ff9b:1::', '2001::', '2002::', 'fec0::', 'ff00::'),
			fc.ipV4(),
		)
		.map(([start, end]) => `${start}${end}`);
	fc.assert(
		fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), near), (address) => {
			const family = isIPv6(address) ? 'ipv6' : 'ipv4';
			expect(isInternalAddress(address)).toBe(list.check(address, family));
		}),
	);
});
