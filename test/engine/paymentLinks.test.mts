import { Address } from '@ton/core';
import { parse } from 'eth-url-parser';
import type { INodeParameters } from 'n8n-workflow';
import { getAddress } from 'viem';
import { Utilities } from '../../nodes/Utilities/Utilities.node';
import { runNode } from '../harness/engine.mts';

/** These tests check links that open a wallet with a payment. Other libraries read the links. */

const LINK: INodeParameters = { resource: 'payment', operation: 'link' };
const TO = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const USDC = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48';
const TON_HASH = Buffer.alloc(32, 0xfb);
const TON = new Address(0, TON_HASH);
const MASTER = Address.parse('EQCxE6mUtQJKFnGfaROTKOt1lZbDiiX1kCixRv7Nw2Id_sDs');

async function link(parameters: INodeParameters): Promise<string> {
	const { items, error } = await runNode({
		node: new Utilities(),
		credentials: {},
		parameters: { ...LINK, ...parameters },
	});
	return error ? error.message : String(items[0]?.json.link);
}

test.each([
	['coins', { amount: '1.5' }, `ethereum:${TO}@1?value=1500000000000000000`],
	[
		'coins of another chain',
		{ amount: 2, chainId: '0x89' },
		`ethereum:${TO}@137?value=2${'0'.repeat(18)}`,
	],
	['coins that the payer counts', {}, `ethereum:${TO}@1`],
	['the smallest amount', { amount: '={{ 1e-18 }}' }, `ethereum:${TO}@1?value=1`],
	['a lower-case address', { to: TO.toLowerCase() }, `ethereum:${TO}@1`],
	[
		'a token',
		{ amount: '12.5', token: USDC.toLowerCase(), decimals: 6, chainId: 8453 },
		`ethereum:${USDC}@8453/transfer?address=${TO}&uint256=12500000`,
	],
	[
		'a token of 18 decimals',
		{ amount: '0.000000000000000001', token: USDC },
		`ethereum:${USDC}@1/transfer?address=${TO}&uint256=1`,
	],
	['a token that the payer counts', { token: USDC }, `ethereum:${USDC}@1/transfer?address=${TO}`],
	[
		'decimals that no coin has',
		{ amount: '1', decimals: 6 },
		`ethereum:${TO}@1?value=1${'0'.repeat(18)}`,
	],
	['a comment, which does not count', { comment: 'x' }, `ethereum:${TO}@1`],
])('on an EVM chain, of %s', async (_what, parameters, expected) => {
	const made = await link({ to: TO, ...parameters });
	expect(made).toBe(expected);
	const {
		scheme,
		target_address: target,
		chain_id: chain,
		function_name: name,
		...rest
	} = parse(made);
	const [, units] = /(?:value|uint256)=(\d+)$/.exec(expected) ?? [];
	expect(scheme).toBe('ethereum');
	expect(`${target}@${chain}`).toBe(expected.slice('ethereum:'.length).split(/[/?]/)[0]);
	expect(name).toBe(expected.includes('/transfer') ? 'transfer' : undefined);
	expect(Object.values(rest.parameters ?? {}).map(String)).toEqual(
		[name && getAddress(TO), units].filter(Boolean),
	);
});

const BOUNCEABLE = TON.toString();
const MASTER_TEXT = MASTER.toString();

test.each([
	['coins', { amount: '1.5' }, { amount: '1500000000' }],
	['coins that the payer counts', {}, {}],
	[
		'coins with a comment',
		{ amount: '0.000000001', comment: 'Ordér 42 & 100% #1+?=\n💎' },
		{ amount: '1', text: 'Ordér 42 & 100% #1+?=\n💎' },
	],
	[
		'a jetton',
		{ amount: '12.5', token: MASTER_TEXT, decimals: 6, comment: '7' },
		{ jetton: MASTER_TEXT, amount: '12500000', text: '7' },
	],
	[
		'a jetton of 9 decimals',
		{ amount: '1', token: MASTER_TEXT },
		{ jetton: MASTER_TEXT, amount: '1000000000' },
	],
])('on TON, of %s', async (_what, parameters, expected) => {
	const made = await link({ chain: 'ton', to: BOUNCEABLE, ...parameters });
	const { protocol, host, pathname, searchParams } = new URL(made);
	expect([protocol, host, pathname]).toEqual(['ton:', 'transfer', `/${BOUNCEABLE}`]);
	expect(Object.fromEntries(searchParams)).toEqual(expected);
	// Links contain no plus sign, because some wallets read it as a space, and others as a plus.
	expect(made).not.toContain('+');
});

test.each([
	['a bounceable address', BOUNCEABLE, { isBounceable: true, isTestOnly: false }],
	[
		'a non-bounceable one',
		TON.toString({ bounceable: false }),
		{ isBounceable: false, isTestOnly: false },
	],
	[
		'one of a test network',
		TON.toString({ testOnly: true }),
		{ isBounceable: true, isTestOnly: true },
	],
	[
		'one in standard base64',
		TON.toString({ urlSafe: false }),
		{ isBounceable: true, isTestOnly: false },
	],
	['a raw one, not bounceable,', TON.toRawString(), { isBounceable: false, isTestOnly: false }],
])('on TON, %s keeps its flags', async (_what, to, flags) => {
	const path = new URL(await link({ chain: 'ton', to })).pathname.slice(1);
	expect(path).toMatch(/^[\w-]{48}$/);
	const { address, ...rest } = Address.parseFriendly(path);
	expect(address.equals(TON)).toBe(true);
	expect(rest).toEqual(flags);
});

test.each([
	['an amount of 0', { amount: '0' }, /'Amount' must be an amount above 0/],
	['an amount of 0.0', { amount: '={{ 0.0 }}' }, /'Amount' must be an amount above 0/],
	['a negative amount', { amount: '-1' }, /'Amount' must be an amount of 0 or more/],
	['an amount in words', { amount: 'ten' }, /'Amount' must be an amount/],
	['too many digits', { amount: '0.0000001', token: USDC, decimals: 6 }, /at most 6 decimals/],
	['no address', { to: '={{ "" }}' }, /'To' is required/],
	['an address with a wrong checksum', { to: TO.replace('aA', 'Aa') }, /'To' must be an address/],
	['an address of another family', { to: BOUNCEABLE }, /'To' must be an address/],
	['the zero address', { to: `0x${'0'.repeat(40)}` }, /another address than the zero address/],
	['the contract of the token', { to: USDC.toLowerCase(), token: USDC }, /own contract/],
	['a token that is none', { token: 'USDC' }, /'Token' must be an address/],
	['chain 0', { chainId: '0' }, /'Chain ID' must be 1 or more/],
	[
		'half a character',
		{ chain: 'ton', to: BOUNCEABLE, comment: '={{ "\\ud83d" }}' },
		/'Comment' must be valid Unicode/,
	],
	['an EVM address on TON', { chain: 'ton' }, /'To' must be an address of 48 characters/],
])('%s is refused', async (_what, parameters, message) => {
	expect(await link({ to: TO, ...parameters })).toMatch(message);
});
