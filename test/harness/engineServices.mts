import { configureGlobalAxiosDefaults } from '@n8n/backend-network';
import { ExecutionLifecycleHooks } from 'n8n-core';
import type { ICredentialType, IWorkflowExecuteAdditionalData } from 'n8n-workflow';
import { ChainNodeBasicAuthApi } from '../../credentials/ChainNodeBasicAuthApi.credentials';
import { ChainNodeTokenApi } from '../../credentials/ChainNodeTokenApi.credentials';
import { ChainPlatformApi } from '../../credentials/ChainPlatformApi.credentials';
import { TestCredentials } from './credentials.mts';
import type { TestedNode } from './workflow.mts';

const credentialTypes: readonly ICredentialType[] = [
	new ChainPlatformApi(),
	new ChainNodeTokenApi(),
	new ChainNodeBasicAuthApi(),
];

/** Creates the services that n8n provides to every execution, with the credentials of the test. */
export function createEngine({ credentials: data, credentialTypes: others = [] }: TestedNode) {
	configureGlobalAxiosDefaults();
	const credentials = new TestCredentials([...credentialTypes, ...others], data);
	const additionalData = {
		credentialsHelper: credentials,
		currentNodeExecutionIndex: 0,
		executionId: '1',
		hooks: new ExecutionLifecycleHooks('manual', '1', { id: '1' } as never),
		variables: {},
		webhookWaitingBaseUrl: 'http://localhost/waiting',
		formWaitingBaseUrl: 'http://localhost/form',
	} as unknown as IWorkflowExecuteAdditionalData;
	return { credentials, additionalData };
}
