import { createSandbox, type Sandbox } from './sandbox.mts';

export interface StarkAccount {
	readonly address: string;
	readonly privateKey: string;
	readonly publicKey: string;
	readonly classHash: string;
}

/** The accounts and contracts of the sandbox's STARK rollup. */
interface StarkInfo {
	readonly accounts: readonly StarkAccount[];
	readonly contracts: Readonly<
		Record<string, { readonly address: string; readonly classHash: string }>
	>;
	readonly head: { readonly number: number; readonly hash: string };
	readonly l1Head: number;
}

export interface StarkCall {
	readonly to: string;
	readonly function: string;
	readonly calldata?: readonly string[];
}

type Control = Sandbox['control'];

export async function readStarkInfo(control: Control): Promise<StarkInfo> {
	return (await control('GET', '/stark')) as StarkInfo;
}

/** Sends calls from the first account in one transaction. Returns the hash of the transaction. */
export async function sendStarkCalls(
	control: Control,
	...calls: readonly StarkCall[]
): Promise<string> {
	const sent = await control('POST', '/stark/transactions', { calls });
	return padFelt((sent as { transaction_hash: string }).transaction_hash);
}

/** The text `hi` in the form that contracts take (a ByteArray). */
export const HI_CALLDATA: readonly string[] = ['0x0', '0x6869', '0x2'];

/** Writes a felt with all of its 64 digits, as our nodes do. */
export const padFelt = (hex: string) => `0x${hex.slice(2).padStart(64, '0')}`;

/** Creates the STARK rollup of a sandbox for one test file. It is reset before each test. */
export function createStarkChain() {
	const sandbox = createSandbox();
	let info: StarkInfo;

	beforeEach(async () => (info = await readStarkInfo(sandbox.control)));

	const control = async (path: string, body: object) =>
		await sandbox.control('POST', `/stark/${path}`, body);

	return {
		sandbox,
		control,
		account: (index: number) => info.accounts[index] as StarkAccount,
		accountOf: (index: number) => info.accounts[index]?.address ?? '',
		contractOf: (name: string) => info.contracts[name]?.address ?? '',
		set: async (settings: object) => await sandbox.control('PUT', '/stark', settings),
		addBlocks: async (count: number) => await control('blocks', { count }),
		/** Calls a contract in a transaction with a block of its own. Returns the hash of the transaction. */
		send: async (to: string, name: string, ...calldata: string[]) =>
			await sendStarkCalls(sandbox.control, { to, function: name, calldata }),
		sendCalls: async (...calls: readonly StarkCall[]) =>
			await sendStarkCalls(sandbox.control, ...calls),
	};
}
