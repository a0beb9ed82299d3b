import type { Demo } from '../run/demo.mts';

interface Rollup {
	accounts: Array<{ address: string }>;
	contracts: Record<string, { address: string }>;
}

/** Reads who can pay whom in which token on the sandbox's STARK rollup. */
export async function readStarkRollup(demo: Demo) {
	const { accounts, contracts } = (await ask(demo, 'GET', '/stark')) as Rollup;
	const [account = '', receiver = ''] = accounts.map(({ address }) => address);
	return { account, receiver, token: contracts.newToken?.address ?? '' };
}

/** One account of the STARK rollup pays another 2.5 of the token. */
export async function payInToken(demo: Demo): Promise<void> {
	const { receiver, token } = await readStarkRollup(demo);
	const call = { to: token, function: 'transfer', calldata: [receiver, '0x2625a0', '0x0'] };
	await ask(demo, 'POST', '/stark/transactions', { calls: [call] });
}

async function ask({ sandbox }: Demo, method: string, path: string, body?: object) {
	const response = await fetch(sandbox.controlUrl + path, {
		method,
		headers: body && { 'content-type': 'application/json' },
		body: body && JSON.stringify(body),
	});
	if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
	return (await response.json()) as unknown;
}
