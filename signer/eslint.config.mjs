import { configWithoutCloudSupport } from '@n8n/node-cli/eslint';

/** Chain Pay talks to the nodes of chains by the credentials of the main package, beside which it is installed. */
const CREDENTIALS_OF_THE_MAIN_PACKAGE = {
	files: ['nodes/Pay/Pay.node.ts'],
	rules: {
		'@n8n/community-nodes/no-credential-reuse': 'off',
		'@n8n/community-nodes/valid-credential-references': 'off',
	},
};

export default [...configWithoutCloudSupport, CREDENTIALS_OF_THE_MAIN_PACKAGE];
