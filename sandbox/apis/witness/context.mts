import type { TronWeb } from './accounts.mts';
import type { Machine } from './machine.mts';
import type { Outcome, Wallet } from './state.mts';

export interface ContractContext {
	wallet: Wallet;
	visible: boolean;
	tronWeb: TronWeb;
	machine: Machine;
	/** The fee limit of the transaction, in sun. */
	feeLimit?: number;
}

/** A function that makes a contract's changes to the chain, when its transaction is included in a block. */
export type Effect = () => Partial<Outcome> | Promise<Partial<Outcome>>;

export interface Visible {
	visible?: boolean;
}

export type CreateContext = (body: Visible) => Promise<ContractContext>;
