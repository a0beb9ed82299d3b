import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceDefinition } from '@grpc/grpc-js';
import { loadSync, type MessageTypeDefinition } from '@grpc/proto-loader';

const folder = import.meta.dirname;
const options = { includeDirs: [folder], longs: String, defaults: true };
const loaded = loadSync(['chain.proto', 'raw.proto'], options);

const service = (name: string) => loaded[`chain.v1.${name}`] as ServiceDefinition;

const raw = <Message,>(name: string) =>
	loaded[`sandbox.raw.${name}`] as unknown as MessageTypeDefinition<Message, Message>;

export const chainService = service('ChainService');
export const echoService = service('EchoService');
export const troubleService = service('TroubleService');
export const archiveService = service('ArchiveService');

export const rawEchoStreamRequest = raw<{ message: Buffer; times: number }>('EchoStreamRequest');

interface Status {
	code: number;
	message: string;
	details: Array<{ typeUrl: string; value: Buffer }>;
}

export const rawStatus = raw<Status>('Status');
export const rawRetryInfo = raw<{ retryDelay: { seconds: string; nanos: number } }>('RetryInfo');

/** Each file as `protoc` describes it: what proto-loader makes of them lacks imports and presence. */
export function describedFiles(): Buffer[] {
	const set = readFileSync(join(folder, 'chain.protoset'));
	return raw<{ file: Buffer[] }>('FileDescriptorSet').deserialize(set).file;
}
