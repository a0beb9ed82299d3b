import { CredentialTestContext } from 'n8n-core';
import { parseUnits } from 'viem';
import { InvalidInput, evmTransactionParser, parseUnsignedWitness } from '../../../nodes/core';
import { OTHER_ACCOUNT_KEY } from '../../../test/harness/accountKey.mts';

import { credentialTest } from '../../nodes/core/editor';
import { askDeposits, deposit, DEPOSITS, DESTINATION, signSwept } from '../support/deposits.mts';
import { ADDRESS, CONTRACT, STRANGER, TOKEN } from '../support/signerNode.mts';
import { call, to } from '../support/tokenCalls.mts';
import { authorizationOf, permitOf, type TypedData } from '../support/typedData.mts';
import { asBase58, asWitness, builder } from '../support/witness.mts';

/** Tests of the requests that the credential of deposit addresses signs or refuses, and of its worst case. */

const OWN = deposit(0);
const GWEI = 10n ** 9n;

const evm = (more: object = {}) => ({
	kind: 'transaction' as const,
	given: evmTransactionParser('Transaction')({
		chainId: 31337,
		nonce: 0,
		gas: 100_000,
		value: String(parseUnits('1', 18)),
		data: '0x',
		to: DESTINATION,
		maxFeePerGas: String(GWEI),
		maxPriorityFeePerGas: String(GWEI),
		...more,
	}),
});

const token = (data: string, more: object = {}) => evm(to(TOKEN, data, more));
const brought = call('transfer', DESTINATION, 5n);

test.each([
	['coins', evm()],
	['coins on another of the chains', evm({ chainId: 1 })],
	['coins that are worth the highest fee', evm({ value: String(100_000n * GWEI) })],
	['tokens', token(brought)],
])('%s are signed', async (_name, request) => {
	expect(await signSwept(request)).toMatchObject({
		from: expect.stringMatching(new RegExp(OWN, 'i')),
		signedTransaction: expect.stringMatching(/^0x02/),
	});
});

const EMPTY = /^The transaction would burn more than it brings/;
const OTHER = /^The key of deposits signs transfers to its destination alone/;
const DESTINATIONS =
	/^The rule EVM Destination forbids it: 0x\w{40} would receive. Allowed: 0x\w+$/;
const TOKENS = /^The rule Tokens forbids it: the transaction calls .* of 0x\w{40}/;

test.each([
	['coins to somebody else', evm({ to: STRANGER }), DESTINATIONS],
	['coins to the address itself', evm({ to: OWN }), DESTINATIONS],
	['no coins to the address itself', evm({ to: OWN, value: 0 }), EMPTY],
	['coins to a token', evm({ to: TOKEN }), DESTINATIONS],
	['no coins', evm({ value: 0 }), EMPTY],
	['coins below the highest fee', evm({ value: String(100_000n * GWEI - 1n) }), EMPTY],
	['coins with data', evm({ data: '0x00' }), TOKENS],
	['coins to the destination with a call', evm({ data: brought }), TOKENS],
	['another chain', evm({ chainId: 5 }), /^The rule Chain IDs forbids it/],
	['a fee above Max Fee', evm({ gas: 10_000_001 }), /^The rule Max Fee forbids it/],
	['a deployment', evm({ to: undefined, data: '0x6000' }), /deploys a contract/],
	['tokens to somebody else', token(call('transfer', STRANGER, 5n)), DESTINATIONS],
	['no tokens', token(call('transfer', DESTINATION, 0n)), EMPTY],
	['tokens with coins along', token(brought, { value: 1 }), OTHER],
	['a token that is not listed', evm(to(CONTRACT, brought)), TOKENS],
	['an approval', token(call('approve', DESTINATION, 5n)), TOKENS],
	['an approval that is taken back', token(call('approve', DESTINATION, 0n)), TOKENS],
	['an operator', token(call('setApprovalForAll', DESTINATION, true)), TOKENS],
	['transferFrom of its own', token(call('transferFrom', OWN, DESTINATION, 5n)), TOKENS],
	['transferFrom of others', token(call('transferFrom', STRANGER, DESTINATION, 5n)), TOKENS],
	['increaseAllowance', token(call('increaseAllowance', DESTINATION, 5n)), TOKENS],
	['an NFT', token(call('safeTransferFrom', OWN, DESTINATION, 5n)), TOKENS],
	['a multicall', token(call('multicall', [brought])), TOKENS],
	['bytes behind a transfer', token(`${brought}00`), /not encoded in the one canonical way/],
	['another sender', evm({ from: ADDRESS }), /^The transaction is from 0x/],
])('%s is refused', async (_name, request, message) => {
	expect(await signSwept(request)).toMatch(message);
});

const HOUR_S = 3600;
const now = () => Math.floor(Date.now() / 1000);

const authorization = (more: object = {}, value = 5n, name = 'TransferWithAuthorization') =>
	signed(authorizationOf(value, DESTINATION, { ...OF_OWN(), ...more }, name));
const OF_OWN = () => ({ from: OWN, validAfter: 0, validBefore: now() + HOUR_S - 60 });
const signed = (given: TypedData) => ({ kind: 'authorization' as const, given });

test('an authorization is signed', async () => {
	expect(await signSwept(authorization())).toEqual({
		signature: expect.stringMatching(/^0x[0-9a-f]{130}$/),
		signer: expect.stringMatching(new RegExp(OWN, 'i')),
	});
});

test.each([
	['to somebody else', () => authorization({ to: STRANGER }), DESTINATIONS],
	['to the address itself', () => authorization({ to: OWN }), DESTINATIONS],
	['about the tokens of others', () => authorization({ from: STRANGER }), /is about tokens of/],
	['about nothing', () => authorization({}, 0n), EMPTY],
	[
		'that lasts longer than an hour',
		() => authorization({ validBefore: now() + HOUR_S + 60 }),
		/can be used until .*, which is more than an hour from now$/,
	],
	[
		'that the receiver carries out',
		() => authorization({}, 5n, 'ReceiveWithAuthorization'),
		/signs typed data of TransferWithAuthorization alone$/,
	],
	[
		'of a token that is not listed',
		() => signed(authorizationOf(5n, DESTINATION, OF_OWN(), 'TransferWithAuthorization', CONTRACT)),
		/^The rule Tokens forbids it: .* which has no limit/,
	],
	[
		'on another chain',
		() => {
			const given = authorizationOf(5n, DESTINATION, OF_OWN());
			return signed({ ...given, domain: { ...given.domain, chainId: 5 } });
		},
		/^The rule Chain IDs forbids it/,
	],
	[
		'that is a permit',
		() => signed(permitOf(5n, DESTINATION, { owner: OWN })),
		/signs typed data of TransferWithAuthorization alone$/,
	],
])('an authorization %s is refused', async (_name, make, message) => {
	expect(await signSwept(make())).toMatch(message);
});

const OWNER = asWitness(OWN);
const local = (more: object = {}) => ({
	txLocal: true,
	blockHeader: {
		ref_block_bytes: 'ab12',
		ref_block_hash: '0123456789abcdef',
		expiration: Date.now() + 60_000,
		timestamp: Date.now(),
		...more,
	},
});

const witness = (built: object) => {
	const {
		visible = false,
		txID,
		raw_data,
		raw_data_hex,
	} = JSON.parse(JSON.stringify(built)) as Record<string, unknown>;
	return {
		kind: 'witnessTransaction' as const,
		given: parseUnsignedWitness({ visible, txID, raw_data, raw_data_hex }),
	};
};
const coins = async (amount: number, receiver = DESTINATION, header: object = {}) =>
	witness(await builder.sendTrx(asWitness(receiver), amount, OWNER, local(header)));
const contractCall = async (data: string, contract = TOKEN, more: object = {}) => {
	const terms = { ...local(), input: data.slice(2), feeLimit: 15_000_000, ...more };
	const { transaction } = await builder.triggerSmartContract(
		asWitness(contract),
		'',
		terms as never,
		[],
		OWNER,
	);
	return witness(transaction);
};

test.each([
	['coins', async () => await coins(1_000_000)],
	['tokens', async () => await contractCall(brought)],
])('%s are signed on the witness chain', async (_name, make) => {
	expect(await signSwept(await make())).toMatchObject({
		signature: [expect.stringMatching(/^[0-9a-f]{130}$/)],
	});
});

const WITNESS_DESTINATION = /^The rule Witness Destination forbids it: T\w{33} would receive/;

test.each([
	['coins to somebody else', async () => await coins(1e6, STRANGER), WITNESS_DESTINATION],
	['coins to the address itself', async () => await coins(1e6, ADDRESS), WITNESS_DESTINATION],
	['coins below the fee for their bytes', async () => await coins(200_000), EMPTY],
	[
		'a transaction that is valid for long',
		async () => await coins(1e6, DESTINATION, { expiration: Date.now() + 2 * 3_600_000 }),
		/expires 120 minutes from now/,
	],
	[
		'a memo',
		async () => {
			const built = await builder.sendTrx(asWitness(DESTINATION), 1e6, OWNER, local());
			return witness(await builder.addUpdateData(built, 'hello', 'utf8', local()));
		},
		/^The transaction has a memo/,
	],
	[
		'tokens to somebody else',
		async () => await contractCall(call('transfer', STRANGER, 5n)),
		WITNESS_DESTINATION,
	],
	['an approval', async () => await contractCall(call('approve', DESTINATION, 5n)), /Tokens/],
	['another token', async () => await contractCall(brought, CONTRACT), /^The rule Tokens/],
	[
		'tokens with coins along',
		async () => await contractCall(brought, TOKEN, { callValue: 1 }),
		OTHER,
	],
	[
		'a fee limit above Witness Max Fee',
		async () => await contractCall(brought, TOKEN, { feeLimit: 30_000_000 }),
		/^The rule Witness Max Fee forbids it/,
	],
	[
		'a delegation',
		async () =>
			witness(
				await builder.delegateResource(
					1e12,
					asWitness(DESTINATION),
					'ENERGY',
					OWNER,
					false,
					0,
					local(),
				),
			),
		/of the kind delegate/,
	],
	[
		'a frozen amount',
		async () => witness(await builder.freezeBalanceV2(1e12, 'ENERGY', OWNER, local())),
		/of the kind freeze/,
	],
])('%s is refused on the witness chain', async (_name, make, message) => {
	expect(await signSwept(await make())).toMatch(message);
});

test.each([
	['EVM chains', { evmDestination: '' }, async () => await Promise.resolve(evm())],
	['EVM chains', { chainIds: '' }, async () => await Promise.resolve(evm())],
	['the witness chain', { witnessDestination: '' }, async () => await coins(1e6)],
])('nothing is signed on %s with %j', async (_where, rules, make) => {
	expect(await signSwept(await make(), { data: { ...DEPOSITS, ...rules } })).toMatch(
		/^The rule (EVM Destination|Chain IDs|Witness Destination) forbids it: .* Allowed: none$/,
	);
});

test('the destination itself is not swept', async () => {
	const data = { ...DEPOSITS, evmDestination: OWN };
	expect(await signSwept(evm({ to: OWN }), { data })).toMatch(/is the destination itself$/);
	expect(await signSwept(evm({ to: OWN }), { data, index: 1 })).toHaveProperty('signedTransaction');
});

test.each([
	[
		{ evmDestination: `0x${'0'.repeat(40)}` },
		/EVM Destination .* the zero address, where all is lost$/,
	],
	[{ evmDestination: TOKEN }, /EVM Destination .* not of a token in Tokens$/],
	[{ evmDestination: asBase58(DESTINATION) }, /EVM Destination .* one address: 0x and 40/],
	[{ evmDestination: `${DESTINATION}, ${STRANGER}` }, /EVM Destination/],
	[{ witnessDestination: DESTINATION }, /Witness Destination .* one address: T followed by 33/],
	[{ witnessDestination: asBase58(TOKEN) }, /Witness Destination .* not of a token in Tokens$/],
	[{ witnessDestination: asBase58(`0x${'0'.repeat(40)}`) }, /the zero address, where all is lost$/],
	[{ tokens: '[]' }, /The rule Tokens/],
	[{ chainIds: '0' }, /The rule Chain IDs/],
	[{ maxFee: 'much' }, /The rule Max Fee/],
])('the rules %j refuse everything', async (rules, message) => {
	expect(await signSwept(evm(), { data: { ...DEPOSITS, ...rules } })).toMatch(message);
});

test('Chain Signer says the addresses, by their indexes', async () => {
	const { items, error } = await askDeposits({ operation: 'get', index: '={{ $json.order }}' });
	expect(error?.message).toMatch(/Index/);
	expect(items).toEqual([]);
	const found = await askDeposits({ operation: 'get', index: 42 });
	expect(found.items[0]?.json).toEqual({
		index: 42,
		path: '0/42',
		evm: expect.stringMatching(new RegExp(deposit(42), 'i')),
		witnessBase58: asBase58(deposit(42)),
		witnessHex: asWitness(deposit(42)),
	});
});

const RULES_SENTENCE = `All that is signed goes to these destinations: ${DESTINATION} gets coins and the tokens ${TOKEN} on chains 1, 31337; ${asBase58(DESTINATION)} gets coins and the tokens ${asBase58(TOKEN)} on TRON. At worst, someone who controls the workflow can burn fees: at most 0.01 coins for each transaction on chains 1, 31337, and 30 coins for each transaction on TRON, plus the fees that the chain itself sets. Even if a chain node lies, fees burn at most half of the coins of an address, plus the coins that it holds for sending tokens.`;

test('the rules are said in words, by Chain Signer and by the form', async () => {
	const { items } = await askDeposits({ operation: 'getRules' });
	expect(items[0]?.json).toEqual({ worst: RULES_SENTENCE });
	const tested = credentialTest.signerDeposits.bind(new CredentialTestContext() as never);
	expect(await tested({ data: DEPOSITS } as never)).toEqual({
		status: 'OK',
		message: expect.stringMatching(/^The address 0\/0 is 0x\w{40}, which is T\w{33}\. All that/),
	});
	expect(
		await tested({ data: { ...DEPOSITS, accountPrivateKey: OTHER_ACCOUNT_KEY } } as never),
	).toEqual({
		status: 'Error',
		message: expect.stringMatching(
			/^The Account Private Key of the credential must be an extended/,
		),
	});
});

test('without destinations, nothing is signed, in words', async () => {
	const data = { ...DEPOSITS, evmDestination: '', witnessDestination: '' };
	const { items } = await askDeposits({ operation: 'getRules' }, data);
	expect(items[0]?.json).toEqual({
		worst: 'Someone who controls the workflow gets nothing signed.',
	});
});

test('Chain Signer signs nothing with it', async () => {
	const prepared = JSON.stringify({ transaction: { chainId: 31337, gas: 1 } });
	const { error } = await askDeposits({ resource: 'prepared', operation: 'sign', prepared });
	expect(error).toBeDefined();
	expect(error).not.toBeInstanceOf(InvalidInput);
});
