import type { Demo } from '../run/demo.mts';
import { controlSandbox } from '../service/control.mts';

interface Rollup {
	accounts: Array<{ address: string }>;
	contracts: Record<string, { address: string }>;
}

/** Reads the accounts and the token that a payment on the sandbox's STARK rollup needs. */
export async function readStarkRollup({ sandbox }: Demo) {
	const { accounts, contracts } = await controlSandbox<Rollup>(sandbox, '/stark');
	const [account = '', receiver = ''] = accounts.map(({ address }) => address);
	return { account, receiver, token: contracts.newToken?.address ?? '' };
}

/** Pays 2.5 of the token from one account of the STARK rollup to another. */
export async function payInToken(demo: Demo): Promise<void> {
	const { receiver, token } = await readStarkRollup(demo);
	const call = { to: token, function: 'transfer', calldata: [receiver, '0x2625a0', '0x0'] };
	await controlSandbox(demo.sandbox, '/stark/transactions', { calls: [call] });
}
