import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { hash, num } from 'starknet';
import { waitForExecution } from '../../demo/examples/run.mts';
import { createWitnessAddress } from '../../demo/examples/witness.mts';
import { waitUntil } from '../harness/until.mts';
import { thorough } from './folder.mts';
import { buildScene } from './scene.mts';
import {
	errorOf,
	line,
	ours,
	outputs,
	resultOf,
	save,
	START,
	type Parameters,
} from './workflows.mts';
import { balanceOf, control, demo } from './world.mts';

/** The delay of the answer to a sent payment. n8n is killed before the delay ends. */
const HELD_MS = 60_000;

interface Payment {
	/** The fields of Chain Pay. */
	parameters: Parameters;
	/** The amount of the payment, in the smallest unit. */
	value: bigint;
	/** Reads the balance of the receiver from the chain. */
	readBalance: () => Promise<bigint>;
	/** The balance of the receiver before the payment, by default 0. */
	before?: bigint;
}

const createAddress = (bytes: number) => `0x${randomBytes(bytes).toString('hex')}`;

/** Sends a request to the chain's node. No code of this package takes part. */
async function ask<T>(path: string, body?: object): Promise<T> {
	const { nodeUrl, authToken } = demo.sandbox;
	const answer = await fetch(`${nodeUrl}/${authToken}/${path}`, {
		method: body ? 'POST' : 'GET',
		headers: { 'content-type': 'application/json' },
		body: body && JSON.stringify(body),
	});
	return (await answer.json()) as T;
}

/** Builds a payment to a new address, whose balance is then exactly the paid amount. */
function payCoins(more: Parameters = {}): Payment {
	const to = createAddress(20);
	return {
		parameters: { chain: 'evm', to, amount: '0.001', ...more },
		value: 10n ** 15n,
		readBalance: async () => BigInt(await balanceOf(to)),
	};
}

async function payOnWitness(): Promise<Payment> {
	const to = createWitnessAddress();
	const readBalance = async () => {
		const asked = { address: to, visible: true };
		const { balance = 0 } = await ask<{ balance?: number }>('wallet/getaccount', asked);
		return BigInt(balance);
	};
	const parameters = { chain: 'witness', to, amount: '1.5' };
	// On the sandbox's TRON chain, every account has some coins from the start.
	return { parameters, value: 1_500_000n, readBalance, before: await readBalance() };
}

function payOnTon(): Payment {
	const to = `0:${randomBytes(32).toString('hex')}`;
	const readBalance = async () => {
		const query = new URLSearchParams({ address: to });
		const { accounts } = await ask<{ accounts: Array<{ balance: string }> }>(
			`api/v3/accountStates?${query}`,
		);
		return BigInt(accounts[0]?.balance ?? 0);
	};
	const parameters = { chain: 'ton', to, amount: '0.05', comment: 'Killed' };
	return { parameters, value: 50_000_000n, readBalance };
}

async function payOnStark(): Promise<Payment> {
	const { token } = (await buildScene('token')).stark;
	// Starknet's nodes take no number with leading zeros.
	const to = num.cleanHex(createAddress(31));
	const call = {
		contract_address: token,
		entry_point_selector: hash.getSelectorFromName('balance_of'),
		calldata: [to],
	};
	const asked = { jsonrpc: '2.0', id: 1, method: 'starknet_call', params: [call, 'latest'] };
	const readBalance = async () =>
		BigInt((await ask<{ result: string[] }>('', asked)).result[0] ?? 0);
	return {
		parameters: { chain: 'stark', token, to, amount: '0.25' },
		value: 250_000n,
		readBalance,
	};
}

const payer = (parameters: Parameters, more: object = {}) =>
	ours('pay', 'payer', { authentication: 'token', ...parameters }, more);

const begin = async (id: string) => await demo.api.runWorkflow(id, START);
const end = async (execution: string) => await waitForExecution(demo.api, execution);
const waitUntilPaid = async (payment: Payment) =>
	await waitUntil(async () => await isPaidOnce(payment));

/** Returns whether a payment has arrived exactly once. An account of TON keeps a little less than it receives. */
async function isPaidOnce({ readBalance, value, before = 0n }: Payment): Promise<boolean> {
	const got = (await readBalance()) - before;
	return got > 0n && got <= value;
}

/** The message of a refused repetition. It ends with the hash of the earlier payment. */
const SAME_PAYMENT = /^The same payment was made (less than a|a|\d+) minutes? ago: \S{44,}$/;

const FINISH = 'Finish';
const finish = (signedTransaction: string) =>
	payer({ operation: 'finish', chain: 'evm', signedTransaction });

describe('Chain Pay, where n8n is killed once a payment was sent', thorough, () => {
	const payments = new Map<string, Payment & { workflowId: string }>();
	/** A payment whose outcome is unknown. n8n is killed while the operation Finish sends it again. */
	const unfinished = payCoins({ waitFor: 0 });
	let kept: string;

	before(async () => {
		const held = { sends: 'any', times: 100, do: { delay: HELD_MS, when: 'after' } };
		await control('POST', '/faults', { sends: 'evm', times: 1, do: { status: 401, body: {} } });
		await control('POST', '/faults', held);
		const finishing = finish('={{ $json.signedTransaction }}');
		const flow = line(payer(unfinished.parameters), { ...finishing, name: FINISH });
		kept = await begin(await save({ ...flow, settings: { saveExecutionProgress: true } }));
		await waitUntilPaid(unfinished);

		const all = {
			evm: payCoins(),
			witness: await payOnWitness(),
			ton: payOnTon(),
			stark: await payOnStark(),
		};
		for (const [chain, payment] of Object.entries(all)) {
			const workflowId = await save(line(payer(payment.parameters)));
			payments.set(chain, { ...payment, workflowId });
			await begin(workflowId);
		}
		await Promise.all(Object.values(all).map(waitUntilPaid));
		await demo.crash();
		await control('DELETE', '/faults');
	});
	after(async () => await control('DELETE', '/faults'));

	for (const chain of ['evm', 'witness', 'ton', 'stark']) {
		it(`on ${chain}, the same workflow run again is refused, and the receiver is paid once`, async () => {
			const payment = payments.get(chain)!;
			const execution = await end(await begin(payment.workflowId));
			assert.equal(execution.status, 'error');
			assert.match(errorOf(execution).message, SAME_PAYMENT);
			assert.ok(await isPaidOnce(payment));
		});
	}

	it('what n8n kept of an unknown payment is enough to finish it, and the receiver is paid once', async () => {
		const [[item] = []] = outputs(await demo.api.execution(kept));
		assert.equal(item?.json.status, 'unknown');
		const [finished] = await resultOf(line(finish(String(item?.json.signedTransaction))));
		assert.equal(finished?.status, 'confirmed', String(finished?.reason));
		assert.ok(await isPaidOnce(unfinished));
	});
});
