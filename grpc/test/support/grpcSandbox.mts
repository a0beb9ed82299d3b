import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ICredentialDataDecryptedObject, INodeParameters } from 'n8n-workflow';
import { runNode, type NodeRun } from '../../../test/harness/engine.mts';
import { startSandbox, type Sandbox } from '../../../test/harness/sandbox.mts';
import { startForTests } from '../../../test/harness/started.mts';
import { waitUntil } from '../../../test/harness/until.mts';
import { ChainNodeXTokenApi } from '../../credentials/ChainNodeXTokenApi.credentials';
import { Grpc } from '../../nodes/Grpc/Grpc.node';

export const credentialTypes = [new ChainNodeXTokenApi()];

/** What the sandbox's gRPC endpoint has recorded. */
interface Seen {
	readonly calls: ReadonlyArray<{
		readonly method: string;
		readonly metadata: Readonly<Record<string, string>>;
		readonly code: number | null;
	}>;
	readonly connections: number;
	readonly openConnections: number;
}

type GrpcSandbox = Awaited<ReturnType<typeof startGrpcSandbox>>;

/** Starts the sandbox with gRPC, and makes the node trust its certificate. */
async function startGrpcSandbox() {
	const sandbox = await startSandbox({ grpc: true });
	const folder = trust(sandbox);
	const credential = sandbox.credentials.xToken
		.chainNodeXTokenApi as ICredentialDataDecryptedObject;
	return {
		...sandbox,
		credential,
		plain: sandbox.credentials.xTokenPlain.chainNodeXTokenApi as ICredentialDataDecryptedObject,
		xToken: String(sandbox.xToken),
		/** Runs the node over TLS, unless `more` contains another credential. */
		run: async (parameters: INodeParameters, more: Partial<NodeRun> & Own = {}) =>
			await runNode({
				node: new Grpc(),
				parameters,
				credentials: { chainNodeXTokenApi: { ...credential, ...more.credential } },
				credentialTypes,
				...more,
			}),
		seen: async () => (await sandbox.control('GET', '/grpc')) as Seen,
		set: async (settings: object) => await sandbox.control('PUT', '/grpc', settings),
		stop: async () => {
			rmSync(folder, { recursive: true });
			await sandbox.stop();
		},
	};
}

/** Creates the sandbox with gRPC for a test file or a group of tests. Each test starts with a new state. */
export function createGrpcSandbox(): GrpcSandbox {
	const sandbox = startForTests(startGrpcSandbox);
	beforeEach(async () => await sandbox.reset());
	return sandbox;
}

interface Own {
	/** Fields that replace those of the valid credential. */
	readonly credential?: ICredentialDataDecryptedObject;
}

/** Writes the certificate to a file, which the gRPC library reads when it is loaded. Each test file loads the library again. */
function trust({ grpcCertificate }: Sandbox): string {
	const folder = mkdtempSync(join(tmpdir(), 'chain-infra-grpc-'));
	const file = join(folder, 'root.pem');
	writeFileSync(file, String(grpcCertificate));
	process.env.GRPC_DEFAULT_SSL_ROOTS_FILE_PATH = file;
	return folder;
}

/** The parameters of a call. */
export function callOf(
	service: string,
	method: string,
	request: INodeParameters | string = {},
	options: INodeParameters = {},
): INodeParameters {
	const text = typeof request === 'string' ? request : JSON.stringify(request);
	return { operation: 'call', service: `chain.v1.${service}`, method, request: text, options };
}

/** Exported for tests that wait until the other side has received something. */
export { waitUntil };
