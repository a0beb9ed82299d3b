import { asDecimal } from '../core/chain/evm';

/** Whether a notification is ours: gateways send what was not asked for. Until the name is known, all are. */
export class Subscription {
	/** As the node calls it. */
	name: unknown;

	isMeantBy(name: unknown): boolean {
		return this.name === undefined || this.name === null || spelt(this.name) === spelt(name);
	}
}

/** Nodes spell the same name in more than one way. */
function spelt(name: unknown): string {
	return asDecimal(name) ?? String(name);
}
