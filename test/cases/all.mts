import type { Access, Case, NodeCases } from './case.mts';
import { evmRpc } from './evmRpc.mts';
import { faucet } from './faucet.mts';
import { grpc } from './grpc.mts';
import { ipfsPin } from './ipfsPin.mts';
import { l2Simulate } from './l2Simulate.mts';
import { pay } from './pay.mts';
import { platform } from './platform.mts';
import { signer } from './signer.mts';
import { stark } from './stark.mts';
import { ton } from './ton.mts';
import { tonFee } from './tonFee.mts';
import { trace } from './trace.mts';
import { utilities } from './utilities.mts';
import { witnessWallet } from './witnessWallet.mts';

/** A test case of an operation, together with the credentials of its node. */
export interface CaseOfNode extends Omit<Case, 'accesses'>, Pick<NodeCases, 'node' | 'accesses'> {
	readonly isFirst: boolean;
}

/**
 * The test cases of all nodes. The samples of the documentation are made in this order, because each case can see
 * what earlier cases left on the chain.
 */
export const NODE_CASES: readonly NodeCases[] = [
	evmRpc,
	trace,
	l2Simulate,
	stark,
	ton,
	tonFee,
	platform,
	ipfsPin,
	faucet,
	witnessWallet,
	grpc,
	utilities,
	signer,
	pay,
];

export const CASES: readonly CaseOfNode[] = NODE_CASES.flatMap(({ node, accesses, cases }) =>
	cases.map((one, index) => ({
		...one,
		node,
		accesses: one.accesses ?? accesses,
		isFirst: index === 0,
	})),
);

/** Returns the credential that a node uses if the case chooses none. */
export function getFirstAccess(name: string): Access {
	const found = NODE_CASES.find(({ node }) => node === name);
	if (!found) throw new Error(`There are no cases of a node "${name}"`);
	return found.accesses[0];
}

export const nameOf = ({ node, resource, operation, about }: CaseOfNode) =>
	`${node} ${resource} ${operation}${about ? `, ${about}` : ''}`;
