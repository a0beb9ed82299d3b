import {
	addHints,
	FAMILIES,
	formatUnits,
	isMissing,
	makeMark,
	type PaymentPlace,
	type PreparedPayment,
} from '../../../nodes/core';
import { forbid } from '../../rules/refusal';
import type { PreparedRequest } from '../core/prepared';
import { checkPayer, type ReadyTransaction } from './payerTransactions';
import type { ReadyDeposit, Sweeping } from './sweeping';

/** A top-up that the rules allow. */
export interface TopUp extends ReadyTransaction {
	/** In whole coins. */
	readonly amount: string;
}

interface PlannedTopUp {
	readonly deposit: ReadyDeposit;
	readonly amount: string;
	readonly prepared: PreparedPayment<PreparedRequest>;
	readonly renewal: PaymentPlace<PreparedRequest>['renewal'];
}

/** Completes all planned top-ups, and asks the rules about each of them. */
export async function readyTopUps(
	sweeping: Sweeping,
	planned: readonly PlannedTopUp[],
): Promise<readonly TopUp[]> {
	const topUps = await Promise.all(
		planned.map(async ({ deposit, amount, prepared: { unsigned }, renewal }) => ({
			deposit,
			amount,
			signing: isMissing(renewal) ? unsigned : await renewal.renew(unsigned),
		})),
	);
	const requests = topUps.map(({ signing }) => signing);
	await checkPayer(sweeping, requests, 'top-ups');
	addHints(
		sweeping.context,
		planned.flatMap(({ prepared }) => prepared.hints),
	);
	return topUps;
}

/** Prepares the top-ups in the order of the addresses. If the account cannot pay for all of them, none is prepared. */
export async function planTopUps(
	sweeping: Sweeping,
	lacking: readonly ReadyDeposit[],
): Promise<readonly PlannedTopUp[]> {
	const { chain, family, payer, policy } = sweeping;
	const { coin } = FAMILIES[chain];
	const places: Array<PaymentPlace<PreparedRequest>> = [];
	const planned = lacking.map((deposit) => {
		const { missing, facts, turn = '' } = deposit.prepared;
		const amount = formatUnits(missing, coin.decimals);
		if (missing > policy.maxFee) refuseLarge(sweeping, String(facts.from), amount);
		const mark = makeMark(chain, JSON.stringify(['top-up', turn]));
		const asked = { token: '', to: String(facts.from), amount, comment: '', mark };
		const place = family.plan(asked).reserve(payer);
		places.push(place);
		return { deposit, amount, place };
	});
	try {
		return await Promise.all(
			planned.map(async ({ place, ...topUp }) => {
				const prepared = await place.prepare();
				return { ...topUp, prepared, renewal: place.renewal };
			}),
		);
	} finally {
		for (const { release } of places) release();
	}
}

function refuseLarge({ policy }: Sweeping, address: string, amount: string): never {
	const { family, maxFee } = policy;
	forbid(family.rules.fee, {
		wants: `${address} would be topped up by ${amount} coins`,
		allowed: `Allowed: at most ${formatUnits(maxFee, family.coinDecimals)}`,
	});
}
