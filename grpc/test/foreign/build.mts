import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const root = join(__dirname, '../../..');
const protos = [__dirname, join(root, 'sandbox/apis/grpc/protos')];
const sources = ['build.mts', 'foreign.proto', 'server.cc'].map((name) => join(__dirname, name));
const cache = join(root, '.cache/foreign');

/** Lists the tools that this machine lacks for building the server. */
export function findMissingTools(): string[] {
	const isMissing = (command: string) => spawnSync('sh', ['-c', command]).status !== 0;
	return [
		...['g++', 'protoc', 'grpc_cpp_plugin'].filter((name) => isMissing(`command -v ${name}`)),
		...['grpc++', 'protobuf'].filter((name) => isMissing(`pkg-config --exists ${name}`)),
	];
}

/** Returns the path of the server's executable. It is built on first use and kept for later runs. */
function built(): string {
	const hash = createHash('sha256');
	for (const file of [...sources, join(root, 'sandbox/apis/grpc/protos/everything.proto')]) {
		hash.update(readFileSync(file));
	}
	const folder = join(cache, hash.digest('hex').slice(0, 16));
	if (existsSync(join(folder, 'server'))) return join(folder, 'server');
	rmSync(cache, { recursive: true, force: true });
	const draft = `${folder}.${process.pid}`;
	mkdirSync(draft, { recursive: true });
	const run = (command: string, ...options: readonly string[]) =>
		execFileSync(command, options, { cwd: draft, encoding: 'utf8', stdio: 'pipe' });
	const includes = protos.map((one) => `-I${one}`);
	const plugin = `--plugin=protoc-gen-grpc=${run('which', 'grpc_cpp_plugin').trim()}`;
	run('protoc', ...includes, '--cpp_out=.', 'foreign.proto', 'everything.proto');
	run('protoc', ...includes, plugin, '--grpc_out=.', 'foreign.proto');
	const flags = run('pkg-config', '--cflags', '--libs', 'grpc++', 'protobuf').trim().split(/\s+/);
	const made = readdirSync(draft).filter((name) => name.endsWith('.cc'));
	const library = ['-Wl,--no-as-needed', '-lgrpc++_reflection', '-Wl,--as-needed'];
	const program = [join(__dirname, 'server.cc'), ...made, '-I.', '-o', 'server'];
	run('g++', '-std=c++17', '-O0', ...program, ...library, ...flags);
	renameSync(draft, folder);
	return join(folder, 'server');
}

/** Starts a server in C++, which has its own implementation of reflection and of JSON. */
export async function startForeignServer(maxAge = 2 ** 31 - 1) {
	const child = spawn(built(), [String(maxAge)], { stdio: ['pipe', 'pipe', 'inherit'] });
	const [port] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
	return {
		endpoint: `127.0.0.1:${port}`,
		stop: async () => {
			child.stdin.end();
			if (child.exitCode === null) await once(child, 'exit');
		},
	};
}

/** Returns the descriptor set that `protoc` makes of the files in a folder. */
export function descriptorSetOf(folder: string, names: readonly string[]): Buffer {
	const file = join(folder, 'set');
	execFileSync('protoc', ['-I', folder, `--descriptor_set_out=${file}`, ...names]);
	return readFileSync(file);
}
