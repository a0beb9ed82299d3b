import type { INodeProperties } from 'n8n-workflow';

/**
 * The rules of the key of deposit addresses, which may only move tokens and coins to one destination. Each field is safe when it is empty.
 * No field takes an expression, because an expression could read values of a workflow.
 */
export const depositRuleFields: INodeProperties[] = [
	{
		displayName:
			'All that is signed goes to EVM Destination and Witness Destination. Enter wallets whose keys are not in n8n. Get Rules of Chain Signer says the worst case.',
		name: 'rulesNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'EVM Destination',
		name: 'evmDestination',
		type: 'string',
		noDataExpression: true,
		default: '',
		placeholder: 'e.g. 0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359',
		description:
			'The one address to which coins and tokens of deposit addresses are sent on EVM chains. The address must be yours on every chain in Chain IDs: a contract wallet may exist on one chain only.',
		hint: 'If EVM Destination is empty, nothing is sent from deposit addresses on EVM chains',
	},
	{
		displayName: 'Witness Destination',
		name: 'witnessDestination',
		type: 'string',
		noDataExpression: true,
		default: '',
		placeholder: 'e.g. TJRabPrwbZy45sbavfcjinPJC18kjpRTv8',
		description: 'The one address to which coins and tokens of deposit addresses are sent on TRON',
		hint: 'If Witness Destination is empty, nothing is sent from deposit addresses on TRON',
	},
	{
		displayName: 'Chain IDs',
		name: 'chainIds',
		type: 'string',
		noDataExpression: true,
		default: '',
		placeholder: 'e.g. 1, 11155111',
		description:
			'The IDs of the EVM chains on which deposit addresses are swept (emptied into EVM Destination), comma-separated',
		hint: 'If Chain IDs is empty, nothing is sent from deposit addresses on EVM chains',
	},
	{
		displayName: 'Tokens',
		name: 'tokens',
		type: 'string',
		typeOptions: { rows: 2 },
		noDataExpression: true,
		default: '',
		placeholder: 'e.g. 0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
		description:
			'The contract addresses of the tokens that may be sent from deposit addresses, comma-separated: 0x… on EVM chains, T… or 41… on TRON',
		hint: 'If Tokens is empty, only coins are sent',
	},
	{
		displayName: 'Max Fee',
		name: 'maxFee',
		type: 'string',
		noDataExpression: true,
		default: '0.01',
		placeholder: 'e.g. 0.01',
		description:
			'The highest fee of one EVM transaction of a deposit address, and the most coins that the address may get for this fee',
		hint: 'In coins per transaction, such as 0.01. If Max Fee is empty, transactions with a fee are refused.',
	},
	{
		displayName: 'Witness Max Fee',
		name: 'witnessMaxFee',
		type: 'string',
		noDataExpression: true,
		default: '30',
		placeholder: 'e.g. 30',
		description:
			'The highest fee of one TRON transaction of a deposit address, and the most coins that the address may get for this fee',
		hint: 'In coins per transaction, such as 30. If Witness Max Fee is empty, no TRON transaction is signed.',
	},
];
