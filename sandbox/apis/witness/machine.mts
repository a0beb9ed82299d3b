import type { RpcFailure } from '../../jsonRpc/calls.mts';
import { createTurns } from '../../turns.mts';
import type { Chain } from '../evm/chain.mts';
import type { InternalTransfer, Log, Outcome } from './state.mts';

interface MachineCall {
	/** The hex address (41…) of the account that calls. */
	owner: string;
	contract: string;
	/** The input of the call in hex. */
	data: string;
	callValue: number;
}

/** Runs contracts on the sandbox's EVM chain. A contract has the same address there, without the `41` at the front. */
export interface Machine {
	hasCode: (contract: string) => Promise<boolean>;
	/** Runs a call without any effect on the chain. */
	tryCall: (call: MachineCall) => Promise<TriedCall>;
	execute: (
		call: MachineCall & { energyLimit: number },
	) => Promise<Pick<Outcome, 'energy'> & Partial<Outcome>>;
}

interface TriedCall {
	/** The data that the contract returned, in hex. */
	returned: string;
	hasReverted: boolean;
	energy: number;
	logs: Log[];
}

/** The price of a unit of energy, in sun. */
export const ENERGY_PRICE_SUN = 100;
/** The gas that the EVM charges for a call before its code runs. TRON does not charge it. */
const CALL_GAS = 21_000;
const PLENTY_WEI = `0x${(10n ** 30n).toString(16)}`;

export function createMachine(chain: Chain | undefined): Machine {
	const toEvmAddress = (account: string) => `0x${account.slice(2)}`;
	const buildTransaction = ({ owner, contract, data, callValue }: MachineCall) => ({
		from: toEvmAddress(owner),
		to: toEvmAddress(contract),
		data: `0x${data}`,
		value: `0x${callValue.toString(16)}`,
		gasPrice: '0x0',
	});

	async function tryCall(call: MachineCall): Promise<TriedCall> {
		if (!chain) throw new Error('The sandbox has no chain');
		const transaction = buildTransaction(call);
		// The EVM chain does not know the coins of a TRON account, so the account gets plenty of coins there for the call.
		const rich = { [transaction.from]: { balance: PLENTY_WEI } };
		const simulated = { blockStateCalls: [{ stateOverrides: rich, calls: [transaction] }] };
		const [returned, gas, blocks] = await Promise.allSettled([
			chain.call('eth_call', [transaction, 'latest', rich]),
			chain.call('eth_estimateGas', [transaction, 'latest', rich]),
			chain.call('eth_simulateV1', [simulated, 'latest']),
		]);
		const [block] = blocks.status === 'fulfilled' ? (blocks.value as SimulatedBlock[]) : [];
		const logs = (block?.calls[0]?.logs ?? []).map(toWitnessLog);
		const used = gas.status === 'fulfilled' ? Number(gas.value) : CALL_GAS + 5000;
		const energy = Math.max(used - CALL_GAS, 0);
		if (returned.status === 'fulfilled') {
			return { returned: String(returned.value).slice(2), hasReverted: false, energy, logs };
		}
		return { returned: getRevertData(returned.reason), hasReverted: true, energy, logs: [] };
	}

	// The transactions of an account are sent in turn. Otherwise, the first to finish would stop the impersonation of the
	// account, which the others still need.
	const sendInTurn = createTurns();

	return {
		hasCode: async (contract) =>
			chain !== undefined &&
			(await chain.call('eth_getCode', [toEvmAddress(contract), 'latest'])) !== '0x',
		tryCall,
		execute: async ({ energyLimit, ...call }) => {
			const { returned, hasReverted, energy } = await tryCall(call);
			const contract_address = call.contract;
			if (energy > energyLimit) {
				return {
					energy: energyLimit,
					result: 'OUT_OF_ENERGY',
					returned: '',
					message: `Not enough energy for 'SSTORE' operation executing: curInvokeEnergyLimit[${energyLimit}], curOpEnergy[20000], usedEnergy[0]`,
					contract_address,
				};
			}
			const outcome = { energy, returned, contract_address };
			if (hasReverted) return { ...outcome, result: 'REVERT', message: 'REVERT opcode executed' };
			const done = sendInTurn(async () => await sendAs(chain!, buildTransaction(call)));
			return { ...outcome, ...(await done), result: 'SUCCESS' };
		},
	};
}

interface SimulatedBlock {
	calls: { logs: Log[] }[];
}

/** Sends a transaction in the name of an account without its key. Returns the result of the transaction. */
async function sendAs(
	chain: Chain,
	{ gasPrice: _free, ...transaction }: { from: string; gasPrice: string },
) {
	const { from } = transaction;
	await chain.call('anvil_setBalance', [from, PLENTY_WEI]);
	await chain.call('anvil_impersonateAccount', [from]);
	const hash = await chain.call('eth_sendTransaction', [transaction]);
	let receipt: unknown;
	while (!(receipt = await chain.call('eth_getTransactionReceipt', [hash]))) {
		await chain.call('eth_blockNumber', []);
	}
	await chain.call('anvil_stopImpersonatingAccount', [from]);
	const { logs } = receipt as { logs: Log[] };
	const traces = (await chain.call('trace_transaction', [hash])) as Trace[];
	return { logs: logs.map(toWitnessLog), internal: traces.flatMap(toInternalTransfers) };
}

/** Converts a log to the form of TRON, which writes hex without `0x`. */
const toWitnessLog = ({ address, topics, data }: Log): Log => ({
	address: toWitnessAccount(address),
	topics: topics.map((topic) => topic.slice(2)),
	data: data.slice(2),
});

const toWitnessAccount = (address: string) => `41${address.slice(2).toLowerCase()}`;

interface Trace {
	type: string;
	action: { from: string; to?: string; callType?: string; value?: string };
	result?: { address?: string } | null;
	error?: string;
	traceAddress: number[];
}

/** Converts a trace of a call or a creation to an internal transaction. A delegate call is left out. */
function toInternalTransfers(
	{ type, action, result, error, traceAddress }: Trace,
	_index: number,
	all: Trace[],
): InternalTransfer[] {
	const to = action.to ?? result?.address;
	const isOwn = type === 'create' || action.callType === 'call';
	if (traceAddress.length === 0 || !isOwn || !to) return [];
	const isAbove = ({ traceAddress: above }: Trace) =>
		above.length < traceAddress.length && above.every((at, depth) => at === traceAddress[depth]);
	return [
		{
			from: toWitnessAccount(action.from),
			to: toWitnessAccount(to),
			callValue: Number(action.value ?? 0),
			note: type,
			rejected: error !== undefined || all.some((one) => one.error !== undefined && isAbove(one)),
		},
	];
}

function getRevertData(reason: unknown): string {
	const { data } = (reason as RpcFailure).error;
	const hex = typeof data === 'string' ? data : (data as { data?: unknown } | undefined)?.data;
	return typeof hex === 'string' && hex.startsWith('0x') ? hex.slice(2) : '';
}
