import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { parseTransaction, toHex, type Hex } from 'viem';
import { takeRows, TRIES_ALL } from '../../test/harness/caseCount.mts';
import { testAttacks, type Attacked } from './support/attacks.mts';
import { findSpellings } from '../../test/harness/spellings.mts';
import {
	ADDRESS,
	CONTRACT,
	FRIEND,
	KEY,
	signGiven,
	signTransaction,
	signWith,
	STRANGER,
	TOKEN,
	TRANSFER,
} from './support/signerNode.mts';
import { putBack, takeOut } from './support/takenOut.mts';
import type * as TakenOut from './support/takenOut.mts';
import { BASE, call, free, to } from './support/tokenCalls.mts';

jest.mock('../rules/refusal', () =>
	jest
		.requireActual<typeof TakenOut>('./support/takenOut.mts')
		.withoutThoseTakenOut(jest.requireActual('../rules/refusal')),
);

const HUNDRED = 100n;
const ALL = 2n ** 256n - 1n;
const NOBODY = `0x${'0'.repeat(40)}`;
const SLOT = `0x${'0'.repeat(64)}`;
const NONE = '0x';
const ZEROS = '0'.repeat(24);
const word = (hex: string) => hex.replace('0x', '').toLowerCase().padStart(64, '0');

/** Puts a byte that is not zero into the unused first 12 bytes of the receiver's address. */
const dirty = (data: string, receiver: string, by = '01') =>
	data.replace(
		ZEROS + receiver.slice(2).toLowerCase(),
		by.padStart(24, '0') + receiver.slice(2).toLowerCase(),
	);

const deploy = (more: object = {}) => ({ to: undefined, data: '0x6000', ...more });

const RECIPIENTS = /^The rule Recipients forbids it: 0x\w{40} would receive. Allowed: 0x\w{40}$/;
const CONTRACTS =
	/^The rule Contracts forbids it: the transaction calls (the function 0x\w+|\w+\(\S+\)) of 0x\w{40}. Allowed: /;
const LIMITS =
	/^The rule Token Limits forbids it: \w+\(.+\) of 0x\w{40} is about (\d+|all of it). Allowed: at most 100 of its smallest unit$/;
const UNCLEAR = /is not encoded in the one canonical way$/;
const AMOUNT =
	/^The rule Max Amount forbids it: the transaction sends \S+ coins. Allowed: at most 1$/;
const FEE =
	/^The rule Max Fee forbids it: the transaction offers a fee of \S+ coins. Allowed: at most 0.01$/;

const GAS = (gas: number, least: number) =>
	new RegExp(`^The transaction has ${gas} gas, and needs at least ${least}$`);

/** Calls that give the receiver coins, tokens or rights. */
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

const table: Readonly<Record<string, Attacked<object>>> = {
	'Chain IDs': {
		rules: BASE,
		allowed: [{}, { chainId: 31337 }, { chainId: '31337' }],
		refused: [
			[
				'another chain',
				{ chainId: '0x1' },
				/^The rule Chain IDs forbids it: the transaction is for chain 1. Allowed: 31337$/,
			],
			['a chain whose number ends as the allowed one', { chainId: 131337 }, /Chain IDs/],
		],
		unreadable: [
			['no chain (before EIP-155)', { chainId: undefined }, /chainId/],
			['chain 0', { chainId: 0 }, /chainId/],
			['a list of chains', { chainId: ['0x7a69'] }, /chainId/],
			['a chain in blanks', { chainId: ' 0x7a69 0x1' }, /chainId/],
		],
	},
	'Chain IDs, empty': {
		rules: { ...BASE, chainIds: '' },
		allowed: [],
		refused: [['any chain', {}, /chain 31337. Allowed: none$/]],
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
		],
		unreadable: [
			['below zero', { value: '-1' }, /value' must be/],
			['a number that has lost digits', { value: 1e21 }, /must be/],
			['more than 256 bits, which would wrap', { value: `0x1${'0'.repeat(64)}` }, /below 2\^256/],
		],
	},
	'Max Amount, not set': {
		rules: { chainIds: '31337', maxFee: '0.01' },
		allowed: [free],
		refused: [
			['one wei', { value: '0x1' }, /sends 0.000000000000000001 coins. Allowed: at most 0$/],
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
		],
		unreadable: [
			[
				'a tip above the price',
				{ maxFeePerGas: '0x1', maxPriorityFeePerGas: '0xffffffffffff' },
				/maxPriorityFeePerGas/,
			],
			['two kinds of prices', { gasPrice: '0x1' }, /without 'gasPrice'/],
			['gas that would wrap', { gas: `0x${'f'.repeat(16)}` }, /at most 18446744073709551614/],
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
			['a deployment that gets coins', deploy({ value: '0x1' }), /Allow Deployments/, 'Recipients'],
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
				/^The rule Recipients forbids it: 0x\w{40} would receive. Allowed: T\w{33}$/,
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
	'Contracts, any': {
		rules: { ...BASE, contracts: '*' },
		allowed: [to(STRANGER, '0x12345678'), to(ADDRESS, NONE)],
		refused: [
			[
				'an order to the account itself, which may have code',
				to(ADDRESS, '0x12345678'),
				/^The rule Contracts forbids it: the transaction calls the function 0x12345678 of 0x\w{40}\. /,
			],
		],
	},
	'Contracts, any and the account itself': {
		rules: { ...BASE, contracts: `* ${ADDRESS}` },
		allowed: [to(ADDRESS, '0x12345678')],
		refused: [],
	},
	'Contracts, empty': {
		rules: BASE,
		allowed: [{}],
		refused: [
			['a token', to(TOKEN, call('transfer', FRIEND, 1n)), /. Allowed: none$/],
			['one byte of data', to(TOKEN, '0x00'), /the function 0x00 of 0x\w{40}. Allowed: none$/],
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
			to(TOKEN, call('decreaseAllowance', FRIEND, 101n)),
		],
		refused: [
			['transfer of more', to(TOKEN, call('transfer', FRIEND, 101n)), LIMITS],
			['transferFrom of more', to(TOKEN, call('transferFrom', ADDRESS, FRIEND, 101n)), LIMITS],
			['approve of more', to(TOKEN, call('approve', FRIEND, 101n)), LIMITS],
			['approve of all there is', to(TOKEN, call('approve', FRIEND, 2n ** 256n - 1n)), LIMITS],
			['increaseAllowance by more', to(TOKEN, call('increaseAllowance', FRIEND, 101n)), LIMITS],
			[
				'a dirty address',
				to(TOKEN, dirty(call('transfer', FRIEND, 1n), FRIEND)),
				UNCLEAR,
				'Contracts',
			],
			[
				'an amount behind the amount',
				to(TOKEN, call('transfer', FRIEND, 1n) + word('0xff')),
				UNCLEAR,
				'Contracts',
			],
			[
				'a short call, whose end reads as zeros',
				to(TOKEN, call('transfer', FRIEND, 0x6400n).slice(0, -2)),
				UNCLEAR,
				'Contracts',
			],
			...[
				'increaseApproval',
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
				/^The rule Allow Deployments forbids it: the transaction deploys a contract. Allowed: no deployments$/,
			],
			['null as the receiver', { ...deploy(free), to: null }, /Allow Deployments/],
		],
		unreadable: [
			['an empty receiver', { ...deploy(free), to: '' }, /Transaction > to/],
			['an empty receiver in hex', { ...deploy(free), to: '0x' }, /Transaction > to/],
		],
	},
	'Recipients, of what takes an approval back': {
		rules: { ...BASE, recipients: FRIEND, tokenLimits: `${TOKEN} 100`, contracts: CONTRACT },
		allowed: [
			to(TOKEN, call('approve', STRANGER, 0n)),
			to(TOKEN, call('decreaseAllowance', STRANGER, 101n)),
			to(TOKEN, call('decreaseAllowance', STRANGER, ALL)),
			// The contract has no token limit, so it may be an NFT contract. Even then, these calls take rights back.
			to(CONTRACT, call('setApprovalForAll', STRANGER, false)),
			to(CONTRACT, call('approve', NOBODY, 7n)),
			to(CONTRACT, call('decreaseAllowance', STRANGER, 1n)),
			{ to: ADDRESS, value: '0x0' },
			{ to: ADDRESS.toLowerCase(), value: undefined, data: '0x' },
		],
		refused: [
			['the NFT with the ID 0', to(CONTRACT, call('approve', STRANGER, 0n)), RECIPIENTS],
			['an NFT', to(CONTRACT, call('approve', STRANGER, 7n)), RECIPIENTS],
			[
				'an approval of all NFTs',
				to(CONTRACT, call('setApprovalForAll', STRANGER, true)),
				RECIPIENTS,
			],
			['an approval of 1', to(TOKEN, call('approve', STRANGER, 1n)), RECIPIENTS],
			['an approval raised by 0', to(TOKEN, call('increaseAllowance', STRANGER, 0n)), RECIPIENTS],
			['a transfer of 0', to(TOKEN, call('transfer', STRANGER, 0n)), RECIPIENTS],
			['a transferFrom of 0', to(TOKEN, call('transferFrom', ADDRESS, STRANGER, 0n)), RECIPIENTS],
			['more than the limit for nobody', to(TOKEN, call('approve', NOBODY, 101n)), LIMITS],
			...[
				call('approve', STRANGER, 0n),
				call('decreaseAllowance', STRANGER, 1n),
				call('approve', NOBODY, 0n),
			].map(
				(data) =>
					[
						`coins along with ${data.slice(0, 10)}`,
						to(TOKEN, data, { value: '0x1' }),
						RECIPIENTS,
					] as const,
			),
			...[
				call('approve', STRANGER, 0n),
				call('decreaseAllowance', STRANGER, 1n),
				call('setApprovalForAll', STRANGER, false),
			].map(
				(data) =>
					[
						`${data.slice(0, 10)} with bytes at the end`,
						to(CONTRACT, `${data}00`),
						UNCLEAR,
					] as const,
			),
			[
				'an approval of 0 with more behind it',
				to(TOKEN, call('approve', STRANGER, 0n) + word('0x1')),
				UNCLEAR,
				'Contracts',
			],
			[
				'a bool that is neither, for a stranger',
				to(CONTRACT, call('setApprovalForAll', STRANGER, false).replace(/0$/, '2')),
				UNCLEAR,
			],
			[
				'nobody, with a byte before the address',
				to(CONTRACT, call('approve', NOBODY, 7n).replace('0x095ea7b300', '0x095ea7b301')),
				UNCLEAR,
			],
			[
				'setApprovalForAll, false, of what has a limit alone',
				to(TOKEN, call('setApprovalForAll', STRANGER, false)),
				CONTRACTS,
			],
			[
				'an approval of 0 of an unknown contract',
				to(STRANGER, call('approve', STRANGER, 0n)),
				CONTRACTS,
				'Recipients',
			],
			[
				'a lower allowance of an unknown contract',
				to(STRANGER, call('decreaseAllowance', STRANGER, 1n)),
				CONTRACTS,
			],
			[
				'an approval of nobody of an unknown contract',
				to(STRANGER, call('approve', NOBODY, 1n)),
				CONTRACTS,
			],
			['nothing to a stranger', { to: STRANGER, value: '0x0' }, RECIPIENTS],
			['a byte to oneself', to(ADDRESS, '0x00'), CONTRACTS],
			['nothing to oneself on another chain', { to: ADDRESS, ...free, chainId: 1 }, /Chain IDs/],
			['nothing to oneself for much gas', { to: ADDRESS, ...free, gas: '5000001' }, FEE],
		],
	},
	'Recipients, of what the account pays itself': {
		rules: { ...BASE, recipients: FRIEND, contracts: TOKEN, tokenLimits: `${TOKEN} 100` },
		allowed: [
			{ to: ADDRESS, value: '0xde0b6b3a7640000' },
			to(TOKEN, call('transfer', ADDRESS, HUNDRED)),
			to(TOKEN, call('transferFrom', ADDRESS, ADDRESS, 1n)),
			to(TOKEN, call('transferFrom', STRANGER, ADDRESS, 1n)),
			to(TOKEN, call('safeTransferFrom', ADDRESS, ADDRESS, 1n)),
			to(TOKEN, call('safeTransferFrom', ADDRESS, ADDRESS, 1n, 1n, '0x')),
			to(TOKEN, call('safeBatchTransferFrom', ADDRESS, ADDRESS, [1n], [1n], '0x')),
		],
		refused: [
			['more coins', { to: ADDRESS, value: '0xde0b6b3a7640001' }, AMOUNT],
			['a byte along', to(ADDRESS, '0x00', { value: '0x1' }), CONTRACTS],
			['more of a token', to(TOKEN, call('transfer', ADDRESS, 101n)), LIMITS],
			['an approval of itself', to(TOKEN, call('approve', ADDRESS, 1n)), RECIPIENTS],
			['more of an approval', to(TOKEN, call('increaseAllowance', ADDRESS, 1n)), RECIPIENTS],
			[
				'itself as an operator',
				to(TOKEN, call('setApprovalForAll', ADDRESS, true)),
				RECIPIENTS,
				'Token Limits',
			],
			[
				'own tokens for a stranger',
				to(TOKEN, call('transferFrom', ADDRESS, STRANGER, 1n)),
				RECIPIENTS,
			],
		],
	},
	'Recipients, of tokens of others for the account': {
		rules: { ...BASE, recipients: FRIEND, tokenLimits: `${TOKEN} 100` },
		allowed: [],
		refused: [
			[
				'without Contracts',
				to(TOKEN, call('transferFrom', STRANGER, ADDRESS, 1n)),
				/^The rule Contracts forbids it: .*, about tokens of 0x\w{40}. Allowed: none$/,
			],
		],
	},
	'Recipients, of what takes an approval back from any contract': {
		rules: { ...BASE, recipients: FRIEND, contracts: '*' },
		allowed: [
			to(CONTRACT, call('setApprovalForAll', STRANGER, false)),
			to(CONTRACT, call('decreaseAllowance', STRANGER, 1n)),
			to(CONTRACT, call('approve', NOBODY, 7n)),
		],
		refused: [
			['the NFT with the ID 0', to(CONTRACT, call('approve', STRANGER, 0n)), RECIPIENTS],
			[
				'coins along with it',
				to(CONTRACT, call('setApprovalForAll', STRANGER, false), { value: '0x1' }),
				RECIPIENTS,
			],
		],
	},
	'Token Limits, of tokens of others': {
		rules: { ...BASE, tokenLimits: `${TOKEN} 100`, contracts: CONTRACT },
		allowed: [
			to(TOKEN, call('transferFrom', ADDRESS, FRIEND, HUNDRED)),
			to(CONTRACT, call('transferFrom', STRANGER, FRIEND, HUNDRED)),
		],
		refused: [
			...[STRANGER, FRIEND, TOKEN, NOBODY].map(
				(owner) =>
					[
						`transferFrom of ${owner}`,
						to(TOKEN, call('transferFrom', owner, FRIEND, 1n)),
						new RegExp(
							`^The rule Contracts forbids it: the transaction calls transferFrom\\(address,address,uint256\\) of ${TOKEN}, about tokens of ${owner}. Allowed: ${CONTRACT}$`,
						),
					] as const,
			),
			[
				'transferFrom of another token',
				to(STRANGER, call('transferFrom', ADDRESS, FRIEND, 1n)),
				CONTRACTS,
			],
		],
	},
	'Token Limits, of tokens of others, with the token among the contracts': {
		rules: { ...BASE, tokenLimits: `${TOKEN} 100`, contracts: TOKEN },
		allowed: [to(TOKEN, call('transferFrom', STRANGER, FRIEND, HUNDRED))],
		refused: [['more of them', to(TOKEN, call('transferFrom', STRANGER, FRIEND, 101n)), LIMITS]],
	},
	'Token Limits, of tokens of others, with any contract': {
		rules: { ...BASE, tokenLimits: `${TOKEN} 100`, contracts: '*' },
		allowed: [to(TOKEN, call('transferFrom', STRANGER, FRIEND, HUNDRED))],
		refused: [['more of them', to(TOKEN, call('transferFrom', STRANGER, FRIEND, 101n)), LIMITS]],
	},
	'The gas that a transaction takes': {
		rules: { ...BASE, contracts: '*', allowDeployments: true },
		allowed: [
			{ gas: 21_000 },
			// The least gas is 21000 and 10 for each unit of data. A byte other than zero counts four units (EIP-7623).
			to(CONTRACT, '0x12345678', { gas: 21_160 }),
			to(CONTRACT, '0x12000000', { gas: 21_070 }),
			{ accessList: [{ address: FRIEND, storageKeys: [SLOT, SLOT] }], gas: 27_200 },
			// The least gas is 21000 for the transaction, 32000 for the creation, 2 for one word of code, and 4 for each unit of data.
			deploy({ gas: 53_022 }),
		],
		refused: [
			['no gas', { gas: 0 }, GAS(0, 21_000)],
			['one unit less', { gas: 20_999 }, GAS(20_999, 21_000)],
			['nothing for the data', to(CONTRACT, '0x12345678', { gas: 21_159 }), GAS(21_159, 21_160)],
			['too little for zeros', to(CONTRACT, '0x12000000', { gas: 21_069 }), GAS(21_069, 21_070)],
			[
				'too little for an access list',
				{ accessList: [{ address: FRIEND, storageKeys: [SLOT, SLOT] }], gas: 27_199 },
				GAS(27_199, 27_200),
			],
			['too little for a deployment', deploy({ gas: 53_021 }), GAS(53_021, 53_022)],
			[
				'too little for a word of code more',
				deploy({ gas: 53_135, data: `0x${'00'.repeat(33)}` }),
				GAS(53_135, 53_136),
			],
			[
				'too little for a long deployment',
				deploy({ gas: 100_999, data: `0x${'12'.repeat(2000)}` }),
				GAS(100_999, 101_000),
			],
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

/** Moves the offset of the bytes by one word, which is not canonical. */
function oddOffset(data: string): string {
	const head = data.slice(0, 10 + 3 * 64);
	return `${head}${word('a0')}${word('0')}${word('0')}`;
}

/** Encodes a batch transfer whose lists of IDs and of amounts are the same words of the data. */
function overlapping(): string {
	const data = call('safeBatchTransferFrom', ADDRESS, FRIEND, [1n], [1n], '0x');
	const at = (index: number) => data.slice(10 + 64 * index, 10 + 64 * (index + 1));
	return data.slice(0, 10) + at(0) + at(1) + at(2) + at(2) + at(4) + data.slice(10 + 64 * 5);
}

const seen: unknown[] = [];

/** A payment whose gas is enough for each change that the tests make. */
const PAYMENT = { ...TRANSFER, gas: '0xf4240' };

async function refusalOf(rules: ICredentialDataDecryptedObject, change: object) {
	const result = await signWith(signTransaction({ ...PAYMENT, ...change }), { rules });
	seen.push(result);
	return result.error;
}

testAttacks(table, async (change, rules) => (await refusalOf(rules, change))?.message);

const text = JSON.stringify({ ...PAYMENT, value: '0x1' });
const within = (json: string) => text.replace('{', `{${json},`);
const HUGE = '0xde0b6b3a7640001';
const NAME_TWICE = /must be JSON in which no object has the same name twice/;
const OTHER_NAME = /must be a transaction without '\S+', which the signature would not cover/;

/** Signs a transaction that is given as text, or as an expression with its value. */
async function refusalOfText(transaction: string, rules: ICredentialDataDecryptedObject) {
	const result = await signWith(
		{ ...signTransaction({}), transaction },
		{ rules, items: [{ json: JSON.parse(text) }] },
	);
	seen.push(result);
	return result.error;
}

const asText = async (written: string, rules: ICredentialDataDecryptedObject) =>
	(await refusalOfText(written, rules))?.message;

testAttacks<string>(
	{
		'Text that says it in another way': {
			rules: BASE,
			allowed: [text, `{"transaction":${text}}`],
			refused: [],
			unreadable: [
				['two values', `${text.slice(0, -1)},"value":"${HUGE}"}`, NAME_TWICE],
				['two values, the larger one first', within(`"value":"${HUGE}"`), NAME_TWICE],
				['two transactions', `{"transaction":{},"transaction":${over('value', HUGE)}}`, NAME_TWICE],
				['a prototype', within(`"__proto__":{"value":"${HUGE}"}`), OTHER_NAME],
				['a constructor', within('"constructor":{}'), OTHER_NAME],
				['input beside data', within('"input":"0x12345678"'), OTHER_NAME],
				['gasLimit beside gas', within('"gasLimit":"0xffffff"'), OTHER_NAME],
				['a signature', within('"v":"0x0","r":"0x1","s":"0x1"'), OTHER_NAME],
				['an authorization', within('"authorizationList":[]'), OTHER_NAME],
				['blobs', within('"maxFeePerBlobGas":"0x1"'), OTHER_NAME],
				['another case', within(`"Value":"${HUGE}"`), OTHER_NAME],
				[
					'a transaction in a transaction',
					`{"transaction":${within('"transaction":{}')}}`,
					OTHER_NAME,
				],
				['no transaction', '{"transaction":null}', /must be a transaction as Prepare gives it/],
				['a list of one', `[${text}]`, /must be a transaction as Prepare gives it/],
				...[['0x1'], { value: '0x1' }, true, null, '', '0x', ' ', '1e3', '.5', '1,5', '1_0', '+1']
					.concat(['0b1', '1n', '１', '٣', '0x1\u200b', '-0x1', 'NaN', '1 ether'])
					.map((value) => unreadable('value', value)),
				...[[FRIEND], FRIEND.slice(2), `${FRIEND}00`, `${FRIEND}\u200b`, `41${FRIEND.slice(2)}`]
					.concat(['TLEaY8XoqpBmndLsjcfThgdKLN1ssNuUcF', 'friend.eth', FRIEND.replace('f', 'F')])
					.map((receiver) => unreadable('to', receiver)),
				...['eip1559', 'legacy', '', null, '0x', [2], '0x3', '0x4', '0x71', '0x7b', -1].map(
					(type) => unreadable('type', type),
				),
				...['12', '0x1', '0x1g', null, [], '0x１２'].map((data) => unreadable('data', data)),
			],
		},
		'Objects of expressions with methods of their own': {
			rules: { ...BASE, recipients: FRIEND },
			allowed: ['={{ $json }}', byExpression(`value: '0x1'`), byExpression(`data: ['0x'][0]`)],
			refused: [
				['another value', byExpression(`value: '${HUGE}'`), AMOUNT],
				['another receiver', byExpression(`to: '${STRANGER}'`), RECIPIENTS],
			],
			unreadable: [
				[
					'text by a function',
					byExpression(`value: { toString: () => '0x1' }`),
					/> value' must be/,
				],
				['a number by a function', byExpression('value: { valueOf: () => 1 }'), /> value' must be/],
				[
					'text that changes',
					byExpression(`to: { toString: () => (n++ ? '${STRANGER}' : '${FRIEND}') }`),
					/> to' must be/,
				],
				[
					'JSON by a function',
					byExpression(`value: { toJSON: () => (n++ ? '${HUGE}' : '0x1') }`),
					/> value' must be/,
				],
				[
					'text that cuts as it likes',
					byExpression(`data: { slice: () => '0x', toLowerCase: () => '0x', length: 2 }`),
					/> data' must be/,
				],
				[
					'a list that maps as it likes',
					byExpression('accessList: { map: () => [], length: 0 }'),
					/> accessList' must be/,
				],
				[
					'a list of a list',
					byExpression(`accessList: [{ address: ['${FRIEND}'], storageKeys: [] }]`),
					/> accessList' must be/,
				],
			],
		},
	},
	asText,
);

/** Builds an n8n expression whose value is the item's JSON with the given members added. */
function byExpression(members: string): string {
	return `={{ (() => { let n = 0; return { ...$json, ${members} }; })() }}`;
}

function unreadable(
	name: string,
	value: unknown,
): [way: string, transaction: string, words: RegExp] {
	const words = new RegExp(`> ${name}' must be`);
	return [`the ${name} ${JSON.stringify(value)}`, over(name, value), words];
}

/**
 * Tests of an object whose member has another value after some number of reads, by a getter or a proxy. Expressions of n8n cannot make such
 * objects, so the tests pass them in directly.
 */
describe('an object that answers otherwise when it is asked again', () => {
	afterEach(putBack);

	const RULES = { ...BASE, recipients: FRIEND };
	const USUAL: Readonly<Record<string, string>> = { ...PAYMENT, value: '0x1' };
	const MOST_READS = 12;
	const CHANGES = [
		['value', HUGE, 'Max Amount'],
		['to', STRANGER.toLowerCase(), 'Recipients'],
		['chainId', '0x1', 'Chain IDs'],
		['gas', '0x98968000', 'Max Fee'],
		['maxFeePerGas', '0xffffffffffff', 'Max Fee'],
		['data', '0x12345678', 'Contracts'],
	] as const;

	type Make = (name: string, read: () => unknown) => object;

	const withGetter: Make = (name, read) =>
		Object.defineProperty({ ...USUAL }, name, { enumerable: true, get: read });

	const withTraps: Make = (name, read) =>
		new Proxy(
			{ ...USUAL },
			{
				get: (target, key) => (key === name ? read() : Reflect.get(target, key)),
				getOwnPropertyDescriptor: (target, key) => {
					const property = Reflect.getOwnPropertyDescriptor(target, key);
					return key === name ? { ...property, value: read() } : property;
				},
			},
		);

	/** Lets the value change at each possible read, and returns the signed value or the error of each run. */
	async function outcomesOf(make: Make, name: string, other: string) {
		const outcomes: string[] = [];
		for (let from = 0; from <= MOST_READS; from++) {
			let reads = 0;
			const given = make(name, () => (reads++ < from ? USUAL[name] : other));
			const result = await signGiven({ transaction: given }, RULES);
			seen.push(result);
			outcomes.push(typeof result === 'string' ? memberOf(result, name) : result.message);
			expect(reads).toBeLessThan(MOST_READS);
		}
		return outcomes;
	}

	test.each(takeRows(CHANGES, 3))(
		'is signed as the rules saw it: %s by traps',
		async (name, other, rule) => {
			const outcomes = await outcomesOf(withTraps, name, other);
			expect(outcomes).not.toContain(other);
			expect(outcomes[0]).toMatch(new RegExp(`^The rule ${rule} forbids it: `));
			// In the last run, the value would change only after more reads than the signer makes.
			expect(outcomes.at(-1)).toBe(USUAL[name]!.toLowerCase());
			takeOut(rule);
			expect(await outcomesOf(withTraps, name, other)).toContain(other);
		},
	);

	test.each(takeRows(CHANGES, 3))(
		'is signed as the rules saw it, or not read: %s by a getter',
		async (name, other, rule) => {
			const outcomes = await outcomesOf(withGetter, name, other);
			const words = new RegExp(`^(The rule ${rule} forbids it: |'Transaction' must be )`);
			expect(
				outcomes.filter((one) => one !== USUAL[name]!.toLowerCase() && !words.test(one)),
			).toEqual([]);
			expect(outcomes[0]).toMatch(words);
		},
	);
});

/** Returns a member of a signed transaction as text. */
function memberOf(signed: string, name: string): string {
	const member = (parseTransaction(signed as Hex) as Record<string, unknown>)[name];
	if (name === 'data') return String(member ?? '0x');
	return typeof member === 'string' ? member : toHex(member as bigint);
}

function over(name: string, value: unknown): string {
	return JSON.stringify({ ...PAYMENT, value: '0x1', [name]: value });
}

test('the same transaction many times has one signature, and its surroundings have no say', async () => {
	const around = {
		summary: `Send ${HUGE} to ${STRANGER}`,
		maxCost: '9',
		contractAddress: STRANGER,
	};
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

const UNREADABLE: ReadonlyArray<[string, ICredentialDataDecryptedObject[string]]> = [
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
	['recipients', null as never],
	['recipients', undefined as never],
	['contracts', null as never],
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
	['witnessMaxExpiry', '0'],
	['witnessMaxExpiry', '-5'],
	['witnessMaxExpiry', '0.5'],
	['witnessMaxExpiry', '1e3'],
	['witnessMaxExpiry', '0x10'],
	['witnessMaxExpiry', '1 hour'],
	['witnessMaxExpiry', '９'],
	['witnessMaxExpiry', 1e21],
	['witnessMaxExpiry', ['60'] as never],
	['witnessMaxExpiry', false],
];

describe('a rule that cannot be read refuses everything', () => {
	test.each(takeRows(UNREADABLE, 3))('%s: %p', async (name, value) => {
		const error = await refusalOf({ ...BASE, [name]: value }, {});
		expect(error?.message).toMatch(/^The rule [\w ]+ of the credential can't be read: it must be /);
		expect(error?.message).not.toContain(KEY.slice(2, 30));
	});

	test('and this transaction is signed under rules that can be read', async () => {
		expect(await refusalOf(BASE, {})).toBeUndefined();
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
				'witnessMaxExpiry',
			].map((name) => [name, '']),
		);
		const rules = { ...empty, chainIds: '31337', maxFee: '0.01' };
		expect(await refusalOf(rules, free)).toBeUndefined();
		expect((await refusalOf(rules, { value: '0x1' }))?.message).toMatch(/Max Amount/);
		expect((await refusalOf({ ...rules, maxFee: '' }, free))?.message).toMatch(/at most 0$/);
	});
});

test('the key is in nothing that came of all these attacks', () => {
	expect(seen.length).toBeGreaterThan(TRIES_ALL ? 150 : 100);
	expect(findSpellings(KEY, seen)).toEqual([]);
	expect(findSpellings(KEY, [{ cause: new Error(KEY.toUpperCase()) }])).not.toEqual([]);
});
