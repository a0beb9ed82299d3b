import type { INodeParameters } from 'n8n-workflow';
import {
	createPublicClient,
	custom,
	hashMessage,
	hashTypedData,
	parseSignature,
	serializeCompactSignature,
	serializeErc6492Signature,
	signatureToCompactSignature,
	type Hex,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { deployContract } from '../../harness/contract.mts';
import { createSandbox } from '../../harness/sandbox.mts';
import { evmRpcAt } from './support/scene.mts';

const sandbox = createSandbox({ chain: true });
let wallets: Record<'wallet' | 'talkative' | 'generous' | 'coin', string>;
const { run, first, calls } = evmRpcAt(sandbox);
const keyOf = (digit: string) => privateKeyToAccount(`0x${digit.repeat(64)}`);
const [signer, stranger] = [keyOf('1'), keyOf('2')];

beforeAll(async () => {
	const put = async (name: string, ...given: bigint[]) =>
		(await deployContract(sandbox, name, { file: name === 'Coin' ? 'Tokens' : 'Wallets', given }))
			.address;
	wallets = {
		wallet: await put('Wallet', BigInt(signer.address)),
		talkative: await put('Talkative'),
		generous: await put('Generous'),
		coin: await put('Coin'),
	};
});

const message = 'Sign in to example.com ✓\n  4711 ';
const typedData = {
	types: {
		Mail: [
			{ name: 'to', type: 'address' as const },
			{ name: 'text', type: 'string' as const },
		],
	},
	domain: { name: 'Example', chainId: 31337 },
	primaryType: 'Mail' as const,
	message: { to: stranger.address, text: 'Hello' },
};

async function verify(address: string, signature: string, more: INodeParameters = { message }) {
	const given = { address, signature, ...more };
	return await first({ resource: 'signature', operation: 'verify', ...given });
}

const byKey = { valid: true, signer: signer.address, by: 'key' };

describe('a signature by a key', () => {
	test('is valid for a message, typed data and a hash', async () => {
		expect(await verify(signer.address, await signer.signMessage({ message }))).toEqual(byKey);
		const typed = { signed: 'typedData', typedData: JSON.stringify(typedData) };
		const ofTyped = await signer.signTypedData(typedData);
		expect(await verify(signer.address.toLowerCase(), ofTyped, typed)).toEqual(byKey);
		for (const hash of [hashMessage(message), hashTypedData(typedData)]) {
			const ofHash = await signer.sign({ hash });
			expect(await verify(signer.address, ofHash, { signed: 'hash', hash })).toEqual(byKey);
		}
	});

	test('is valid in its compact form, and with 0 or 1 at its end', async () => {
		for (let index = 0; index < 8; index++) {
			const text = `message ${index}`;
			const signature = await signer.signMessage({ message: text });
			const compact = serializeCompactSignature(
				signatureToCompactSignature(parseSignature(signature)),
			);
			const short = signature.replace(/1b$/, '00').replace(/1c$/, '01');
			for (const form of [compact, short]) {
				expect(await verify(signer.address, form, { message: text })).toEqual(byKey);
			}
		}
	});

	test('of another key is reported with that key', async () => {
		expect(await verify(stranger.address, await signer.signMessage({ message }))).toEqual({
			valid: false,
			signer: signer.address,
			by: 'key',
			reason: `It is the signature of ${signer.address}`,
		});
	});

	test('of another message is not valid', async () => {
		const signature = await signer.signMessage({ message: message.trim() });
		expect(await verify(signer.address, signature)).toMatchObject({ valid: false, by: 'key' });
	});

	test('of an empty message is valid', async () => {
		const signature = await signer.signMessage({ message: '' });
		expect(await verify(signer.address, signature, { message: '' })).toEqual(byKey);
	});

	test.each([
		[`0x${'00'.repeat(64)}1b`, 'No key can have made this signature'],
		[`0x${'ff'.repeat(64)}1b`, 'No key can have made this signature'],
		[
			`0x${'11'.repeat(64)}25`,
			"The last byte of the signature is 37; a key's signature ends with 27 or 28, or 0 or 1",
		],
		['0x', "The signature has 0 bytes; a key's signature has 65, or 64 (EIP-2098)"],
		[
			`0x${'11'.repeat(66)}`,
			"The signature has 66 bytes; a key's signature has 65, or 64 (EIP-2098)",
		],
		[
			`0x${'6492'.repeat(16)}`,
			'The signature is made for a contract that is not on this chain yet (ERC-6492)',
		],
	])('an invalid one is reported with the reason: %#', async (signature, reason) => {
		const expected = { valid: false, signer: null, by: 'key', reason };
		expect(await verify(signer.address, signature)).toEqual(expected);
	});

	test('never makes the zero address a signer', async () => {
		const zero = `0x${'0'.repeat(40)}`;
		expect(await verify(zero, `0x${'00'.repeat(64)}1b`)).toMatchObject({ valid: false });
	});

	test('counts where the account runs the code of another (EIP-7702)', async () => {
		const code = `0xef0100${wallets.coin.slice(2)}`;
		await sandbox.chain('anvil_setCode', stranger.address, code);
		const signature = await stranger.signMessage({ message });
		expect(await verify(stranger.address, signature)).toMatchObject({ valid: true, by: 'key' });
		await sandbox.chain('anvil_setCode', stranger.address, '0x');
	});
});

describe('a signature by a contract', () => {
	test('is what the contract takes for valid', async () => {
		const signature = await signer.signMessage({ message });
		expect(await verify(wallets.wallet, signature)).toEqual({
			valid: true,
			signer: null,
			by: 'contract',
		});
		expect(await verify(wallets.generous, '0x')).toMatchObject({ valid: true, by: 'contract' });
	});

	test('made before the contract was there is unwrapped (ERC-6492)', async () => {
		const wrapped = (signature: Hex) =>
			serializeErc6492Signature({ address: stranger.address, data: '0x1234', signature });
		const signature = await signer.signMessage({ message });
		expect(await verify(wallets.wallet, wrapped(signature))).toEqual({
			valid: true,
			signer: null,
			by: 'contract',
		});
		const other = wrapped(await stranger.signMessage({ message }));
		expect(await verify(wallets.wallet, other)).toMatchObject({ valid: false });
		const broken = `0x${'ff'.repeat(96)}${'6492'.repeat(16)}`;
		expect(await verify(wallets.wallet, broken)).toMatchObject({ valid: false, by: 'contract' });
	});

	test.each([
		['wallet', `0x${'11'.repeat(64)}1b`, /^The contract does not take it for valid$/],
		['wallet', '0x1234', /^The contract refuses it: .*65 bytes are wanted/],
		['talkative', '0x1234', /^The contract does not take it for valid$/],
		['coin', '0x1234', /^The contract refuses it: .*reverted/],
	] as const)('is not valid otherwise, with the reason: %s %#', async (name, signature, reason) => {
		expect(await verify(wallets[name], signature)).toEqual({
			valid: false,
			signer: null,
			by: 'contract',
			reason: expect.stringMatching(reason) as string,
		});
	});
});

test('viem decides the same of both, by a contract of its own', async () => {
	const request = async ({ method, params }: { method: string; params?: unknown }) =>
		await sandbox.chain(method, ...((params ?? []) as unknown[]));
	const viem = createPublicClient({ transport: custom({ request }, { retryCount: 0 }) });
	const own = await signer.signMessage({ message });
	const signatures = [own, await stranger.signMessage({ message }), spoiled(own)] as Hex[];
	const addresses = [signer.address, stranger.address, ...Object.values(wallets)] as Hex[];
	for (const address of addresses) {
		for (const signature of signatures) {
			const { valid } = (await verify(address, signature)) as { valid: boolean };
			const decided = await viem.verifyMessage({ address, message, signature });
			expect({ address, signature, valid }).toEqual({ address, signature, valid: decided });
		}
	}
});

function spoiled(signature: Hex): string {
	return signature.replace(/.{4}$/, (end) => (end === '0000' ? '1111' : '0000'));
}

test('nothing is asked for what is no signature, address, hash or typed data', async () => {
	const good = await signer.signMessage({ message });
	const refused = [
		await verify('0x12', good),
		await verify(signer.address, '0xabc'),
		await verify(signer.address, good, { signed: 'hash', hash: '0x12' }),
		await verify(signer.address, good, { signed: 'typedData', typedData: '{ "types": 1 }' }),
		await verify(signer.address, good, { message: '={{ [1] }}' }),
	];
	expect(refused.map((one) => String((one as unknown as Error).message).slice(0, 12))).toEqual([
		"'Address' mu",
		"'Signature' ",
		"'Hash' must ",
		"'Typed Data'",
		"'Message' mu",
	]);
	expect(await sandbox.record()).toEqual([]);
});

test('a thousand signatures are checked in few requests', async () => {
	const signature: Hex = await signer.signMessage({ message });
	const input = Array.from({ length: 1000 }, () => ({ json: {} }));
	const given = { address: signer.address, signature, message: '=no {{ $itemIndex }}' };
	const { items } = await run(
		{ resource: 'signature', operation: 'verify', ...given },
		{ items: input },
	);
	expect(items.filter(({ json }) => json.valid === false)).toHaveLength(1000);
	expect((await calls()).length).toBeLessThan(15);
});
