import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { hash } from 'starknet';
import { STARK_ACCOUNT } from '../../test/harness/sandbox.mts';
import { judge } from '../rules/judge';
import { decodeStarkInvoke } from '../rules/stark';
import { parseStarkInvoke } from '../../nodes/core/stark/unsigned';
import { parseStarkRules } from '../rules/starkRules';
import { buildInvoke, PRIME, toAddress, toHex, type Call } from './support/stark.mts';

const NOW = Date.parse('2026-11-24T12:00:00Z');
const OWN = BigInt(STARK_ACCOUNT.accountAddress);
const [FRIEND, SPENDER, STRANGER, TOKEN, OTHER_TOKEN, NFT, EXCHANGE] = [
	0xf1n,
	0xf2n,
	0xf3n,
	0xa1n,
	0xa2n,
	0xa3n,
	0xa4n,
];

type Rules = ICredentialDataDecryptedObject;

function check(rules: Rules, calls: readonly Call[], change: object = {}): void {
	judge(
		parseStarkRules(rules),
		decodeStarkInvoke(parseStarkInvoke(buildInvoke(calls, change))),
		NOW,
	);
}

const call = (to: bigint, name: string, ...calldata: bigint[]): Call => ({ to, name, calldata });
const transfer = (to: bigint, amount: bigint, token = TOKEN) =>
	call(token, 'transfer', to, amount, 0n);
const approve = (to: bigint, amount: bigint, token = TOKEN) =>
	call(token, 'approve', to, amount, 0n);

/** Rules whose Max Fee is exactly the fee of the transactions: 100 × (5 + 1) + 2 × 7. */
const BASE = { chainIds: 'SN_SEPOLIA', maxFee: '0.000000000000000614' };
const LIMITED = { ...BASE, tokenLimits: `${toHex(TOKEN)} 100` };
const BOUND = { ...LIMITED, recipients: toAddress(FRIEND), spenders: toHex(SPENDER) };
const NAMED = { ...BOUND, contracts: `${toHex(EXCHANGE)}\n${toHex(NFT)} mint safe_transfer_from` };
const ANY = { ...BOUND, contracts: '*' };
const BUDGET = { dailyTransactions: '2', firstNonce: '4', firstDay: '2026-11-23' };

test.each<[string, Rules, readonly Call[], object?]>([
	['a transfer up to the limit', BOUND, [transfer(FRIEND, 100n)]],
	['two transfers up to the limit', BOUND, [transfer(FRIEND, 60n), transfer(FRIEND, 40n)]],
	['an approval up to the limit', BOUND, [approve(SPENDER, 100n)]],
	['a transfer to itself', BOUND, [transfer(OWN, 1n)]],
	['own tokens by transfer_from', BOUND, [call(TOKEN, 'transfer_from', OWN, FRIEND, 1n, 0n)]],
	['the twin in camel case', BOUND, [call(TOKEN, 'transferFrom', OWN, FRIEND, 1n, 0n)]],
	['an approval that is taken back', BOUND, [approve(STRANGER, 0n)]],
	['less of an approval', BOUND, [call(TOKEN, 'decrease_allowance', STRANGER, 900n, 0n)]],
	['anybody, where nobody is named', LIMITED, [transfer(STRANGER, 1n), approve(STRANGER, 1n)]],
	['whole tokens', { ...BASE, tokenLimits: `${toHex(TOKEN)} 0.1 3` }, [transfer(FRIEND, 100n)]],
	['any function under Contracts', NAMED, [call(EXCHANGE, 'swap', 1n, 2n)]],
	['a function by its name', NAMED, [call(NFT, 'mint', 1n)]],
	['an NFT by its name', NAMED, [call(NFT, 'safe_transfer_from', OWN, FRIEND, 1n, 0n, 0n)]],
	['an NFT to itself', NAMED, [call(NFT, 'safe_transfer_from', OWN, OWN, 1n, 0n, 0n)]],
	['anything else by *', ANY, [call(STRANGER, 'swap'), transfer(FRIEND, 9n ** 30n, OTHER_TOKEN)]],
	['the account by its name', { ...BASE, contracts: toHex(OWN) }, [call(OWN, 'upgrade', 1n)]],
	[
		'a chain by its number',
		{ ...LIMITED, chainIds: '0x534e5f5345504f4c4941' },
		[transfer(FRIEND, 1n)],
	],
	['a nonce of the budget', { ...LIMITED, ...BUDGET }, [transfer(FRIEND, 1n)]],
])('the rules allow %s', (_, ...given) => {
	expect(() => check(...given)).not.toThrow();
});

const TOO_LONG = 2n ** 128n;

test.each<[string, Rules, readonly Call[], RegExp, object?]>([
	[
		'another chain',
		BOUND,
		[transfer(FRIEND, 1n)],
		/Chain IDs .* SN_MAIN. Allowed: SN_SEPOLIA/,
		{ chainId: '0x534e5f4d41494e' },
	],
	[
		'any chain, where none is named',
		{ ...BOUND, chainIds: '' },
		[transfer(FRIEND, 1n)],
		/Chain IDs/,
	],
	[
		'a higher fee',
		BOUND,
		[transfer(FRIEND, 1n)],
		/Max Fee .* 0\.000000000000000714 STRK/,
		{ tip: '0x2' },
	],
	['a fee, where none is named', { ...BOUND, maxFee: '' }, [transfer(FRIEND, 1n)], /Max Fee/],
	[
		'a nonce of tomorrow',
		{ ...BOUND, ...BUDGET },
		[transfer(FRIEND, 1n)],
		/from 2026-11-25/,
		{ nonce: '0x8' },
	],
	[
		'more than the limit',
		BOUND,
		[transfer(FRIEND, 101n)],
		/Token Limits .* about 101. Allowed: at most 100/,
	],
	['more by a high limb', BOUND, [call(TOKEN, 'transfer', FRIEND, 0n, 1n)], /Token Limits/],
	[
		'more by several calls',
		BOUND,
		[transfer(FRIEND, 60n), approve(SPENDER, 41n)],
		/Token Limits .* 101/,
	],
	['a stranger', BOUND, [transfer(STRANGER, 1n)], /Recipients .*f3 would receive/],
	['a stranger as the second', BOUND, [transfer(FRIEND, 1n), transfer(STRANGER, 1n)], /Recipients/],
	['a spender as a receiver', BOUND, [transfer(SPENDER, 1n)], /Recipients/],
	['a receiver as a spender', BOUND, [approve(FRIEND, 1n)], /Spenders .* be allowed to take/],
	['itself as a spender', { ...BOUND, spenders: '' }, [approve(OWN, 1n)], /Recipients/],
	['a strange spender', { ...BOUND, spenders: '' }, [approve(STRANGER, 1n)], /Recipients/],
	['more of an approval', BOUND, [call(TOKEN, 'increaseAllowance', STRANGER, 1n, 0n)], /Spenders/],
	[
		'tokens of others',
		BOUND,
		[call(TOKEN, 'transfer_from', STRANGER, FRIEND, 1n, 0n)],
		/Contracts .* about tokens of 0x0+f3/,
	],
	['another token', BOUND, [transfer(FRIEND, 1n, OTHER_TOKEN)], /Contracts .* calls transfer of/],
	['another function of the token', BOUND, [call(TOKEN, 'burn', 1n)], /Contracts .* selector 0x/],
	[
		'another function by its name',
		NAMED,
		[call(NFT, 'burn', 1n)],
		/Allowed: mint, safe_transfer_from of it/,
	],
	[
		'an NFT for a stranger',
		NAMED,
		[call(NFT, 'safe_transfer_from', OWN, STRANGER, 1n, 0n, 0n)],
		/Recipients/,
	],
	['an operator', ANY, [call(NFT, 'set_approval_for_all', STRANGER, 1n)], /Spenders/],
	['an approval of an NFT with the ID 0', ANY, [approve(STRANGER, 0n, NFT)], /Spenders/],
	[
		'an operator for a token with a limit',
		ANY,
		[call(TOKEN, 'setApprovalForAll', SPENDER, 1n)],
		/Token Limits .* all of it/,
	],
	['orders to the account itself by *', ANY, [call(OWN, 'set_public_key', 1n)], /Contracts/],
	[
		'a felt too many',
		ANY,
		[call(TOKEN, 'transfer', FRIEND, 1n, 0n, 0n)],
		/call of transfer are not/,
	],
	['a felt too few', ANY, [call(TOKEN, 'transfer', FRIEND, 1n)], /call of transfer are not/],
	[
		'a low limb that is too large',
		ANY,
		[call(TOKEN, 'transfer', FRIEND, TOO_LONG, 0n)],
		/are not those/,
	],
	[
		'a high limb that is too large',
		ANY,
		[call(TOKEN, 'transfer', FRIEND, 0n, TOO_LONG)],
		/are not those/,
	],
	['a receiver that is no address', LIMITED, [transfer(2n ** 251n - 256n, 1n)], /are not those/],
	['no truth value', ANY, [call(NFT, 'set_approval_for_all', SPENDER, 2n)], /are not those/],
])('the rules refuse %s', (...[, rules, calls, message, change]) => {
	expect(() => check(rules, calls, change)).toThrow(message);
});

test.each<[string, Rules, RegExp]>([
	[
		'two chains for a budget',
		{ ...BUDGET, chainIds: 'SN_MAIN, SN_SEPOLIA' },
		/Chain IDs .* one chain ID/,
	],
	['a chain ID that is no name', { chainIds: 'SN-MAIN' }, /Chain IDs/],
	['an address that is none', { recipients: '0x0' }, /Recipients/],
	['an address in decimal', { recipients: '123' }, /Recipients/],
	['a name before an address', { contracts: 'mint 0x1' }, /Contracts .* after the address/],
	['names behind *', { contracts: '* mint' }, /Contracts .* none after \*/],
	[
		'a function that calls others',
		{ contracts: '0x1 multicall' },
		/Contracts .* without the function multicall/,
	],
	[
		'an entry point',
		{ contracts: '0x1 __execute__' },
		/Contracts .* without the function __execute__/,
	],
	['a contract in two lines', { contracts: '0x1 mint\n0x01 burn' }, /Contracts .* once/],
	['a token in two spellings', { tokenLimits: '0x1 5\n0x01 6' }, /Token Limits .* once/],
])('no rule is %s', (_, rules, message) => {
	expect(() => parseStarkRules({ ...BASE, ...rules })).toThrow(message);
});

const EXCHANGE_RULES = parseStarkRules({ ...BOUND, contracts: toHex(EXCHANGE) });

function isSigned(calldata: readonly bigint[]): boolean {
	try {
		const given = buildInvoke([], { calldata: calldata.map(toHex) });
		judge(EXCHANGE_RULES, decodeStarkInvoke(parseStarkInvoke(given)), NOW);
		return true;
	} catch {
		return false;
	}
}

const [SWAP, TRANSFER] = ['swap', 'transfer'].map((name) =>
	BigInt(hash.getSelectorFromName(name)),
) as [bigint, bigint];

/** Calldata in which an older account would read the data of the first call as a second call, to a token. */
test.each<[string, readonly bigint[]]>([
	['with data of its own', [1n, TOKEN, TRANSFER, 0n, 3n, 10n, STRANGER, 900n, 0n]],
	['beside a call without data', [0n, TOKEN, TRANSFER, 0n, 3n, 6n, STRANGER, 900n, 0n]],
	['with data that stand before those of all', [0n, TOKEN, TRANSFER, PRIME - 2n, 3n, 4n, 0n]],
])('no account of Cairo 0 transfers more by a call %s', (_, data) => {
	const second = data[0] === 0n ? [] : [0n, 0n, 0n, 0n];
	const last = [EXCHANGE, SWAP, BigInt(second.length), ...second];
	const calldata = [2n, EXCHANGE, SWAP, BigInt(data.length), ...data, ...last];
	expect(isSigned(calldata)).toBe(false);
	expect(isSigned(calldata.with(9, 99n))).toBe(true);
});
