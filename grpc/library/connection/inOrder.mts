import { status as Status, type StatusObject } from '@grpc/grpc-js';
import { Http2SubchannelCall } from '@grpc/grpc-js/build/src/subchannel-call';
import type { ClientHttp2Stream } from 'node:http2';
import { isFromServer } from './origin.mts';

/** What is needed of the gRPC library's inside. */
interface CallInternals {
	readonly http2Stream: ClientHttp2Stream;
	readonly finalStatus: StatusObject | null;
	readonly unpushedReadMessages: Buffer[];
	readonly isPushPending: boolean;
	readsClosed: boolean;
	canPush: boolean;
	push(message: Buffer): void;
	outputStatus(): void;
	maybeOutputStatus(): void;
	startRead(): void;
}

const call = Http2SubchannelCall.prototype as unknown as CallInternals;
const { startRead } = call;

/** The gRPC library tells of a failure at once, and drops the messages before it that nobody has taken yet. */
call.maybeOutputStatus = function () {
	const { finalStatus, readsClosed, unpushedReadMessages, isPushPending } = this;
	if (!finalStatus || isPushPending || unpushedReadMessages.length > 0) return;
	if (readsClosed || !isTrailing(finalStatus)) this.outputStatus();
};

call.startRead = function () {
	const { finalStatus, unpushedReadMessages } = this;
	if (!finalStatus || finalStatus.code === Status.OK) return startRead.call(this);
	this.canPush = true;
	const message = unpushedReadMessages.shift();
	if (message) return this.push(message);
	this.http2Stream.resume();
	this.maybeOutputStatus();
};

/** Whether all messages are there before it: it stands behind them, unless the library makes it of a break. */
function isTrailing(ending: StatusObject): boolean {
	return ending.code === Status.OK || isFromServer(ending);
}
