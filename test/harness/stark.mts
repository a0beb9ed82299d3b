import { createSandbox } from './sandbox.mts';

interface Rollup {
	readonly accounts: ReadonlyArray<{
		readonly address: string;
		readonly privateKey: string;
		readonly classHash: string;
	}>;
	readonly contracts: Readonly<Record<string, { readonly address: string }>>;
}

/** The STARK rollup of a sandbox for one test file, which each test finds as new. */
export function createStarkRollup() {
	const sandbox = createSandbox();
	let rollup: Rollup = { accounts: [], contracts: {} };
	beforeEach(async () => {
		rollup = (await sandbox.control('GET', '/stark')) as Rollup;
	});
	return {
		sandbox,
		getAccount: (index: number) => rollup.accounts[index],
		accountOf: (index: number) => rollup.accounts[index]?.address ?? '',
		contractOf: (name: string) => rollup.contracts[name]?.address ?? '',
		set: async (settings: object) => await sandbox.control('PUT', '/stark', settings),
	};
}
