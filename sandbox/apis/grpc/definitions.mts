import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ServiceDefinition } from '@grpc/grpc-js';
import { loadSync, type MessageTypeDefinition } from '@grpc/proto-loader';

const FOLDER = join(import.meta.dirname, 'protos');
const options = { includeDirs: [FOLDER], longs: String, defaults: true };
const definitions = loadSync(['chain.proto', 'raw.proto'], options);

const getService = (name: string) => definitions[`chain.v1.${name}`] as ServiceDefinition;

const getMessageType = <Message,>(name: string) =>
	definitions[`sandbox.raw.${name}`] as unknown as MessageTypeDefinition<Message, Message>;

export const chainService = getService('ChainService');
export const echoService = getService('EchoService');
export const troubleService = getService('TroubleService');
export const archiveService = getService('ArchiveService');

export const rawEchoStreamRequest = getMessageType<{ message: Buffer; times: number }>(
	'EchoStreamRequest',
);

interface Status {
	code: number;
	message: string;
	details: Array<{ typeUrl: string; value: Buffer }>;
}

export const rawStatus = getMessageType<Status>('Status');
export const rawRetryInfo = getMessageType<{ retryDelay: { seconds: string; nanos: number } }>(
	'RetryInfo',
);

/**
 * Reads each .proto file in the form in which `protoc` describes it. The descriptions of proto-loader lack imports and
 * field presence.
 */
export function readFileDescriptors(): Buffer[] {
	const set = readFileSync(join(FOLDER, 'chain.protoset'));
	return getMessageType<{ file: Buffer[] }>('FileDescriptorSet').deserialize(set).file;
}
