const MASK = 0xffff_ffff_ffff_ffffn;
const C1 = 0x87c3_7b91_1142_53d5n;
const C2 = 0x4cf5_ad43_2745_937fn;

/**
 * Yields the position of a name in each shard of a large directory, from the root down. Each position comes from the
 * next bits of the name's hash.
 */
export function* findPlaces(name: string, fanout: number): Generator<number> {
	const bits = Math.log2(fanout);
	const hash = hashName(Buffer.from(name));
	for (let used = bits; used <= 64; used += bits) {
		yield Number((hash >> BigInt(64 - used)) & BigInt(fanout - 1));
	}
}

/** Computes the first 64 bits of MurmurHash3 (x64, 128 bits), which IPFS uses to distribute names over shards. */
function hashName(bytes: Buffer): bigint {
	let [h1, h2] = [0n, 0n];
	const tailStart = bytes.length - (bytes.length % 16);
	for (let at = 0; at < tailStart; at += 16) {
		h1 ^= mixFirst(bytes.readBigUInt64LE(at));
		h1 = multiply(rotate(h1, 27n) + h2, 5n) + 0x52dce729n;
		h2 ^= mixSecond(bytes.readBigUInt64LE(at + 8));
		h2 = multiply(rotate(h2 & MASK, 31n) + (h1 & MASK), 5n) + 0x38495ab5n;
		[h1, h2] = [h1 & MASK, h2 & MASK];
	}
	const tail = Buffer.alloc(16);
	bytes.copy(tail, 0, tailStart);
	h2 ^= mixSecond(tail.readBigUInt64LE(8));
	h1 ^= mixFirst(tail.readBigUInt64LE(0));
	h1 ^= BigInt(bytes.length);
	h2 ^= BigInt(bytes.length);
	h1 = (h1 + h2) & MASK;
	h2 = (h2 + h1) & MASK;
	return (scramble(h1) + scramble(h2)) & MASK;
}

const mixFirst = (word: bigint) => multiply(rotate(multiply(word, C1), 31n), C2);
const mixSecond = (word: bigint) => multiply(rotate(multiply(word, C2), 33n), C1);

function multiply(one: bigint, other: bigint): bigint {
	return (one * other) & MASK;
}

function rotate(word: bigint, bits: bigint): bigint {
	return ((word << bits) | (word >> (64n - bits))) & MASK;
}

function scramble(word: bigint): bigint {
	const first = multiply(word ^ (word >> 33n), 0xff51_afd7_ed55_8ccdn);
	const second = multiply(first ^ (first >> 33n), 0xc4ce_b9fe_1a85_ec53n);
	return second ^ (second >> 33n);
}
