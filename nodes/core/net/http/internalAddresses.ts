/**
 * Internal and reserved address ranges that are missing in n8n's own list. IPv4 addresses are written as IPv6
 * (`::ffff:`). The number is the length of the prefix in bits.
 */
const INTERNAL_RANGES = [
	// The unspecified address, which leads to this machine, and the oldest form of IPv4 addresses in IPv6.
	['::', 96],
	// The network of a provider (CGNAT), where some clouds serve metadata; a relay range, multicast and reserved
	// addresses.
	['::ffff:100.64.0.0', 106],
	['::ffff:192.88.99.0', 120],
	['::ffff:224.0.0.0', 100],
	['::ffff:240.0.0.0', 100],
	// Ranges of translators and tunnels, which may lead to any IPv4 address.
	['::ffff:0:0:0', 96],
	['64:ff9b::', 96],
	['64:ff9b:1::', 48],
	['2001::', 32],
	['2002::', 16],
	// Site-local addresses and multicast.
	['fec0::', 10],
	['ff00::', 8],
] as const;

const ADDRESS_BITS = 128;
const GROUP_COUNT = 8;
const GROUP_BITS = 16n;

/**
 * Whether the host of a URL, or an address from a resolver, is an internal address of IPv4 or IPv6; false for a host
 * name.
 */
export function isInternalAddress(host: string): boolean {
	const address = parseAddress(host);
	return address !== undefined && RANGES.some((range) => isWithin(address, range));
}

interface AddressRange {
	readonly first: bigint;
	/** How many bits at the end of an address may have any value. */
	readonly free: bigint;
}

const RANGES: readonly AddressRange[] = INTERNAL_RANGES.map(([first, bits]) => ({
	first: parseAddress(first) ?? 0n,
	free: BigInt(ADDRESS_BITS - bits),
}));

function isWithin(address: bigint, { first, free }: AddressRange): boolean {
	return address >> free === first >> free;
}

/**
 * Converts an address to a number. Node's URL parser knows all spellings of an address and returns a single spelling.
 */
function parseAddress(host: string): bigint | undefined {
	const [bare = ''] = host.replace(/^\[|\]$/g, '').split('%');
	const written = /^[\d.]+$/.test(bare) ? `::ffff:${bare}` : bare;
	const url = `https://[${written}]/`;
	if (!URL.canParse(url)) return undefined;
	const [before = [], after = []] = new URL(url).hostname
		.slice(1, -1)
		.split('::')
		.map((part) => part.split(':').filter((group) => group !== ''));
	const zeros = Array.from({ length: GROUP_COUNT - before.length - after.length }, () => '0');
	return [...before, ...zeros, ...after].reduce(
		(number, group) => (number << GROUP_BITS) + BigInt(`0x${group}`),
		0n,
	);
}
