import type { Sandbox } from '../harness/sandbox.mts';
import { HI_CALLDATA, readStarkInfo, sendStarkCalls } from '../harness/starkChain.mts';
import type { Scene } from './case.mts';
import { signPreparedInvoke, type PreparedInvoke } from './starkSigning.mts';

/** The units of the payment as hex: 2.5 of a token with 6 decimals. */
const PAYMENT_UNITS = '0x2625a0';

/** Sends a payment from one account of the STARK rollup to another. A contract emits an event about it. */
export async function buildStarkScene(control: Sandbox['control']): Promise<Scene['stark']> {
	const { accounts, contracts } = await readStarkInfo(control);
	const [account = '', receiver = ''] = accounts.map(({ address }) => address);
	const addressOf = (name: string) => contracts[name]?.address ?? '';
	const token = addressOf('newToken');
	const contract = addressOf('everything');
	const transactionHash = await sendStarkCalls(
		control,
		{ to: token, function: 'transfer', calldata: [receiver, PAYMENT_UNITS, '0x0'] },
		{ to: contract, function: 'emit_plain', calldata: ['0x7', ...HI_CALLDATA] },
	);
	const key = accounts[0]?.privateKey ?? '';
	const sign = (prepared: unknown) => signPreparedInvoke(prepared as PreparedInvoke, key).signed;
	return { account, receiver, token, contract, transactionHash, sign };
}
