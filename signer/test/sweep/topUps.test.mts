import { createContext } from '../../../test/unit/support/chains.mts';
import type { PayRequest } from '../../nodes/Pay/family';
import { signForPayer } from '../../nodes/Pay/payerTransactions';
import { readyTopUps } from '../../nodes/Pay/topUps';

/** Tests of top-ups whose transactions are built again right before they are signed. */

type Planned = Parameters<typeof readyTopUps>[1][number];
type Sweeping = Parameters<typeof readyTopUps>[0];

const REFUSAL = 'The rule Witness Max Expiry forbids it';

/** Creates a signer that refuses the given requests, and records what it signs. */
function createSigner(refused: readonly unknown[]) {
	const signed: unknown[] = [];
	const call = async ({ signing }: PayRequest) => {
		const { kind, given } = signing as { kind: string; given: unknown };
		const asked = kind === 'check' ? given : signing;
		if (refused.includes(asked)) throw new Error(REFUSAL);
		if (kind !== 'check') signed.push(signing);
		return await Promise.resolve({});
	};
	const takeSigned = () => ({ text: '', fields: {} });
	const context = createContext<PayRequest>(call);
	return { signed, sweeping: { context, family: { takeSigned } } as unknown as Sweeping };
}

const plan = (made: object, renewed: object) =>
	({
		deposit: { made },
		amount: '1',
		prepared: { unsigned: made, hints: [] },
		renewal: { renew: async () => await Promise.resolve(renewed) },
	}) as unknown as Planned;

const [first, second, late] = ['first', 'second', 'late'].map((name) => ({
	kind: 'witnessTransaction',
	given: name,
})) as [object, object, object];

test('none is signed where the rules refuse what became of the last', async () => {
	const { signed, sweeping } = createSigner([late]);
	const planned = [plan(first, first), plan(second, late)];
	await expect(readyTopUps(sweeping, planned)).rejects.toThrow(REFUSAL);
	expect(signed).toEqual([]);
});

test('all are signed in their order where the rules allow what became of them', async () => {
	const { signed, sweeping } = createSigner([second]);
	const topUps = await readyTopUps(sweeping, [plan(first, first), plan(second, late)]);
	expect(topUps).toHaveLength(2);
	expect((await signForPayer(sweeping, topUps)).signed.size).toBe(2);
	expect(signed).toEqual([first, late]);
});
