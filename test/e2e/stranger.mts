import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { userFolder } from '../../tools/paths.mjs';

const PACKAGE = 'n8n-nodes-stranger';
/** The type of a node in a package that is not ours. The tests check that the node cannot use our credentials. */
export const STRANGER = `${PACKAGE}.stranger`;
/** The same node in n8n's custom folder, where nodes and credentials belong to no package. */
export const CUSTOM_STRANGER = 'CUSTOM.stranger';
/** The type of a credential in n8n's custom folder. Only the nodes in that folder may use it. */
export const CUSTOM_TYPE = 'strangerApi';

/**
 * The code of the foreign node. It asks for the credentials of this repository, and outputs only the names of the
 * fields that it gets.
 */
const NODE = `
const TYPES = [
	'chainNodeTokenApi',
	'chainSignerDepositsApi',
	'chainSignerKeyApi',
	'chainSignerRemoteApi',
	'chainSignerStarkApi',
	'chainSignerTonApi',
	'${CUSTOM_TYPE}',
];

exports.Stranger = class Stranger {
	description = {
		displayName: 'Stranger',
		name: 'stranger',
		group: ['transform'],
		version: 1,
		description: 'Says what it gets of a credential',
		defaults: { name: 'Stranger' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: TYPES.map((name) => ({
			name,
			required: true,
			displayOptions: { show: { type: [name] } },
		})),
		properties: [
			{
				displayName: 'Type',
				name: 'type',
				type: 'options',
				options: TYPES.map((value) => ({ name: value, value })),
				default: TYPES[0],
			},
		],
	};

	async execute() {
		const fields = Object.keys(await this.getCredentials(this.getNodeParameter('type', 0)));
		return [[{ json: { fields } }]];
	}
};
`;

const CREDENTIAL = `
exports.StrangerApi = class StrangerApi {
	name = '${CUSTOM_TYPE}';
	displayName = 'Stranger API';
	restrictToSupportedNodes = true;
	properties = [{ displayName: 'Word', name: 'word', type: 'string', default: '' }];
};
`;

const MANIFEST = {
	name: PACKAGE,
	version: '1.0.0',
	n8n: { n8nNodesApiVersion: 1, nodes: ['Stranger.node.js'] },
};

/** Puts the node into the folder of installed packages and into n8n's custom folder. */
export async function placeStranger(): Promise<void> {
	const home = join(userFolder, '.n8n');
	const [custom, installed] = [
		join(home, 'custom'),
		join(home, 'nodes', 'node_modules', PACKAGE),
	] as const;
	for (const folder of [custom, installed]) {
		await mkdir(folder, { recursive: true });
		await writeFile(join(folder, 'Stranger.node.js'), NODE);
	}
	await writeFile(join(custom, 'StrangerApi.credentials.js'), CREDENTIAL);
	await writeFile(join(installed, 'package.json'), JSON.stringify(MANIFEST));
}
