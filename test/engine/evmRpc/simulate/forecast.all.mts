import type { Hex } from 'viem';
import { simulateTransaction, type Simulation } from '../../../../nodes/core/evm/simulate/simulate';
import { parseSimulatedTransaction } from '../../../../nodes/core/evm/simulate/transaction';
import { createRandom } from '../../../harness/random.mts';
import { createSandbox } from '../../../harness/sandbox.mts';
import { createActions } from './actions.mts';
import { createReader } from './chainReader.mts';
import {
	buildWorld,
	createStateReader,
	toHolder,
	UNTRUE_TOKENS,
	type State,
	type World,
} from './world.mts';

/**
 * These tests run random transactions on a real chain. The forecast must equal the real effects, to the last unit.
 */
const TRANSACTIONS = 500;
const SEED = 62;
jest.setTimeout(2_000 * TRANSACTIONS);

const sandbox = createSandbox({ chain: true });

const GWEI = 10n ** 9n;
const quantity = (value: bigint) => `0x${value.toString(16)}`;

/** The ways in which a transaction sets its gas price. Without a price, a simulation charges no fee. */
const PRICES = [
	{},
	{ gasPrice: quantity(20n * GWEI) },
	{ maxFeePerGas: quantity(30n * GWEI), maxPriorityFeePerGas: quantity(2n * GWEI) },
	{ maxFeePerGas: quantity(7n * GWEI), maxPriorityFeePerGas: quantity(7n * GWEI) },
];

/** Finds the differences between two states, by account and asset. The fee is left out. */
function findChanges(before: State, after: State, fee: { account: Hex; wei: bigint }) {
	const changes = new Map<string, bigint>();
	for (const [key, value] of after) {
		const [kind, token, id] = key.split(' ');
		const old = before.get(key) ?? 0n;
		if (kind === 'owner' && value !== old) {
			if (old !== 0n) changes.set(`erc721 ${token} ${id} ${toHolder(old)}`, -1n);
			if (value !== 0n) changes.set(`erc721 ${token} ${id} ${toHolder(value)}`, 1n);
		}
		if (kind !== 'coin' && kind !== 'erc20' && kind !== 'erc1155') continue;
		const paid = key === `coin null null ${fee.account}` ? fee.wei : 0n;
		if (value + paid !== old) changes.set(key, value + paid - old);
	}
	return changes;
}

function toForecast({ changes }: Pick<Simulation, 'changes'>) {
	return new Map(
		changes.map(({ kind, token, id, account, value }) => [
			`${kind} ${token} ${id} ${account}`,
			BigInt(value),
		]),
	);
}

type Changes = ReadonlyMap<string, bigint>;
const pick = (changes: Changes, isWanted: (key: string) => boolean) =>
	new Map([...changes].filter(([key]) => isWanted(key)));

type Listed = Simulation['approvals'][number];

/** Reads the state of an approval that the simulation lists. */
function readApproval(state: State, { token, owner, spender, id }: Listed) {
	if (id !== undefined) return state.get(`approved ${token} ${id}`);
	return (
		state.get(`allowance ${token} ${owner} ${spender}`) ??
		state.get(`all ${token} ${owner} ${spender}`)
	);
}

function toExpected({ value, isUnlimited, spender, id }: Listed): bigint {
	if (id !== undefined) return value === '0' ? 0n : BigInt(spender);
	return value === null && isUnlimited ? 1n : BigInt(value ?? -1);
}

const nameApproval = ({ token, owner, spender, id }: Listed) =>
	id === undefined ? `${token} ${owner} ${spender}` : `${token} ${id}`;

/** Lists the names of all approvals that differ between two states. */
function findOtherApprovals(before: State, after: State): string[] {
	return [...after].flatMap(([key, value]) => {
		const [kind, ...name] = key.split(' ');
		const isApproval = kind === 'allowance' || kind === 'all' || kind === 'approved';
		return isApproval && value !== before.get(key) ? [name.join(' ')] : [];
	});
}

test(`${TRANSACTIONS} transactions do what was forecast`, async () => {
	const world: World = await buildWorld(sandbox);
	const readState = createStateReader(world);
	const draw = createActions(world, createRandom(SEED));
	const readers = {
		eth_simulateV1: createReader(sandbox),
		debug_traceCall: createReader(sandbox, 'eth_simulateV1'),
	};
	const untrue = new Set(
		UNTRUE_TOKENS.map((name) => world.tokens[name as keyof World['tokens']].address),
	);
	const isTold = (key: string) => !untrue.has(key.split(' ')[1] as Hex);
	const counts = { succeeded: 0, reverted: 0, changed: 0, approved: 0 };
	let before = await readState();
	for (let left = TRANSACTIONS; left > 0; left--) {
		const { what, from, to, data, value } = draw();
		const prices = PRICES[left % PRICES.length];
		const sent = {
			from,
			...(to && { to }),
			data,
			value: quantity(value),
			gas: '0x300000',
			...prices,
		};
		const simulated = parseSimulatedTransaction(sent);
		const [best, traced] = await Promise.all([
			simulateTransaction(readers.eth_simulateV1, simulated, 'latest'),
			simulateTransaction(readers.debug_traceCall, simulated, 'latest'),
		]);
		const receipt = (await sandbox.mined(sent)) as unknown as Record<string, Hex>;
		const after = await readState();
		const wei = BigInt(receipt.gasUsed!) * BigInt(receipt.effectiveGasPrice!);
		const happened = findChanges(before, after, { account: from, wei });
		const forecast = toForecast(best);
		// The token Growing changes all balances, also of accounts that no event names, so only some of its changes are
		// compared.
		const { address: growing } = world.tokens.Growing;
		const isMet = to === growing || best.events.some(({ contract }) => contract === growing);
		const isNamed = (key: string) =>
			!key.includes(growing) || forecast.has(key) || (isMet && key.endsWith(from));
		const isDone = receipt.status === '0x1';
		const outcome = { what, success: isDone, gasUsed: Number(receipt.gasUsed) };
		expect({ what, success: best.success, gasUsed: best.gasUsed }).toEqual(outcome);
		expect({ what, success: traced.success, gasUsed: traced.gasUsed }).toEqual(outcome);
		expect(best.by).toBe(to ? 'eth_simulateV1' : 'debug_traceCall');
		expect({ what, changes: forecast }).toEqual({ what, changes: pick(happened, isNamed) });
		const told = pick(toForecast(traced), isTold);
		expect({ what, changes: told }).toEqual({ what, changes: pick(happened, isTold) });
		for (const approval of best.approvals) {
			const found = readApproval(after, approval);
			expect({ what, approval, found }).toEqual({ what, approval, found: toExpected(approval) });
		}
		const listed = new Set(best.approvals.map(nameApproval));
		const unlisted = findOtherApprovals(before, after).filter((name) => !listed.has(name));
		expect({ what, unlisted }).toEqual({ what, unlisted: [] });
		expect(best.revertReason === null).toBe(isDone);
		counts[isDone ? 'succeeded' : 'reverted']++;
		counts.changed += happened.size;
		counts.approved += listed.size;
		before = after;
	}
	// Enough of the transactions must succeed, revert and change something. Otherwise the test would show nothing.
	expect(counts.succeeded).toBeGreaterThan(TRANSACTIONS / 3);
	expect(counts.reverted).toBeGreaterThan(TRANSACTIONS / 10);
	expect(counts.changed).toBeGreaterThan(TRANSACTIONS / 2);
	expect(counts.approved).toBeGreaterThan(TRANSACTIONS / 20);
});
