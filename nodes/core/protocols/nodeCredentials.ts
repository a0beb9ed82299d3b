import type { INodeCredentialDescription } from 'n8n-workflow';

/** The credentials of a node that talks to a chain node: the field Authentication picks one. */
export const nodeCredentials: INodeCredentialDescription[] = [
	{
		name: 'chainNodeTokenApi',
		required: true,
		testedBy: 'nodeToken',
		displayOptions: { show: { authentication: ['token'] } },
	},
	{
		name: 'chainNodeBasicAuthApi',
		required: true,
		testedBy: 'nodeBasicAuth',
		displayOptions: { show: { authentication: ['basicAuth'] } },
	},
];
