import type { Chain } from '../../chain/chain.mts';
import type { RpcFailure } from '../../wire/envelope.mts';
import type { Outcome } from './state.mts';

export interface Call {
	/** Both in hex (41…). */
	owner: string;
	contract: string;
	/** In hex. */
	data: string;
	callValue: number;
}

/** Runs contracts; those of the sandbox's EVM chain, whose addresses are the same behind the 41. */
export interface Machine {
	hasCode: (contract: string) => Promise<boolean>;
	/** Without a trace. */
	tried: (call: Call) => Promise<Tried>;
	execute: (
		call: Call & { feeLimit: number },
	) => Promise<Pick<Outcome, 'energy' | 'energy_fee'> & Partial<Outcome>>;
}

export interface Tried {
	/** In hex. */
	returned: string;
	hasReverted: boolean;
	energy: number;
}

/** Sun for a unit of energy. */
const energyPrice = 100;
/** What a call costs on the EVM before its code runs; the witness chain has no such charge. */
const callGas = 21_000;
const plenty = `0x${(10n ** 30n).toString(16)}`;

export function machineOf(chain: Chain | undefined): Machine {
	const evm = (account: string) => `0x${account.slice(2)}`;
	const terms = ({ owner, contract, data, callValue }: Call) => ({
		from: evm(owner),
		to: evm(contract),
		data: `0x${data}`,
		value: `0x${callValue.toString(16)}`,
		gasPrice: '0x0',
	});

	async function tried(call: Call): Promise<Tried> {
		if (!chain) throw new Error('The sandbox has no chain');
		const [returned, gas] = await Promise.allSettled([
			chain.ask('eth_call', [terms(call), 'latest']),
			chain.ask('eth_estimateGas', [terms(call)]),
		]);
		const used = gas.status === 'fulfilled' ? Number(gas.value) : callGas + 5000;
		const energy = Math.max(used - callGas, 0);
		if (returned.status === 'fulfilled') {
			return { returned: String(returned.value).slice(2), hasReverted: false, energy };
		}
		return { returned: revertDataOf(returned.reason), hasReverted: true, energy };
	}

	return {
		hasCode: async (contract) =>
			chain !== undefined && (await chain.ask('eth_getCode', [evm(contract), 'latest'])) !== '0x',
		tried,
		execute: async ({ feeLimit, ...call }) => {
			const { returned, hasReverted, energy } = await tried(call);
			const contract_address = call.contract;
			if (energy * energyPrice > feeLimit) {
				return {
					energy: Math.floor(feeLimit / energyPrice),
					energy_fee: feeLimit,
					result: 'OUT_OF_ENERGY',
					returned: '',
					message: `Not enough energy for 'SSTORE' operation executing: curInvokeEnergyLimit[${Math.floor(feeLimit / energyPrice)}], curOpEnergy[20000], usedEnergy[0]`,
					contract_address,
				};
			}
			const told = { energy, energy_fee: energy * energyPrice, returned, contract_address };
			if (hasReverted) return { ...told, result: 'REVERT', message: 'REVERT opcode executed' };
			await send(chain!, terms(call));
			return { ...told, result: 'SUCCESS' };
		},
	};
}

/** In the name of an account whose key nobody here has. */
async function send(
	chain: Chain,
	{ gasPrice: _free, ...transaction }: { from: string; gasPrice: string },
) {
	const { from } = transaction;
	await chain.ask('anvil_setBalance', [from, plenty]);
	await chain.ask('anvil_impersonateAccount', [from]);
	const hash = await chain.ask('eth_sendTransaction', [transaction]);
	while (!(await chain.ask('eth_getTransactionReceipt', [hash]))) {
		await chain.ask('eth_blockNumber', []);
	}
	await chain.ask('anvil_stopImpersonatingAccount', [from]);
}

function revertDataOf(reason: unknown): string {
	const { data } = (reason as RpcFailure).error;
	const hex = typeof data === 'string' ? data : (data as { data?: unknown } | undefined)?.data;
	return typeof hex === 'string' && hex.startsWith('0x') ? hex.slice(2) : '';
}
