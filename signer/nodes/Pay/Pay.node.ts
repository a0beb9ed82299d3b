// Chain Pay uses the credentials of the main package for its calls to chains. The main package is always installed with it.
/* eslint-disable @n8n/community-nodes/no-credential-reuse, @n8n/community-nodes/valid-credential-references */
import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import {
	buildProperties,
	buildProperty,
	buildSubtitle,
	nodeAuthentication,
	run,
} from '../../../nodes/core';
import { credentialTest } from '../core/editor';
import { connectPay } from './client';
import { findSignedFamilies } from './forms';
import { chain, signWith, sweptChain } from './fields';
import { finish } from './finish';
import { pay } from './pay';
import { preview } from './preview';
import { sweep } from './sweep';

const operations = { pay, preview, finish, sweep };
const resources = { payment: { name: 'Payment', operations } };

/** The operations without the field Chain. The form shows that field first, because it decides which credentials are needed. */
const drawnBelow = {
	payment: {
		name: 'Payment',
		operations: {
			pay: withoutChain(pay),
			preview: withoutChain(preview),
			finish: withoutChain(finish),
			sweep: withoutChain(sweep),
		},
	},
};

function withoutChain<Operation extends { readonly fields: readonly object[] }>(
	operation: Operation,
): Operation {
	return {
		...operation,
		fields: operation.fields.filter((field) => field !== chain && field !== sweptChain),
	};
}

const SIGNED_OPERATIONS = ['pay', 'preview'];

export class Pay implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Chain Pay',
		name: 'pay',
		icon: { light: 'file:../../icons/signer.svg', dark: 'file:../../icons/signer.dark.svg' },
		group: ['output'],
		version: 1,
		subtitle: buildSubtitle(resources),
		description:
			'Pay coins or tokens in one step on EVM, STARK, TON and TRON chains. The rules of a credential limit the payment. Chain Pay waits until the payment is confirmed.',
		defaults: { name: 'Chain Pay' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'chainNodeTokenApi',
				required: true,
				displayOptions: { show: { authentication: ['token'] } },
			},
			{
				name: 'chainNodeBasicAuthApi',
				required: true,
				displayOptions: { show: { authentication: ['basicAuth'] } },
			},
			{
				name: 'chainSignerKeyApi',
				required: true,
				testedBy: 'signerKey',
				displayOptions: {
					show: { operation: [...SIGNED_OPERATIONS, 'sweep'], chain: findSignedFamilies('key') },
					hide: { signWith: ['remote'] },
				},
			},
			{
				name: 'chainSignerRemoteApi',
				required: true,
				testedBy: 'signerRemote',
				// The choice `key` of the field `signWith` stands under `hide`. If it stood under `show`, the editor would hide
				// the field Chain.
				displayOptions: {
					show: { operation: SIGNED_OPERATIONS, chain: ['evm'] },
					hide: { signWith: ['key'] },
				},
			},
			{
				name: 'chainSignerDepositsApi',
				required: true,
				testedBy: 'signerDeposits',
				displayOptions: { show: { operation: ['sweep'] } },
			},
			{
				name: 'chainSignerStarkApi',
				required: true,
				testedBy: 'signerStark',
				displayOptions: {
					show: { operation: SIGNED_OPERATIONS, chain: findSignedFamilies('stark') },
				},
			},
			{
				name: 'chainSignerTonApi',
				required: true,
				testedBy: 'signerTon',
				displayOptions: {
					show: { operation: SIGNED_OPERATIONS, chain: findSignedFamilies('ton') },
				},
			},
		],
		builderHint: {
			searchHint:
				'Put preview first where a person or an agent decides, and branch on `allowed`. After pay, branch on `status`, which is no error: `unknown` may have been sent and goes to finish with its `signedTransaction`, never to pay again.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-base.switch',
					relationHint: 'Branches on `status`: confirmed, failed or unknown',
				},
				{
					nodeType: 'n8n-nodes-base.dataTable',
					relationHint: 'Keeps `signedTransaction` of unknown payments until they are finished',
				},
			],
		},
		properties: [
			// The operations stand under `hide`. Under `show`, the editor would hide the menu of operations, because
			// credentials depend on the field Chain.
			buildProperty({ ...chain, hide: { operation: ['sweep'] } }),
			buildProperty({ ...sweptChain, hide: { operation: ['finish', 'pay', 'preview'] } }),
			buildProperty(nodeAuthentication),
			buildProperty(signWith, { operation: SIGNED_OPERATIONS }),
			...buildProperties(drawnBelow),
		],
	};

	methods = { credentialTest };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, resources, connectPay);
	}
}
