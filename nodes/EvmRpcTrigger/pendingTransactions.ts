import type { JsonObject } from '../core/values/json';
import { isRecord } from '../core/values/parse';
import type { Connection } from './connection';
import type { Listener, SocketEvent, SocketStep, TriggerDeps } from './listener';

export const pendingTransaction: SocketEvent = {
	name: 'Pending Transaction',
	action: 'On pending transaction (mempool)',
	description:
		'Starts the workflow when a transaction starts waiting for a block. Few chain nodes announce all waiting transactions.',
	fields: [],
	createListener: (_parameters, deps) => new PendingTransactions(deps),
};

/**
 * This many hashes are remembered, so that no transaction is emitted twice. When there are more, the oldest are
 * forgotten.
 */
const MAX_REMEMBERED_HASHES = 10_000;

/** Emits each transaction once. Transactions that are announced during an outage are lost. */
class PendingTransactions implements Listener {
	readonly outageAdvice = 'Transactions announced meanwhile are lost.';
	private readonly emitted = new Set<string>();

	constructor(private readonly deps: TriggerDeps) {}

	async subscribe({ subscription }: Connection): Promise<void> {
		await subscription.subscribe('newPendingTransactions');
	}

	async *listen({ inbox, closed, subscription }: Connection): AsyncGenerator<SocketStep> {
		const { renewalMs } = this.deps.timing;
		let renewedAt = Date.now();
		yield { kind: 'caughtUp' };
		while (!closed.aborted) {
			const messages = await inbox.takeAll();
			const items = messages.filter((message) => this.isFresh(message)).map(formatItem);
			if (items.length > 0) yield { kind: 'found', items, key: JSON.stringify(items) };
			if (!messages.some(isPingAnswer) || Date.now() - renewedAt < renewalMs) continue;
			await subscription.renew();
			renewedAt = Date.now();
		}
	}

	private isFresh(message: unknown): boolean {
		const hash = isRecord(message) ? message.hash : message;
		if (typeof hash !== 'string' || !/^0x[0-9a-f]{64}$/i.test(hash)) return false;
		if (this.emitted.has(hash)) return false;
		this.emitted.add(hash);
		const [oldest = ''] = this.emitted;
		if (this.emitted.size > MAX_REMEMBERED_HASHES) this.emitted.delete(oldest);
		return true;
	}
}

/**
 * Tells whether a message is the answer to a ping: a block number, which is shorter than a hash. A ping is sent only over an idle
 * connection.
 */
function isPingAnswer(message: unknown): boolean {
	return typeof message === 'string' && /^0x[0-9a-f]{1,63}$/i.test(message);
}

/** Formats an announced transaction, which is a hash, or on some nodes the whole transaction. */
function formatItem(message: unknown): JsonObject {
	return isRecord(message) ? message : { result: message };
}
