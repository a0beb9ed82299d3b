import { quantityToDecimal, hexParser } from '../core/evm/chainObjects';
import { readFees } from '../core/evm/fees';
import { pathField } from '../core/operation/path';
import { rpcOperation } from '../core/protocols/rpc/operation';
import { GWEI_DECIMALS, formatUnits } from '../core/values/units';

const get = rpcOperation({
	name: 'Get',
	action: 'Get gas price and fees',
	description:
		'Get the gas price, the base fee of the next block, and the priority fees that slow, normal and fast transactions pay',
	fields: [pathField('/')],
	async *run(_, chain) {
		yield await readFees(chain);
	},
});

const getMaxPriority = rpcOperation({
	name: 'Get Max Priority Fee',
	action: 'Get maximum priority fee',
	description:
		'Get the priority fee (tip) that the chain node suggests for a unit of gas, or 0x0 on chains without such a fee',
	fields: [pathField('/evm')],
	request: () => ({ method: 'eth_maxPriorityFeePerGas', params: [] }),
	answer: hexParser('a fee as 0x-hex'),
	items: (fee) => {
		const wei = quantityToDecimal(fee);
		return [{ result: fee, wei, gwei: wei && formatUnits(BigInt(wei), GWEI_DECIMALS) }];
	},
});

export const fee = { name: 'Fee', operations: { get, getMaxPriority } };
