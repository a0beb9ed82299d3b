import type { Scene } from './case.mts';
import { pad, signPreparedInvoke, type PreparedInvoke } from './starkSigning.mts';

type Control = (method: 'GET' | 'POST', path: string, body?: object) => Promise<unknown>;

interface Rollup {
	readonly accounts: ReadonlyArray<{ readonly address: string; readonly privateKey: string }>;
	readonly contracts: Readonly<Record<string, { readonly address: string }>>;
}

/** The payment is 2.5 of a token of 6 decimals. */
const PAYMENT = '0x2625a0';
/** The text `hi`, as contracts take texts. */
const NOTE = ['0x0', '0x6869', '0x2'];

/** One account of the STARK rollup pays another, and a contract says so in an event. */
export async function buildStarkScene(control: Control): Promise<Scene['stark']> {
	const { accounts, contracts } = (await control('GET', '/stark')) as Rollup;
	const [account = '', receiver = ''] = accounts.map(({ address }) => address);
	const addressOf = (name: string) => contracts[name]?.address ?? '';
	const token = addressOf('newToken');
	const contract = addressOf('everything');
	const sent = await control('POST', '/stark/transactions', {
		calls: [
			{ to: token, function: 'transfer', calldata: [receiver, PAYMENT, '0x0'] },
			{ to: contract, function: 'emit_plain', calldata: ['0x7', ...NOTE] },
		],
	});
	const transactionHash = pad((sent as { transaction_hash: string }).transaction_hash);
	const key = accounts[0]?.privateKey ?? '';
	const sign = (prepared: unknown) => signPreparedInvoke(prepared as PreparedInvoke, key).signed;
	return { account, receiver, token, contract, transactionHash, sign };
}
