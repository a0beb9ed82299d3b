import { Readable } from 'node:stream';
import type { IExecuteFunctions } from 'n8n-workflow';
import { storeFile } from '../../../../nodes/core/net/http/fileStorage';

const MEGABYTE = 1024 * 1024;

const contextWith = (prepareBinaryData: (content: Buffer | Readable) => Promise<unknown>) =>
	({ helpers: { prepareBinaryData } }) as unknown as IExecuteFunctions;

test('the start of a file is a copy: no piece keeps the block in memory from which it was taken', async () => {
	async function* content() {
		const block = Buffer.alloc(4 * MEGABYTE, 'a');
		yield await Promise.resolve(block.subarray(0, 1));
		block.fill('b');
		yield block.subarray(0, 1);
	}
	const stored: string[] = [];
	const context = contextWith(async (bytes) => {
		await Promise.resolve(stored.push(String(bytes)));
	});
	await storeFile(context, content(), 'file', Readable.from([]));
	expect(stored).toEqual(['ab']);
});

test('a storage that fails before it reads leaves no connection open', async () => {
	let isClosed = false;
	async function* content() {
		try {
			for (;;) yield await Promise.resolve(Buffer.alloc(MEGABYTE));
		} finally {
			isClosed = true;
		}
	}
	const context = contextWith(async () => await Promise.reject(new Error('The disk is full')));
	const storing = storeFile(context, content(), 'file', Readable.from([]));
	await expect(storing).rejects.toThrow('The disk is full');
	expect(isClosed).toBe(true);
});
