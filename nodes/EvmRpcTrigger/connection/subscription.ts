import { asDecimal } from '../../core/evm/objects/chainObject';
import type { Ask } from '../../core/evm/header';

/** What a connection is subscribed to. Gateways send what was not asked for, and lose subscriptions without a word. */
export class Subscription {
	private to = '';
	/** As the node calls it. Until it is known, every notification counts as ours. */
	private name: unknown;

	constructor(
		private readonly ask: Ask,
		/** Says something to the node without waiting for an answer. */
		private readonly say: (method: string, params: readonly unknown[]) => void,
	) {}

	async begin(to: string): Promise<void> {
		this.to = to;
		this.name = undefined;
		this.name = await this.ask('eth_subscribe', [to]);
	}

	async renew(): Promise<void> {
		const { name } = this;
		await this.begin(this.to);
		this.say('eth_unsubscribe', [name]);
	}

	isMeantBy(name: unknown): boolean {
		return this.name === undefined || this.name === null || spelt(this.name) === spelt(name);
	}
}

/** Nodes spell the same name in more than one way. */
function spelt(name: unknown): string {
	return asDecimal(name) ?? String(name);
}
