/** Computes CRC-32C (Castagnoli), the checksum at the end of a bag of cells. */
export function computeCrc32c(bytes: Uint8Array): number {
	let crc = 0xffffffff;
	for (const byte of bytes) crc = (TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
	return ~crc >>> 0;
}

const REVERSED_POLYNOMIAL = 0x82f63b78;
const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
	let crc = byte;
	for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ REVERSED_POLYNOMIAL : crc >>> 1;
	return crc;
});
