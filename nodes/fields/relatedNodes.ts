import type { IRelatedNode } from 'n8n-workflow';

/** Tells n8n's AI workflow builder which nodes of the signer package can sign a prepared transaction. */
export const signingNodes: IRelatedNode[] = [
	{
		nodeType: 'n8n-nodes-chain-infra-signer.pay',
		relationHint: 'Pays in one node instead of prepare, sign, send and wait',
	},
	{
		nodeType: 'n8n-nodes-chain-infra-signer.signer',
		relationHint: 'Signs what this node prepares, with prepared:sign',
	},
];

/** Tells n8n's AI workflow builder which node can store the events of a trigger. */
export const tableNodes: IRelatedNode[] = [
	{
		nodeType: 'n8n-nodes-base.dataTable',
		relationHint: 'Upsert a row for each event, so that none is there twice',
	},
];
