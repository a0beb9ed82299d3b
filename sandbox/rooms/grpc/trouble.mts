import { type Metadata, status } from '@grpc/grpc-js';
import { getSpellings } from '../../wire/echoPage.mts';
import { pause } from '../../wire/pause.mts';
import { GrpcFailure, serverStreamHandler, unaryHandler } from './methods.mts';

export const troubleHandlers = {
	Fail: unaryHandler(({ code, message }: { code: number; message: string }) => {
		if (code !== status.OK) throw new GrpcFailure(code, message);
		return {};
	}),
	Slow: unaryHandler(async ({ delayMs }: { delayMs: number }) => {
		await pause(delayMs);
		return { delayMs };
	}),
	Break: serverStreamHandler(breakAfter),
	EchoToken: unaryHandler((_asked: object, metadata: Metadata) => {
		const token = String(metadata.get('x-token')[0]);
		throw new GrpcFailure(status.INTERNAL, `x-token was ${getSpellings(token).join(', ')}`);
	}),
	Huge: unaryHandler(({ bytes }: { bytes: number }) => ({ data: Buffer.alloc(bytes, 7) })),
};

function* breakAfter({ after }: { after: number }): Generator<{ count: number }> {
	for (let count = 1; count <= after; count++) yield { count };
	throw new GrpcFailure(status.INTERNAL, 'broke on purpose');
}
