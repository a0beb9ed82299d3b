import { type Metadata, status } from '@grpc/grpc-js';
import { spellings } from '../../wire/echoPage.mts';
import { pause } from '../../wire/pause.mts';
import { Failure, serverStreaming, unary } from './methods.mts';

export const trouble = {
	Fail: unary(({ code, message }: { code: number; message: string }) => {
		if (code !== status.OK) throw new Failure(code, message);
		return {};
	}),
	Slow: unary(async ({ delayMs }: { delayMs: number }) => {
		await pause(delayMs);
		return { delayMs };
	}),
	Break: serverStreaming(broken),
	EchoToken: unary((_asked: object, metadata: Metadata) => {
		const token = String(metadata.get('x-token')[0]);
		throw new Failure(status.INTERNAL, `x-token was ${spellings(token).join(', ')}`);
	}),
	Huge: unary(({ bytes }: { bytes: number }) => ({ data: Buffer.alloc(bytes, 7) })),
};

function* broken({ after }: { after: number }): Generator<{ count: number }> {
	for (let count = 1; count <= after; count++) yield { count };
	throw new Failure(status.INTERNAL, 'broke on purpose');
}
