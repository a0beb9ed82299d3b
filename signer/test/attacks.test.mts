import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { encodeFunctionData, parseAbi, parseTransaction, type Hex } from 'viem';
import { foundIn } from '../../test/harness/spellings.mts';
import {
	ADDRESS,
	CONTRACT,
	FRIEND,
	KEY,
	signTransaction,
	signWith,
	STRANGER,
	TOKEN,
	TRANSFER,
} from './support/signerNode.mts';

const abi = parseAbi([
	'function transfer(address to, uint256 amount)',
	'function transferFrom(address from, address to, uint256 amount)',
	'function approve(address spender, uint256 amount)',
	'function increaseAllowance(address spender, uint256 added)',
	'function increaseApproval(address spender, uint256 added)',
	'function decreaseAllowance(address spender, uint256 less)',
	'function setApprovalForAll(address operator, bool approved)',
	'function safeTransferFrom(address from, address to, uint256 id)',
	'function safeTransferFrom(address from, address to, uint256 id, bytes data)',
	'function safeTransferFrom(address from, address to, uint256 id, uint256 quantity, bytes data)',
	'function safeBatchTransferFrom(address from, address to, uint256[] ids, uint256[] quantities, bytes data)',
	'function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)',
	'function multicall(bytes[] calls)',
	'function execute(address to, uint256 value, bytes data)',
	'function transferAndCall(address to, uint256 amount, bytes data)',
	'function send(address to, uint256 amount, bytes data)',
	'function burn(uint256 amount)',
]);
const call = (functionName: string, ...args: readonly unknown[]) =>
	encodeFunctionData({ abi, functionName, args } as never) as string;

const HUNDRED = 100n;
const NONE = '0x';
const ZEROS = '0'.repeat(24);
const word = (hex: string) => hex.replace('0x', '').toLowerCase().padStart(64, '0');

/** The receiver with another byte before it, in the word of an address. */
const dirty = (data: string, receiver: string, by = '01') =>
	data.replace(
		ZEROS + receiver.slice(2).toLowerCase(),
		by.padStart(24, '0') + receiver.slice(2).toLowerCase(),
	);

interface Attacked {
	/** Beside the chain, a high fee, and nothing else. */
	readonly rules: ICredentialDataDecryptedObject;
	/** What the rule allows: without it, a refusal would mean nothing. */
	readonly allowed: readonly object[];
	readonly refused: ReadonlyArray<readonly [way: string, transaction: object, words: RegExp]>;
}

const BASE = { chainIds: '31337', maxFee: '0.01', maxAmount: '1' };
const free = { value: '0x0' };
const to = (address: string, data: string, more: object = {}) => ({
	to: address,
	data,
	...free,
	...more,
});
const deploy = (more: object = {}) => ({ to: undefined, data: '0x6000', ...more });

const RECIPIENTS = /^The rule Recipients forbids it: 0x\w{40} would receive; allowed: 0x\w{40}$/;
const CONTRACTS = /^The rule Contracts forbids it: the transaction calls .+ of 0x\w{40}; allowed: /;
const LIMITS =
	/^The rule Token Limits forbids it: \w+\(.+\) of 0x\w{40} is about (\d+|all of it); allowed: at most 100 of its smallest unit$/;
const UNCLEAR = /is not encoded in the one canonical way$/;
const AMOUNT =
	/^The rule Max Amount forbids it: the transaction sends \S+ coins; allowed: at most 1$/;
const FEE =
	/^The rule Max Fee forbids it: the transaction offers a fee of \S+ coins; allowed: at most 0.01$/;

/** Calls that give to somebody, by the receiver. */
const giving: Readonly<Record<string, (receiver: string) => string>> = {
	transfer: (one) => call('transfer', one, 1n),
	transferFrom: (one) => call('transferFrom', ADDRESS, one, 1n),
	approve: (one) => call('approve', one, 1n),
	increaseAllowance: (one) => call('increaseAllowance', one, 1n),
	setApprovalForAll: (one) => call('setApprovalForAll', one, true),
	'safeTransferFrom of ERC-721': (one) => call('safeTransferFrom', ADDRESS, one, 1n),
	'safeTransferFrom of ERC-721 with data': (one) =>
		call('safeTransferFrom', ADDRESS, one, 1n, '0x12'),
	'safeTransferFrom of ERC-1155': (one) => call('safeTransferFrom', ADDRESS, one, 1n, 1n, '0x'),
	safeBatchTransferFrom: (one) =>
		call('safeBatchTransferFrom', ADDRESS, one, [1n, 2n], [1n, 2n], '0x1234'),
};
const each = <T,>(make: (name: string, data: (receiver: string) => string) => T) =>
	Object.entries(giving).map(([name, data]) => make(name, data));

const table: Readonly<Record<string, Attacked>> = {
	'Chain IDs': {
		rules: BASE,
		allowed: [{}, { chainId: 31337 }, { chainId: '31337' }],
		refused: [
			[
				'another chain',
				{ chainId: '0x1' },
				/^The rule Chain IDs forbids it: the transaction is for chain 1; allowed: 31337$/,
			],
			['a chain whose number ends as the allowed one', { chainId: 131337 }, /Chain IDs/],
			['no chain (before EIP-155)', { chainId: undefined }, /chainId/],
			['chain 0', { chainId: 0 }, /chainId/],
			['a list of chains', { chainId: ['0x7a69'] }, /chainId/],
			['a chain in blanks', { chainId: ' 0x7a69 0x1' }, /chainId/],
		],
	},
	'Chain IDs, empty': {
		rules: { ...BASE, chainIds: '' },
		allowed: [],
		refused: [['any chain', {}, /chain 31337; allowed: none$/]],
	},
	'Max Amount': {
		rules: { ...BASE, contracts: CONTRACT, allowDeployments: true },
		allowed: [
			{ value: 10n ** 18n },
			to(CONTRACT, '0x12345678', { value: '0xde0b6b3a7640000' }),
			deploy({ value: '1' }),
		].map(stringified),
		refused: [
			['one wei more', { value: '0xde0b6b3a7640001' }, AMOUNT],
			['one wei more in decimals', { value: '1000000000000000001' }, AMOUNT],
			['along with a function', to(CONTRACT, '0x12345678', { value: '0xde0b6b3a7640001' }), AMOUNT],
			[
				'along with a transfer of a token',
				to(CONTRACT, giving.transfer!(FRIEND), { value: '0xde0b6b3a7640001' }),
				AMOUNT,
			],
			['along with a deployment', deploy({ value: '0xde0b6b3a7640001' }), AMOUNT],
			['below zero', { value: '-1' }, /value' must be/],
			['a number that has lost digits', { value: 1e21 }, /must be/],
			['more than 256 bits, which would wrap', { value: `0x1${'0'.repeat(64)}` }, /256 bits/],
		],
	},
	'Max Amount, not set': {
		rules: { chainIds: '31337', maxFee: '0.01' },
		allowed: [free],
		refused: [
			['one wei', { value: '0x1' }, /sends 0.000000000000000001 coins; allowed: at most 0$/],
		],
	},
	'Max Fee': {
		rules: BASE,
		allowed: [
			{ gas: '5000000' },
			{ gas: 10n ** 16n, maxFeePerGas: 1, maxPriorityFeePerGas: 1 },
		].map(stringified),
		refused: [
			['much gas', { gas: '5000001' }, FEE],
			['a high price', { maxFeePerGas: '0xffffffffffff' }, FEE],
			['a high price of one kind', { type: '0x0', gasPrice: '0xffffffffffff', ...noFees() }, FEE],
			[
				'a high price with an access list',
				{ type: '0x1', gasPrice: '0xffffffffffff', accessList: [], ...noFees() },
				FEE,
			],
			[
				'a tip above the price',
				{ maxFeePerGas: '0x1', maxPriorityFeePerGas: '0xffffffffffff' },
				/maxPriorityFeePerGas/,
			],
			['two kinds of prices', { gasPrice: '0x1' }, /without 'gasPrice'/],
			['gas that would wrap', { gas: `0x${'f'.repeat(16)}` }, /64 bits/],
		],
	},
	'Max Fee, not set': {
		rules: { chainIds: '31337', maxAmount: '1' },
		allowed: [{ gas: '5000000' }],
		refused: [['above a hundredth of a coin', { gas: '5000001' }, FEE]],
	},
	Recipients: {
		rules: { ...BASE, recipients: FRIEND, contracts: TOKEN },
		allowed: [{}, { to: FRIEND.toLowerCase() }, ...each((_, data) => to(TOKEN, data(FRIEND)))],
		refused: [
			['another receiver', { to: STRANGER }, RECIPIENTS],
			['the contract as a receiver', { to: TOKEN }, RECIPIENTS],
			...each((name, data) => [name, to(TOKEN, data(STRANGER)), RECIPIENTS] as const),
			...each(
				(name, data) =>
					[
						`${name} with a dirty address`,
						to(TOKEN, dirty(data(FRIEND), FRIEND)),
						UNCLEAR,
					] as const,
			),
			...each(
				(name, data) =>
					[
						`${name} with the prefix of the other chain`,
						to(TOKEN, dirty(data(FRIEND), FRIEND, '41')),
						UNCLEAR,
					] as const,
			),
			...each(
				(name, data) =>
					[`${name} with bytes at the end`, to(TOKEN, `${data(FRIEND)}00`), UNCLEAR] as const,
			),
			...each(
				(name, data) =>
					[
						`${name} with a word at the end`,
						to(TOKEN, data(FRIEND) + word(STRANGER)),
						UNCLEAR,
					] as const,
			),
			...each(
				(name, data) =>
					[`${name} with a byte less`, to(TOKEN, data(FRIEND).slice(0, -2)), UNCLEAR] as const,
			),
			...each(
				(name, data) =>
					[
						`${name} cut off after the selector`,
						to(TOKEN, data(FRIEND).slice(0, 10)),
						UNCLEAR,
					] as const,
			),
			[
				'a bool that is neither',
				to(TOKEN, call('setApprovalForAll', FRIEND, true).replace(/1$/, '2')),
				UNCLEAR,
			],
			[
				'bytes at an odd offset',
				to(TOKEN, oddOffset(call('safeTransferFrom', ADDRESS, FRIEND, 1n, '0x'))),
				UNCLEAR,
			],
			[
				'dirty bytes behind a text',
				to(
					TOKEN,
					call('safeTransferFrom', ADDRESS, FRIEND, 1n, '0x12').replace(
						/12(00){31}$/,
						`12${'00'.repeat(30)}01`,
					),
				),
				UNCLEAR,
			],
			['lists on top of each other', to(TOKEN, overlapping()), UNCLEAR],
			[
				'an endless list',
				to(
					TOKEN,
					call('safeBatchTransferFrom', ADDRESS, FRIEND, [1n], [1n], '0x').slice(0, 330) +
						'f'.repeat(320),
				),
				UNCLEAR,
			],
			[
				'the selector in upper case',
				to(TOKEN, call('transfer', STRANGER, 1n).replace('0xa9059cbb', '0xA9059CBB')),
				RECIPIENTS,
			],
			['a deployment that gets coins', deploy({ value: '0x1' }), /Allow Deployments/],
		],
	},
	'Recipients, with any contract and deployments': {
		rules: { ...BASE, recipients: FRIEND, contracts: '*', allowDeployments: true },
		allowed: [deploy(free), to(STRANGER, '0x12345678'), to(FRIEND, '0x12345678', { value: '0x1' })],
		refused: [
			[
				'coins along with a function of a stranger',
				to(STRANGER, '0x12345678', { value: '0x1' }),
				RECIPIENTS,
			],
			['coins along with one byte', to(STRANGER, '0x00', { value: '0x1' }), RECIPIENTS],
			[
				'coins along with a transfer to a friend',
				to(STRANGER, call('transfer', FRIEND, 1n), { value: '0x1' }),
				RECIPIENTS,
			],
			[
				'coins for a contract that is deployed',
				deploy({ value: '0x1' }),
				/^The rule Recipients forbids it: the contract that is deployed would receive/,
			],
			['a token of a stranger', to(STRANGER, call('transfer', STRANGER, 1n)), RECIPIENTS],
		],
	},
	'Recipients of the witness chain': {
		rules: { ...BASE, recipients: `41${FRIEND.slice(2)}` },
		allowed: [],
		refused: [
			[
				'the same bytes on an EVM chain',
				{},
				/^The rule Recipients forbids it: 0x\w{40} would receive; allowed: T\w{33}$/,
			],
		],
	},
	Contracts: {
		rules: { ...BASE, contracts: `${TOKEN.toLowerCase()},\n${CONTRACT}` },
		allowed: [
			to(CONTRACT, '0x12345678'),
			to(TOKEN, call('burn', 1n)),
			to(CONTRACT, '0x12', { value: '0x1' }),
		],
		refused: [
			...each((name, data) => [name, to(STRANGER, data(FRIEND)), CONTRACTS] as const),
			...['permit', 'multicall', 'execute', 'transferAndCall', 'send', 'burn'].map(
				(name) => [name, to(STRANGER, unknown(name)), CONTRACTS] as const,
			),
			['a function that is not known', to(STRANGER, '0x12345678'), CONTRACTS],
			['less than a selector', to(STRANGER, '0x12'), CONTRACTS],
			['a fallback with coins', to(STRANGER, '0x00', { value: '0x1' }), CONTRACTS],
			['a deployment', deploy(), /Allow Deployments/],
		],
	},
	'Contracts, empty': {
		rules: BASE,
		allowed: [{}],
		refused: [
			['a token', to(TOKEN, call('transfer', FRIEND, 1n)), /; allowed: none$/],
			['one byte of data', to(TOKEN, '0x00'), /the function 0x00 of 0x\w{40}; allowed: none$/],
		],
	},
	'Token Limits': {
		rules: { ...BASE, tokenLimits: `${TOKEN} 100` },
		allowed: [
			to(TOKEN, call('transfer', FRIEND, HUNDRED)),
			to(TOKEN, call('transferFrom', ADDRESS, FRIEND, HUNDRED)),
			to(TOKEN, call('approve', FRIEND, HUNDRED)),
			to(TOKEN, call('increaseAllowance', FRIEND, HUNDRED)),
			to(TOKEN, call('approve', FRIEND, 0n)),
		],
		refused: [
			['transfer of more', to(TOKEN, call('transfer', FRIEND, 101n)), LIMITS],
			['transferFrom of more', to(TOKEN, call('transferFrom', ADDRESS, FRIEND, 101n)), LIMITS],
			['approve of more', to(TOKEN, call('approve', FRIEND, 101n)), LIMITS],
			['approve of all there is', to(TOKEN, call('approve', FRIEND, 2n ** 256n - 1n)), LIMITS],
			['increaseAllowance by more', to(TOKEN, call('increaseAllowance', FRIEND, 101n)), LIMITS],
			['a dirty address', to(TOKEN, dirty(call('transfer', FRIEND, 1n), FRIEND)), UNCLEAR],
			[
				'an amount behind the amount',
				to(TOKEN, call('transfer', FRIEND, 1n) + word('0xff')),
				UNCLEAR,
			],
			[
				'a short call, whose end reads as zeros',
				to(TOKEN, call('transfer', FRIEND, 0x6400n).slice(0, -2)),
				UNCLEAR,
			],
			...[
				'increaseApproval',
				'decreaseAllowance',
				'setApprovalForAll',
				'permit',
				'multicall',
				'execute',
				'transferAndCall',
				'send',
				'burn',
			].map(
				(name) =>
					[`${name}, which is another function`, to(TOKEN, unknown(name)), CONTRACTS] as const,
			),
			[
				'a safe transfer, which is of NFTs',
				to(TOKEN, call('safeTransferFrom', ADDRESS, FRIEND, 1n)),
				CONTRACTS,
			],
			['another token', to(CONTRACT, call('transfer', FRIEND, 1n)), CONTRACTS],
			[
				'coins that come along',
				to(TOKEN, call('transfer', FRIEND, 1n), { value: '0xde0b6b3a7640001' }),
				AMOUNT,
			],
			['an empty call', to(TOKEN, NONE, { value: '0xde0b6b3a7640001' }), AMOUNT],
		],
	},
	'Token Limits, with the token among the contracts': {
		rules: { ...BASE, tokenLimits: `${TOKEN} 100`, contracts: `${TOKEN} *` },
		allowed: [
			to(TOKEN, call('transfer', FRIEND, HUNDRED)),
			to(TOKEN, call('safeTransferFrom', ADDRESS, FRIEND, 7n, HUNDRED, '0x')),
			to(TOKEN, call('safeTransferFrom', ADDRESS, FRIEND, 1234n)),
			to(TOKEN, call('safeBatchTransferFrom', ADDRESS, FRIEND, [1n, 2n], [50n, 50n], '0x')),
			to(TOKEN, call('setApprovalForAll', FRIEND, false)),
			to(CONTRACT, call('transfer', FRIEND, 101n)),
		],
		refused: [
			['transfer of more', to(TOKEN, call('transfer', FRIEND, 101n)), LIMITS],
			['approve of more', to(TOKEN, call('approve', FRIEND, 101n)), LIMITS],
			['increaseAllowance by more', to(TOKEN, call('increaseAllowance', FRIEND, 101n)), LIMITS],
			['an approval of all', to(TOKEN, call('setApprovalForAll', FRIEND, true)), LIMITS],
			[
				'more of one ID',
				to(TOKEN, call('safeTransferFrom', ADDRESS, FRIEND, 7n, 101n, '0x')),
				LIMITS,
			],
			[
				'more in the sum of a batch',
				to(TOKEN, call('safeBatchTransferFrom', ADDRESS, FRIEND, [1n, 2n], [50n, 51n], '0x')),
				LIMITS,
			],
			[
				'a sum that would wrap',
				to(
					TOKEN,
					call('safeBatchTransferFrom', ADDRESS, FRIEND, [1n, 2n], [2n ** 256n - 1n, 1n], '0x'),
				),
				LIMITS,
			],
		],
	},
	'Token Limits, with recipients': {
		rules: { ...BASE, tokenLimits: `${TOKEN} 100`, recipients: FRIEND },
		allowed: [to(TOKEN, call('transfer', FRIEND, HUNDRED))],
		refused: [
			['transfer to a stranger', to(TOKEN, call('transfer', STRANGER, 1n)), RECIPIENTS],
			['approve to a stranger', to(TOKEN, call('approve', STRANGER, 1n)), RECIPIENTS],
			[
				'coins for the token',
				to(TOKEN, call('transfer', FRIEND, 1n), { value: '0x1' }),
				RECIPIENTS,
			],
			['coins alone for the token', to(TOKEN, NONE, { value: '0x1' }), RECIPIENTS],
		],
	},
	'Allow Deployments, off': {
		rules: { ...BASE, contracts: '*' },
		allowed: [{}],
		refused: [
			[
				'a deployment',
				deploy(free),
				/^The rule Allow Deployments forbids it: the transaction deploys a contract; allowed: no deployments$/,
			],
			['null as the receiver', { ...deploy(free), to: null }, /Allow Deployments/],
			['an empty receiver', { ...deploy(free), to: '' }, /Transaction > to/],
			['an empty receiver in hex', { ...deploy(free), to: '0x' }, /Transaction > to/],
		],
	},
};

function unknown(name: string): string {
	const inner = call('transfer', STRANGER, 10n ** 30n);
	const calls: Readonly<Record<string, string>> = {
		permit: call(
			'permit',
			ADDRESS,
			STRANGER,
			1n,
			2n ** 64n,
			27,
			`0x${word('1')}`,
			`0x${word('2')}`,
		),
		multicall: call('multicall', [inner, call('multicall', [inner])]),
		execute: call('execute', STRANGER, 1n, inner),
		transferAndCall: call('transferAndCall', FRIEND, 1n, '0x'),
		send: call('send', FRIEND, 1n, '0x'),
		burn: call('burn', 1n),
		setApprovalForAll: call('setApprovalForAll', FRIEND, false),
	};
	return calls[name] ?? call(name, FRIEND, 1n);
}

function noFees() {
	return { maxFeePerGas: undefined, maxPriorityFeePerGas: undefined };
}

function stringified(transaction: object): object {
	const entries = Object.entries(transaction).map(([key, value]) => [
		key,
		typeof value === 'bigint' ? String(value) : value,
	]);
	return Object.fromEntries(entries);
}

/** The bytes lie a word later than they must. */
function oddOffset(data: string): string {
	const head = data.slice(0, 10 + 3 * 64);
	return `${head}${word('a0')}${word('0')}${word('0')}`;
}

/** Both lists of a batch are the same words. */
function overlapping(): string {
	const data = call('safeBatchTransferFrom', ADDRESS, FRIEND, [1n], [1n], '0x');
	const at = (index: number) => data.slice(10 + 64 * index, 10 + 64 * (index + 1));
	return data.slice(0, 10) + at(0) + at(1) + at(2) + at(2) + at(4) + data.slice(10 + 64 * 5);
}

const seen: unknown[] = [];

async function refusalOf(rules: ICredentialDataDecryptedObject, change: object) {
	const result = await signWith(signTransaction({ ...TRANSFER, ...change }), { rules });
	seen.push(result);
	return result.error;
}

describe.each(Object.entries(table))('%s', (_rule, { rules, allowed, refused }) => {
	if (allowed.length > 0) {
		test('what it allows is signed', async () => {
			for (const change of allowed) {
				const error = await refusalOf(rules, change);
				expect([change, error?.message]).toEqual([change, undefined]);
			}
		});
	}

	test.each(refused.map(([way, change, words]) => ({ way, change, words })))(
		'refuses $way',
		async ({ change, words }) => {
			expect((await refusalOf(rules, change))?.message).toMatch(words);
		},
	);
});

const text = JSON.stringify({ ...TRANSFER, value: '0x1' });
const within = (json: string) => text.replace('{', `{${json},`);
const HUGE = '0xde0b6b3a7640001';
const OTHER_NAME = /must be a transaction without '\S+', which would not be signed as it stands/;

describe('a transaction that says it in another way is refused:', () => {
	test.each<[string, string, RegExp]>([
		['a prototype', within(`"__proto__":{"value":"${HUGE}"}`), OTHER_NAME],
		['a constructor', within('"constructor":{}'), OTHER_NAME],
		['input beside data', within('"input":"0x12345678"'), OTHER_NAME],
		['gasLimit beside gas', within('"gasLimit":"0xffffff"'), OTHER_NAME],
		['a signature', within('"v":"0x0","r":"0x1","s":"0x1"'), OTHER_NAME],
		['an authorization', within('"authorizationList":[]'), OTHER_NAME],
		['blobs', within('"maxFeePerBlobGas":"0x1"'), OTHER_NAME],
		['another case', within(`"Value":"${HUGE}"`), OTHER_NAME],
		['a transaction in a transaction', `{"transaction":${within('"transaction":{}')}}`, OTHER_NAME],
		['no transaction', '{"transaction":null}', /must be a transaction as Prepare gives it/],
		['a list of one', `[${text}]`, /must be a transaction as Prepare gives it/],
		['the last of two values', `${text.slice(0, -1)},"value":"${HUGE}"}`, AMOUNT],
		[
			'the last of two transactions',
			`{"transaction":{},"transaction":${over('value', HUGE)}}`,
			AMOUNT,
		],
		...[['0x1'], { value: '0x1' }, true, null, '', '0x', ' ', '1e3', '.5', '1,5', '1_0', '+1']
			.concat(['0b1', '1n', '１', '٣', '0x1\u200b', '-0x1', 'NaN', '1 ether'])
			.map((value): [string, string, RegExp] => [
				`the value ${JSON.stringify(value)}`,
				over('value', value),
				/> value' must be/,
			]),
		...[[FRIEND], FRIEND.slice(2), `${FRIEND}00`, `${FRIEND}\u200b`, `41${FRIEND.slice(2)}`]
			.concat(['TLEaY8XoqpBmndLsjcfThgdKLN1ssNuUcF', 'friend.eth', FRIEND.replace('f', 'F')])
			.map((receiver): [string, string, RegExp] => [
				`the receiver ${JSON.stringify(receiver)}`,
				over('to', receiver),
				/> to' must be/,
			]),
		...['eip1559', 'legacy', '', null, '0x', [2], '0x3', '0x4', '0x71', '0x7b', -1].map(
			(type): [string, string, RegExp] => [
				`the type ${JSON.stringify(type)}`,
				over('type', type),
				/> type' must be/,
			],
		),
		...['12', '0x1', '0x1g', null, [], '0x１２'].map((data): [string, string, RegExp] => [
			`the data ${JSON.stringify(data)}`,
			over('data', data),
			/> data' must be/,
		]),
	])('%s', async (_, transaction, words) => {
		const parameters = { ...signTransaction({}), transaction };
		const result = await signWith(parameters, { rules: BASE });
		seen.push(result);
		expect(result.items).toEqual([]);
		expect(result.error?.message).toMatch(words);
	});

	test.each([
		[
			'a value that changes when it is read again',
			`get value() { return n++ ? '${HUGE}' : '0x1' }`,
		],
		['a receiver that changes', `get to() { return n++ ? '${STRANGER}' : '${FRIEND}' }`],
		['a value that is text by a function', `value: { toString: () => '0x1', valueOf: () => 1 }`],
		['a list that maps as it likes', `data: { slice: () => '0x', toLowerCase: () => '0x' }`],
	])('%s', async (_, member) => {
		const transaction = `={{ (() => { let n = 0; return { ...$json, ${member} }; })() }}`;
		const result = await signWith(
			{ ...signTransaction({}), transaction },
			{ rules: { ...BASE, recipients: FRIEND }, items: [{ json: { ...TRANSFER, value: '0x1' } }] },
		);
		seen.push(result);
		for (const { json } of result.items) {
			const { to, value } = parseTransaction(json.signedTransaction as Hex);
			expect([to, value]).toEqual([FRIEND.toLowerCase(), 1n]);
		}
		expect(result.items.length > 0 || result.error !== undefined).toBe(true);
	});
});

function over(name: string, value: unknown): string {
	return JSON.stringify({ ...TRANSFER, value: '0x1', [name]: value });
}

test('the same transaction many times has one signature, and what stands around it has no say', async () => {
	const around = { to: STRANGER, value: HUGE, data: '0x12345678', maxCost: '9' };
	const items = Array.from({ length: 50 }, (_, at) => ({
		json: { ...(at % 2 ? around : {}), transaction: { ...TRANSFER, value: '0x1' } },
	}));
	const result = await signWith(
		{ ...signTransaction({}), transaction: '={{ $json }}' },
		{ rules: { ...BASE, recipients: FRIEND }, items },
	);
	seen.push(result);
	const all = result.items.map(({ json }) => json.signedTransaction);
	expect([all.length, new Set(all).size]).toEqual([50, 1]);
	expect(parseTransaction(all[0] as Hex)).toMatchObject({ to: FRIEND.toLowerCase(), value: 1n });
});

describe('a rule that cannot be read refuses everything', () => {
	test.each<[string, ICredentialDataDecryptedObject[string]]>([
		['chainIds', 'mainnet'],
		['chainIds', ','],
		['chainIds', '[31337]'],
		['chainIds', '31337, 0'],
		['chainIds', '31337 -1'],
		['maxAmount', 'a lot'],
		['maxAmount', '-1'],
		['maxAmount', '1e3'],
		['maxAmount', '0x10'],
		['maxAmount', '1,5'],
		['maxAmount', '0.0000000000000000001'],
		['maxAmount', 0.1 + 0.2],
		['maxAmount', { most: 1 }],
		['maxFee', '∞'],
		['recipients', ' , '],
		['recipients', '[]'],
		['recipients', [] as never],
		['recipients', FRIEND.replace('f', 'F')],
		['recipients', `${FRIEND};${STRANGER}`],
		['recipients', 'friend.eth'],
		['recipients', '*'],
		['recipients', `${FRIEND}\u200b`],
		['contracts', 'any'],
		['contracts', '**'],
		['contracts', KEY],
		['tokenLimits', TOKEN],
		['tokenLimits', `${TOKEN} 1.5`],
		['tokenLimits', `${TOKEN} 1_000`],
		['tokenLimits', `${TOKEN} 100 200`],
		['tokenLimits', `${TOKEN} 100\n${TOKEN.toLowerCase()} 1000`],
		['tokenLimits', `* 100`],
		['tokenLimits', `${TOKEN} -1`],
		['tokenLimits', `${TOKEN} 0x10`],
		['tokenLimits', `${TOKEN} 1e3`],
		['tokenLimits', `${TOKEN} １００`],
		['tokenLimits', `${TOKEN} 100\r${CONTRACT} 100`],
		['tokenLimits', `${TOKEN} 100, ${CONTRACT} 100`],
		['tokenLimits', `${TOKEN} 100 # a comment`],
		['maxAmount', '１'],
		['maxAmount', '1\u200b'],
		['maxAmount', '1\n2'],
		['maxAmount', true],
		['maxAmount', '.'],
		['contracts', '\u200b*'],
		['contracts', '"*"'],
		['contracts', ['*'] as never],
		['chainIds', '１'],
		['chainIds', '1.5'],
		['chainIds', '*'],
		['allowDeployments', ' true '],
		['allowDeployments', ['true'] as never],
		['allowDeployments', 'perhaps'],
		['allowMessages', 1],
		['allowTypedData', 'yes'],
		['witnessKinds', 'everything'],
		['witnessKinds', ['transfer', '*'] as never],
		['witnessMaxAmount', 'all'],
		['witnessMaxFee', '0.0000001'],
	])('%s: %p', async (name, value) => {
		const error = await refusalOf({ ...BASE, [name]: value }, {});
		expect(error?.message).toMatch(/^The rule [\w ]+ of the credential can't be read: it must be /);
		expect(error?.message).not.toContain(KEY.slice(2, 30));
	});

	test('an empty one is the safe one', async () => {
		const empty = Object.fromEntries(
			[
				'maxAmount',
				'recipients',
				'contracts',
				'tokenLimits',
				'witnessKinds',
				'witnessMaxAmount',
				'witnessMaxFee',
			].map((name) => [name, '']),
		);
		const rules = { ...empty, chainIds: '31337', maxFee: '0.01' };
		expect(await refusalOf(rules, free)).toBeUndefined();
		expect((await refusalOf(rules, { value: '0x1' }))?.message).toMatch(/Max Amount/);
		expect((await refusalOf({ ...rules, maxFee: '' }, free))?.message).toMatch(/at most 0$/);
	});
});

test('the key is in nothing that came of all these attacks', () => {
	expect(seen.length).toBeGreaterThan(150);
	expect(foundIn(KEY, seen)).toEqual([]);
	expect(foundIn(KEY, [{ cause: new Error(KEY.toUpperCase()) }])).not.toEqual([]);
});
