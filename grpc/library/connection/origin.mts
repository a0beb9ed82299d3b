import { Metadata, type StatusObject } from '@grpc/grpc-js';

/** The statuses that came from the server, by what came with them: the gRPC library makes others, in similar words. */
const receivedStatus = new WeakMap<Metadata, unknown>();

const { fromHttp2Headers } = Metadata;
Metadata.fromHttp2Headers = (headers) => {
	const metadata = fromHttp2Headers(headers);
	receivedStatus.set(metadata, headers['grpc-status']);
	return metadata;
};

/** Whether the server said so, and not the gRPC library in its place. */
export function isFromServer({ code, metadata }: Pick<StatusObject, 'code' | 'metadata'>): boolean {
	return Object.is(Number(receivedStatus.get(metadata)), code);
}
