import type { IRelatedNode } from 'n8n-workflow';

/** Hints for n8n's builder at a node that prepares transactions: they name the nodes of the signer's package. */
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

/** A hint for n8n's builder at a trigger: it names a node that can store the events. */
export const tableNodes: IRelatedNode[] = [
	{
		nodeType: 'n8n-nodes-base.dataTable',
		relationHint: 'Upsert a row for each event, so that none is there twice',
	},
];
