import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { testPlatformApi } from '../core/credentialTests';
import { buildProperties, buildSubtitle } from '../core/operation/panel';
import { connectRest } from '../core/protocols/rest';
import { run } from '../core/run';
import { api } from './api';
import { organization } from './organization';
import { project } from './project';
import { searchProjects } from './projectList';

/** The order must stay: a workflow that stores no resource uses the first entry. */
const resources = { organization, api, project };

export class Platform implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Chain Platform',
		name: 'platform',
		icon: { light: 'file:../../icons/platform.svg', dark: 'file:../../icons/platform.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: buildSubtitle(resources),
		description:
			"Read your organization and its projects on the platform that runs your chain nodes, and call any method of the platform's API",
		defaults: { name: 'Chain Platform' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'chainPlatformApi', required: true, testedBy: 'platformApi' }],
		properties: buildProperties(resources),
	};

	methods = {
		credentialTest: { platformApi: testPlatformApi },
		listSearch: { projects: searchProjects },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await run(this, resources, connectRest('chainPlatformApi'));
	}
}
