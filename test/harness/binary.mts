import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { IBinaryData } from 'n8n-workflow';
import type { Readable } from 'node:stream';

/** Stores a file in n8n's own storage on disk, as a previous node would leave it. */
export async function storeFile(
	content: Buffer | Readable,
	about: { fileName?: string; mimeType?: string } = {},
): Promise<IBinaryData> {
	const service = Container.get(BinaryDataService);
	await service.init();
	const location = { type: 'execution', workflowId: '1', executionId: '1' } as const;
	const binary = { data: '', mimeType: 'application/octet-stream', ...about };
	return await service.store(location, content, binary);
}

/** Puts a file into an item itself, as n8n does when it has no binary storage. */
export function buildFileInMemory(
	content: Buffer,
	about: { fileName?: string; mimeType?: string } = {},
): IBinaryData {
	const data = content.toString('base64');
	return { data, mimeType: 'application/octet-stream', ...about };
}
