import { randomBytes, randomInt } from 'node:crypto';
import type { Demo } from '../run/demo.mts';
import { check, type Results } from './results.mts';
import { payInToken, readStarkRollup } from './stark.mts';
import { createWitnessAddress, freezeForEnergy } from './witness.mts';
import { DEPOSITS_KEY } from '../run/credentials.mts';
import { fillDeposits } from './deposits.mts';
import { orderAtOnce, sellTenOrders } from './orders.mts';
import { releaseStuck, sendStuck } from './stuck.mts';
import {
	approveForecast,
	approvePayment,
	approveSweep,
	askOverMcp,
	buyAtWebhook,
	closeShop,
	openShop,
	payAllAtOnce,
	signInAtWebhook,
} from './visitors.mts';
import { computeCid, isTransactionId, toWitnessAddress } from './proofs.mts';

type Settings = Record<string, string | number>;

/** The id of a bucket that exists in every sandbox. */
export const BUCKET_ID = 'BUCK-1';

export interface Example {
	/** The path of the file below examples/, without its extension. It is also the id of the workflow in n8n. */
	file: string;
	/** Whether a newcomer should begin with this example. */
	isFirst?: boolean;
	/** The values that the demo writes into the node "Settings" of the workflow. */
	settings?: (demo: Demo) => Settings | Promise<Settings>;
	/** The parameters that the demo writes into the trigger of the workflow. */
	triggerParameters?: (demo: Demo) => Record<string, string | object>;
	/** The parameters that the demo writes into other nodes. The keys are the names of the nodes. */
	nodeParameters?: (demo: Demo) => Record<string, Record<string, string>>;
	/** The name of the trigger that is run by hand. It is needed only if it differs from the usual name. */
	trigger?: string;
	/**
	 * The account that signs the transactions of the example. Examples of one account run in sequence, because they share
	 * its nonces.
	 */
	account?: 'treasury' | 'minter' | 'rollup' | 'wallet' | 'shop';
	/** Prepares the chain or the service before the run. */
	before?: (demo: Demo) => Promise<unknown>;
	/** Causes the event that the trigger waits for. The workflow is activated before. */
	event?: (demo: Demo) => Promise<unknown>;
	/** Plays people or the chain while the example runs. It gets the id of the execution. */
	meanwhile?: (demo: Demo, executionId: string) => Promise<void>;
	/** Whether a node of the example creates a data table. n8n 1 has no data tables. */
	makesTable?: boolean;
	/** Describes the outcome in one line, and throws if it is wrong. An example without this function is not run. */
	outcome?: (results: Results) => string | Promise<string>;
}

interface Comparison {
	reportCid: string;
	refersToReport: boolean;
	cameBackUnchanged: boolean;
}

interface Bought {
	statusCode: number;
	receipt: { success: boolean; transaction: string };
}

interface BlockSummary {
	from: number;
	to: number;
	transactions: number;
	gasUsed: number;
	averageBaseFeeGwei: string;
}

interface PaidRow {
	amount: string;
	status: string;
	fee: string;
}

interface Reported {
	message: string;
	status: string;
}

interface LookedUp {
	name: string;
	address: string | null;
}

interface Minted {
	tokenId: string;
	owner: string;
	metadata: { image: string } | null;
	metadataError: string | null;
}

const GWEI = 10n ** 9n;
const PAYMENTS = ['0.01', '0.025', '0.00000002'];

export const examples: readonly Example[] = [
	{
		file: 'top-up-when-it-runs-low',
		trigger: 'Balance Is Low',
		// Each run uses a new account without coins, because the faucet pays the same account only once a day.
		triggerParameters: () => ({ address: createEvmAddress() }),
		// No event is needed: the trigger reads the balance as soon as it is activated.
		event: async () => {},
		outcome: (results) => {
			const { message, status } = results.only<Reported>('Report');
			check(
				/^The balance of 0x\w{40} is 0, below 0\.05\. It was topped up by the transaction 0x\w{64}: success\.$/.test(
					message,
				),
				`${status}: ${message}`,
			);
			return message;
		},
	},
	{
		file: 'pin-report',
		settings: () => ({ bucketId: BUCKET_ID }),
		outcome: async (results) => {
			const { reportCid, refersToReport, cameBackUnchanged } = results.only<Comparison>('Compare');
			check(refersToReport && cameBackUnchanged, 'what came back differs');
			const { text } = results.only<{ text: string }>('Write Report');
			check(reportCid === (await computeCid(text)), 'the CID is not that of the report');
			return `pinned as ${reportCid}, which was computed again; the file came back unchanged`;
		},
	},
	{
		file: 'block-summary',
		isFirst: true,
		settings: () => ({ blocks: 8 }),
		outcome: (results) => {
			const { from, to, transactions, gasUsed, averageBaseFeeGwei } =
				results.only<BlockSummary>('Summarize');
			check(transactions > 0, 'no transactions');
			return `blocks ${from}–${to}: ${transactions} transactions, ${gasUsed} gas, base fee ${averageBaseFeeGwei} gwei`;
		},
	},
	{
		file: 'contract-calls',
		settings: ({ chain }) => ({ token: chain.token, account: chain.other, recipient: chain.owner }),
		outcome: (results) => {
			const [supply] = results.all<{ answer: string }>('Answers');
			const { reason } = results.only<{ reason: string }>('Refused');
			check(BigInt(supply?.answer ?? 0) > 0n, 'no supply');
			return `supply ${supply?.answer}; refused: ${reason}`;
		},
	},
	{
		file: 'token-balances',
		settings: ({ chain }) => ({ token: chain.token, accounts: `${chain.owner}, ${chain.other}` }),
		outcome: (results) => {
			const rows = results.all<{ balance: string; tokens: number }>('Table');
			const [owner] = rows;
			check(rows.length === 2 && BigInt(owner?.balance ?? 0) > 0n, 'no balances');
			return `${rows.length} balances in a table; the first is ${owner?.tokens} tokens`;
		},
	},
	{
		file: 'balances-every-morning',
		makesTable: true,
		// The second of the two addresses is no token, so its row tells the problem.
		settings: ({ chain }) => ({ tokens: `${chain.token}, ${chain.other}`, owner: chain.holder }),
		outcome: (results) => {
			const rows = results.all<{ amount: string; symbol: string; problem: string }>('Save Rows');
			const [coin, none] = rows;
			check(rows.length === 2 && coin?.symbol === 'DEMO', 'the token has no row');
			check(none?.problem.startsWith('There is no token at 0x') === true, 'nothing says why');
			return `${rows.length} rows: ${coin?.amount} DEMO, and an address without a token, with the reason`;
		},
	},
	{
		file: 'traces-to-table',
		makesTable: true,
		settings: ({ chain }) => ({
			address: chain.payer,
			fromBlock: chain.fromBlock,
			toBlock: chain.toBlock,
		}),
		outcome: (results) => {
			const rows = results.all<{ coins: string; wei: string }>('Save Rows');
			const wei = rows.reduce((sum, row) => sum + BigInt(row.wei), 0n);
			check(wei > 0n, 'no payments');
			for (const row of rows)
				check(Number(row.coins) === Number(row.wei) / 1e18, `it says: ${row.coins}`);
			return `${rows.length} rows, ${wei} wei in all`;
		},
	},
	{
		file: 'transfers-to-table',
		makesTable: true,
		settings: ({ chain }) => ({ token: chain.token, account: chain.holder }),
		outcome: (results) => {
			const rows = results.all<{ amount: string; symbol: string }>('Save Rows');
			const amounts = rows.map(({ amount, symbol }) => `${amount} ${symbol}`).join(', ');
			check(amounts === '1 DEMO, 0.5 DEMO, 0.000000000000000001 DEMO', `amounts: ${amounts}`);
			return `${rows.length} rows: ${amounts}`;
		},
	},
	{
		file: 'wait-for-transaction',
		settings: ({ chain }) => ({
			transactionHash: chain.transactionHash,
			explorer: 'https://explorer.example.com/tx/',
		}),
		outcome: (results) => {
			const { message } = results.only<{ message: string }>('Report Success');
			check(
				/ succeeded in block \d+ and cost 0\.\d+ coins \(\d+ wei\)\. https:\/\/explorer\.example\.com\/tx\/0x\w{64}$/.test(
					message,
				),
				`it says: ${message}`,
			);
			return message;
		},
	},
	{
		file: 'pay',
		account: 'treasury',
		settings: () => ({ to: createEvmAddress(), amount: '0.01' }),
		outcome: (results) =>
			checkPaid(results, /^Paid 0\.01 coins to 0x\w{40}, in block \d+, for a fee of /),
	},
	{
		file: 'pay-a-list',
		account: 'treasury',
		makesTable: true,
		settings: () => ({ payments: buildList(PAYMENTS) }),
		outcome: (results) => {
			const rows = results.all<PaidRow>('Write It Down');
			const paid = rows.filter(({ status, fee }) => status === 'confirmed' && Number(fee) > 0);
			const amounts = paid.map(({ amount }) => amount).join(', ');
			check(amounts === PAYMENTS.join(', '), `paid: ${amounts}`);
			return `${rows.length} paid: ${amounts} coins`;
		},
	},
	{
		file: 'ask-a-second-node',
		account: 'treasury',
		settings: () => ({ payments: buildList(PAYMENTS), askFrom: 0.1 }),
		outcome: (results) => {
			const statuses = results.all<Reported>('Report').map(({ status }) => status);
			check(statuses.join() === PAYMENTS.map(() => 'confirmed').join(), statuses.join());
			return `${statuses.length} paid`;
		},
	},
	{
		file: 'mint-what-was-pinned',
		account: 'minter',
		settings: ({ chain, sandbox }) => ({
			bucketId: BUCKET_ID,
			gateway: `${sandbox.platformUrl}/ipfs/`,
			collection: chain.collection,
			from: chain.minter,
			to: chain.owner,
		}),
		outcome: (results) => {
			const { tokenId, owner, metadata, metadataError } = results.only<Minted>('Read the NFT');
			const { cid } = results.only<{ cid: string }>('Pin It');
			const { to } = results.only<{ to: string }>('Settings');
			check(owner.toLowerCase() === to.toLowerCase(), `it belongs to ${owner}`);
			check(metadata?.image === `ipfs://${cid}`, `its metadata: ${metadataError}`);
			return `token ${tokenId} with the picture ${metadata?.image}`;
		},
	},
	{
		file: 'pay-to-a-name',
		account: 'minter',
		settings: ({ chain }) => ({ name: chain.name, amount: createAmount() }),
		outcome: (results) => {
			const { message } = results.only<{ message: string }>('Report');
			check(
				/^wallet\.example\.eth stands for (0x\w{40})\. Paid 0\.01\d+ coins to \1, in block \d+, for a fee of 0\.0\d+ coins\.$/.test(
					message,
				),
				`it says: ${message}`,
			);
			return message;
		},
	},
	{
		file: 'pay-when-gas-is-cheap',
		account: 'minter',
		settings: ({ chain }) => ({ from: chain.minter, to: chain.other }),
		outcome: (results) => {
			const { message } = results.only<{ message: string }>('Report');
			const { transaction } = results.only<{ transaction: Record<string, string> }>('Prepare');
			check(BigInt(transaction.maxFeePerGas ?? 0) === 20n * GWEI, 'the price is not bound');
			check(/^Paid 0\.01 coins at [\d.]+ gwei: success in block \d+,/.test(message), message);
			return message;
		},
	},
	{
		file: 'push-what-is-stuck',
		account: 'minter',
		settings: async (demo) => ({
			from: demo.chain.minter,
			transactionHash: await sendStuck(demo),
			seconds: 2,
		}),
		meanwhile: releaseStuck,
		outcome: (results) => {
			const { message } = results.only<{ message: string }>('Report the Push');
			const { transactionHash } = results.only<{ transactionHash: string }>('Settings');
			const { transactionHash: replacement } = results.only<{ transactionHash: string }>('Send');
			check(/ It is in block \d+: success\.$/.test(message), message);
			check(replacement !== transactionHash, 'it is the same transaction');
			return message;
		},
	},
	{
		file: 'ask-before-paying',
		account: 'treasury',
		settings: () => ({ to: createEvmAddress() }),
		meanwhile: approvePayment,
		outcome: (results) => {
			const { message } = results.only<{ message: string }>('Report');
			check(
				/^Paid 0\.01 coins to 0x\w{40}, in block \d+, .* It was approved at \S+\.$/.test(message),
				`it says: ${message}`,
			);
			return message;
		},
	},
	{
		file: 'pay-dollars-in-coins',
		account: 'treasury',
		// Chain Pay refuses to repeat a payment within some minutes, so each run pays another receiver.
		settings: ({ chain }) => ({
			feed: chain.feed,
			dollars: '50',
			to: `0x${randomBytes(20).toString('hex')}`,
		}),
		outcome: (results) => {
			const { message } = results.only<{ message: string }>('Report');
			check(/ It is confirmed, at 2500\.5 dollars a coin\.$/.test(message), message);
			return message;
		},
	},
	{
		file: 'show-what-will-happen',
		settings: ({ chain }) => ({
			from: chain.treasury,
			contract: chain.token,
			function: 'transfer(address to, uint256 amount)',
			values: JSON.stringify([chain.other, '1000000000000000000']),
		}),
		meanwhile: approveForecast,
		outcome: (results) => {
			const { message } = results.only<{ message: string }>('Ready to Sign');
			check(/^Approved at \S+: Call transfer\(.* gains 1 of the token /.test(message), message);
			return message;
		},
	},
	{
		file: 'pay-in-turn',
		account: 'treasury',
		makesTable: true,
		trigger: 'A Payment Is Wanted',
		event: payAllAtOnce,
		outcome: (results) => {
			const { status } = results.only<{ status: string }>('Answer');
			check(['confirmed', 'repeated'].includes(status), `the status is ${status}`);
			return 'three payments for four requests at once, because two of the requests were the same';
		},
	},
	{
		file: 'sell-an-answer',
		makesTable: true,
		account: 'treasury',
		settings: ({ chain }) => ({
			token: chain.dollar,
			payTo: chain.owner,
			from: chain.treasury,
		}),
		trigger: 'Someone Asks',
		event: buyAtWebhook,
		outcome: (results) => {
			const { summary } = results.only<{ summary: string }>('Prepare the Settlement');
			check(results.all('Deliver').length === 1, 'nothing was delivered');
			return `paid and delivered once, for five equal requests at once: ${summary}`;
		},
	},
	{
		file: 'buy-an-answer',
		makesTable: true,
		account: 'treasury',
		settings: ({ url }) => ({ url: `${url}/webhook/sell-an-answer` }),
		before: openShop,
		meanwhile: closeShop,
		outcome: (results) => {
			const { amount } = results.only<{ amount: string }>('Sign the Payment');
			const { statusCode, receipt } = results.only<Bought>('The Answer');
			check(statusCode === 200, `the answer is ${statusCode}`);
			check(receipt.success, 'the receipt says that nothing was settled');
			return `paid ${amount} by the transaction ${receipt.transaction}`;
		},
	},
	{
		file: 'pay-without-gas',
		account: 'minter',
		settings: ({ chain }) => ({
			token: chain.dollar,
			to: chain.other,
			amount: '0.5',
			feePayer: chain.minter,
		}),
		outcome: (results) => {
			const { summary } = results.only<{ summary: string }>('Prepare');
			const { status } = results.only<{ status: string }>('Wait for It');
			check(status === 'success', `the status is ${status}`);
			return summary;
		},
	},
	{
		file: 'end-allowances',
		account: 'treasury',
		before: async ({ chain }) => await chain.allow(5n * 10n ** 18n),
		settings: ({ chain }) => ({
			token: chain.token,
			owner: chain.treasury,
			spenders: `${chain.spender}, ${chain.other}`,
		}),
		outcome: (results) => {
			const { message } = results.only<{ message: string }>('Report It');
			const { allowance } = results.only<{ allowance: string }>('Read It Again');
			check(/ may still spend 5 DEMO of /.test(message), `it says: ${message}`);
			check(allowance === '0', `it still is ${allowance}`);
			check(results.all('Nothing to End').length === 1, 'the other one had none');
			return `${message} Now it is ${allowance}.`;
		},
	},
	{
		file: 'read-a-transaction',
		settings: ({ chain }) => ({ transactionHash: chain.giftHash }),
		outcome: (results) => {
			const { message } = results.only<{ message: string }>('Say It');
			const { line } = results.only<{ line: string }>('Write a Line');
			check(
				/^0x\w+ called transfer of 0x\w+ with to 0x\w{40}, amount 1000000000000000000000: success /.test(
					message,
				),
				`it says: ${message}`,
			);
			check(
				/^Transfer of 0x\w+: from 0x\w+, to 0x\w+, value 10{21}$/.test(line),
				`it says: ${line}`,
			);
			return line;
		},
	},
	{
		file: 'deploy-a-contract',
		account: 'treasury',
		settings: ({ chain }) => ({ from: chain.treasury }),
		outcome: (results) => {
			const { address, says } = results.only<{ address: string; says: string }>('Report');
			const { words } = results.only<{ words: string }>('Settings');
			check(says === words, `it says: ${says}`);
			return `${address} says: ${says}`;
		},
	},
	{
		file: 'simulate-before-sending',
		outcome: (results) => {
			const { fee } = results.only<{ fee: string }>('Ready to Send');
			const { reason } = results.only<{ reason: string }>('Held Back');
			return `one payment is ready, with the fee ${fee}; one is held back: ${reason}`;
		},
	},
	{
		file: 'would-it-work',
		settings: async (demo) => {
			const { account, receiver, token } = await readStarkRollup(demo);
			return { account, receiver, token };
		},
		outcome: (results) => {
			const { message } = results.only<{ message: string }>('It Would Work');
			const { message: refusal } = results.only<{ message: string }>('It Would Not Work');
			check(
				/ 2500000 by transfer, for a fee of 0\.\d+ STRK, with the events Transfer/.test(message),
				`it says: ${message}`,
			);
			check(
				/^It would not work: 1(000){10}\. \S.*insufficient/i.test(refusal),
				`it says: ${refusal}`,
			);
			return `${message} ${refusal}`;
		},
	},
	{
		file: 'stark-pay',
		account: 'rollup',
		settings: async (demo) => {
			const { token } = await readStarkRollup(demo);
			return { to: `0x${randomBytes(31).toString('hex')}`, amount: '0.5', token };
		},
		outcome: (results) =>
			checkPaid(results, /^Paid 0\.5 of the token 0x\w{64} \("LONG"\) to 0x\w{64}, in block \d+, /),
	},
	{
		file: 'report-contract-events',
		account: 'rollup',
		before: payInToken,
		settings: async (demo) => ({
			contract: (await readStarkRollup(demo)).token,
			event: 'Transfer',
		}),
		outcome: (results) => {
			const { message, lines } = results.only<{ message: string; lines: string }>('Report');
			check(/^Events of 0x\w+ in the blocks \d+ to \d+: \d+ Transfer$/.test(message), message);
			check(/^Block \d+: Transfer, from 0x\w{64}, to 0x\w{64}, value \d+$/m.test(lines), lines);
			return message;
		},
	},
	{
		file: 'witness-vote',
		outcome: (results) => {
			const { witness, txID, frozen, votes } = results.only<Record<string, string>>('Summary');
			const { status } = results.only<{ status: string }>('Wait for the Vote');
			const signed = results.only<{ raw_data_hex: string }>('Sign Vote');
			check(
				isTransactionId(String(txID), signed.raw_data_hex),
				'the ID is not the hash of the vote',
			);
			check(status === 'success' && votes === '10', `${status}, votes: ${votes}`);
			return `${frozen} coins frozen, ${votes} votes for ${witness}, irreversible: ${txID}`;
		},
	},
	{
		file: 'witness-pay',
		account: 'treasury',
		settings: ({ chain }) => ({
			to: createWitnessAddress(),
			amount: '25.5',
			token: toWitnessAddress(chain.token),
		}),
		outcome: (results) =>
			checkPaid(results, /^Paid 25\.5 of the token T\w{33} \("DEMO"\) to T\w{33}, in block \d+, /),
	},
	{
		file: 'stablecoin-payments',
		makesTable: true,
		// The trigger shows the payment of an earlier example. Both examples have the account `treasury`, so they run in
		// sequence.
		account: 'treasury',
		trigger: 'Payment Arrives',
		triggerParameters: ({ chain }) => ({ tokens: toWitnessAddress(chain.token), addresses: '' }),
		outcome: (results) => {
			const { message } = results.only<{ message: string }>('Say');
			check(
				/^T\w{33} paid [\d.]+ \w+ to T\w{33} in block \d+$/.test(message),
				`it says: ${message}`,
			);
			return message;
		},
	},
	{
		file: 'lend-energy',
		account: 'treasury',
		before: async (demo) => await freezeForEnergy(demo, 200),
		settings: () => ({ receiver: createWitnessAddress(), enough: '10000', coins: '100' }),
		outcome: (results) => {
			const { message, energyLeft } = results.only<{ message: string; energyLeft: number }>(
				'Report',
			);
			check(/^Lent 100 frozen coins to T\w{33}: success\./.test(message), message);
			check(energyLeft === 10_000, `the receiver has ${energyLeft}`);
			return message;
		},
	},
	{
		file: 'ton-fee-check',
		outcome: (results) => {
			const { sourceNanotons, totalNanotons } = results.only<{
				sourceNanotons: string;
				totalNanotons: string;
			}>('Within Budget');
			return `fees of ${totalNanotons} nanotons in all, ${sourceNanotons} of them for the sender, within the budget`;
		},
	},
	{
		file: 'ton-payments',
		makesTable: true,
		before: async ({ ton }) => await ton.payShop({ amount: '2.5', comment: 'Invoice 42' }),
		trigger: 'Coins Arrive',
		triggerParameters: ({ ton }) => ({ addresses: ton.shop }),
		nodeParameters: ({ ton }) => ({
			'Jettons Arrive': { addresses: ton.shop, jettons: ton.jetton },
		}),
		outcome: (results) => {
			const { message } = results.only<{ message: string }>('Say');
			check(/^UQ\S{46} paid [\d.]+ coins for invoice \d+$/.test(message), `it says: ${message}`);
			return message;
		},
	},
	{
		file: 'take-payments-on-any-chain',
		makesTable: true,
		before: async ({ ton }) =>
			await ton.payShop({ amount: '12500000', jetton: ton.jetton, comment: 'Invoice 43' }),
		trigger: 'Paid on TON',
		triggerParameters: ({ ton }) => ({ addresses: ton.shop, jettons: ton.jetton }),
		outcome: (results) => {
			const { message } = results.only<{ message: string }>('Deliver');
			check(/^[EU]Q\S{46} paid [\d.]+ DEMOD on ton$/.test(message), `it says: ${message}`);
			return message;
		},
	},
	{
		file: 'an-address-for-each-order',
		makesTable: true,
		account: 'shop',
		settings: ({ chain }) => ({
			accountKey: DEPOSITS_KEY,
			token: chain.token,
			decimals: 18,
			chainId: '31337',
		}),
		trigger: 'Order Comes',
		event: orderAtOnce,
		outcome: (results) => {
			const { link } = results.only<{ link: string }>('Link');
			check(
				/^ethereum:0x\w{40}@31337\/transfer\?address=0x\w{40}&uint256=30{18}$/.test(link),
				`the link is ${link}`,
			);
			return `two customers who ordered at once got an address each: ${link}`;
		},
	},
	{
		file: 'tell-which-order-was-paid',
		makesTable: true,
		account: 'shop',
		trigger: 'Payment Arrives',
		triggerParameters: ({ chain }) => ({
			accountKey: DEPOSITS_KEY,
			tokens: chain.token,
			options: {},
		}),
		event: sellTenOrders,
		outcome: (results) => {
			const verdicts = results.all<{ verdict: string }>('Verdict').map(({ verdict }) => verdict);
			check(verdicts.length > 0, 'no order has a verdict');
			return 'of ten orders, nine were paid and delivered once, and one was paid too little';
		},
	},
	{
		file: 'sweep-every-evening',
		makesTable: true,
		account: 'treasury',
		settings: fillDeposits,
		meanwhile: approveSweep,
		outcome: (results) => {
			const { message } = results.only<{ message: string }>('Report');
			check(/^2 of 2 sweeps are confirmed\. /.test(message), `it says: ${message}`);
			const rows = results.all<{ amount: string; symbol: string }>('Save Row');
			const amounts = rows.map(({ amount, symbol }) => `${amount} ${symbol}`).join(' and ');
			check(amounts === '7 DEMO and 5.5 DEMO', `amounts: ${amounts}`);
			return `a person agreed, and ${amounts} went to the destination`;
		},
	},
	{
		file: 'keep-transfers',
		makesTable: true,
		trigger: 'A Transfer',
		// A trigger returns past transfers only once. Each run changes `startAt`, which makes the trigger begin again.
		triggerParameters: ({ chain }) => ({
			tokens: chain.token,
			accounts: chain.holder,
			options: { startAt: `${randomInt(30, 10_000)} days back` },
		}),
		// No event is needed: a poll soon after the activation returns the past transfers.
		event: async () => {},
		outcome: (results) => {
			const rows = results.all<{ amount: string; symbol: string }>('Save Row');
			const amounts = rows.map(({ amount, symbol }) => `${amount} ${symbol}`).join(', ');
			check(amounts === '1 DEMO, 0.5 DEMO, 0.000000000000000001 DEMO', `amounts: ${amounts}`);
			return `${rows.length} rows of the past: ${amounts}`;
		},
	},
	{
		file: 'ton-pay',
		account: 'wallet',
		settings: ({ ton }) => ({ to: ton.shop, amount: '0.5', comment: createComment() }),
		outcome: (results) =>
			checkPaid(results, /^Paid 0\.5 TON to UQ\S{46} with a comment, in block \d+, /),
	},
	{
		file: 'ton-pay-a-list',
		account: 'wallet',
		makesTable: true,
		// Each run has a new list, because the example pays a list only once.
		settings: ({ ton }) => ({
			from: ton.payer,
			list: randomBytes(8).toString('hex'),
			payments: JSON.stringify(
				['0.01', '0.02', '0.03'].map((amount) => ({
					to: `0:${randomBytes(32).toString('hex')}`,
					amount,
					comment: 'June',
				})),
			),
		}),
		outcome: (results) => {
			const { summary } = results.only<{ summary: string }>('Prepare');
			const { status, fee } = results.only<{ status: string; fee: string }>('Write Back');
			check(/^Send 0\.01 TON to .*; Send 0\.02 .*; Send 0\.03 /i.test(summary), summary);
			check(status === 'paid' && Number(fee) > 0, `the list is ${status}`);
			return `three paid in one transfer, for a fee of ${fee} coins`;
		},
	},
	{
		file: 'ton-what-will-it-cost',
		settings: ({ ton }) => ({ from: ton.payer, to: ton.shop, jetton: ton.jetton }),
		outcome: (results) => {
			const { message } = results.only<{ message: string }>('Report');
			check(
				/^To pay 1\.5 coins costs 0\.\d+ coins; to pay 25 jettons costs 0\.\d+ coins\.$/.test(
					message,
				),
				`it says: ${message}`,
			);
			return message;
		},
	},
	{
		file: 'token-transfers',
		trigger: 'Payment Arrives',
		triggerParameters: ({ chain }) => ({ tokens: chain.token, accounts: chain.other }),
		event: async ({ chain }) => await chain.transfer(2500n),
		outcome: (results) => {
			const { message } = results.only<{ message: string }>('Tell');
			check(message.includes('paid 0.0000000000000025 DEMO to'), `it says: ${message}`);
			return message;
		},
	},
	{
		file: 'nft-transfers',
		trigger: 'An NFT Moves',
		triggerParameters: ({ chain }) => ({ contracts: chain.pieces }),
		event: async ({ chain }) => await chain.makePiece(),
		outcome: (results) => {
			const { message } = results.only<{ message: string }>('Tell');
			check(
				/^A Demo Piece \(1 of token \d+\) went from 0x0{40} to 0x/.test(message),
				`it says: ${message}`,
			);
			return message;
		},
	},
	{
		file: 'let-holders-in',
		settings: ({ chain }) => ({ collection: chain.pieces }),
		trigger: 'Someone Knocks',
		event: signInAtWebhook,
		outcome: (results) => {
			const { owner, balance } = results.only<{ owner: string; balance: string }>('Let In');
			check(BigInt(balance) > 0n, `tokens: ${balance}`);
			return `let in ${owner}, who signed and holds ${balance}`;
		},
	},
	{
		file: 'payment-alerts',
		trigger: 'Something Happened',
		triggerParameters: ({ chain }) => ({ addresses: chain.payer }),
		outcome: (results) => {
			const { line } = results.only<{ line: string }>('Write Line');
			check(/ paid [\d.]+ coins \(\d+ wei\) to /.test(line), `it says: ${line}`);
			return line;
		},
	},
	{
		file: 'price-alert',
		trigger: 'Price Falls',
		triggerParameters: ({ chain }) => ({ feed: chain.feed }),
		outcome: (results) => {
			const { message } = results.only<{ message: string }>('Tell');
			check(
				/^The price of the feed 0x\w{40} is 2500\.5 .*threshold is 2000 /.test(message),
				message,
			);
			return message;
		},
	},
	{
		file: 'vault-moves',
		trigger: 'The Vault Moves',
		triggerParameters: ({ chain }) => ({
			contract: chain.token,
			function: 'totalSupply() view returns (uint256)',
		}),
		outcome: (results) => {
			const { message } = results.only<{ message: string }>('Tell');
			check(/^totalSupply of 0x\w{40} is [\d.]+; the threshold is 5% \(/.test(message), message);
			return message;
		},
	},
	{
		file: 'grpc-blocks',
		settings: () => ({
			service: 'chain.v1.ChainService',
			method: 'GetBlock',
			stream: 'StreamBlocks',
			request: '{ "number": 9007199254740993 }',
			streamRequest: '{ "from": 5, "count": 3 }',
		}),
		outcome: (results) => {
			const { number } = results.only<{ number: string }>('Call');
			const streamed = results.all<{ number: string }>('Call a Stream');
			check(number === '9007199254740993', `the block is ${number}`);
			check(streamed.length === 3, `${streamed.length} messages`);
			const methods = results.all('Describe').length;
			return `${methods} methods described; block ${number}; ${streamed.length} messages streamed`;
		},
	},
	{
		file: 'grpc-stream',
		trigger: 'A Block Arrives',
		triggerParameters: () => ({ requests: '[{ "from": 9007199254740993, "intervalMs": 200 }]' }),
		// No event is needed: the stream begins when the workflow is activated.
		event: async () => {},
		outcome: (results) => {
			const [first] = results.all<{ line: string }>('Write Line');
			check(
				/^Block 9007199254740\d+ of \S+Z .* hash 0x0020/.test(first?.line ?? ''),
				`it says: ${first?.line}`,
			);
			return String(first?.line);
		},
	},
	{
		file: 'chain-over-mcp',
		trigger: 'Assistant Calls',
		event: askOverMcp,
		outcome: (results) => {
			const { response } = results.only<{ response: LookedUp[] }>('Look Up Name');
			const [found] = response;
			check(found?.address, `the tool answers ${JSON.stringify(response)}`);
			return `an assistant asked for ${found?.name} and got ${found?.address}`;
		},
	},
	{ file: 'chain-assistant' },
	{ file: 'let-an-agent-pay' },
	{ file: 'review-what-an-agent-signs' },
];

/** Checks the report of an example with one payment. */
function checkPaid(results: Results, expected: RegExp): string {
	const { message, status } = results.only<Reported>('Report');
	check(status === 'confirmed' && expected.test(message), `${status}: ${message}`);
	return message;
}

/**
 * Builds a list of payments to random receivers. Its invoices are new each time, because each invoice is paid only
 * once.
 */
function buildList(amounts: readonly string[]): string {
	const payments = amounts.map((amount) => ({
		invoice: randomBytes(8).toString('hex'),
		amount,
		address: createEvmAddress(),
	}));
	return JSON.stringify(payments);
}

/** Creates a random address that was never paid before. The option Guard would refuse to repeat a payment. */
function createEvmAddress(): string {
	return `0x${randomBytes(20).toString('hex')}`;
}

/** Creates a random amount of about 0.01 coins. An amount that was never paid before cannot count as a repetition. */
function createAmount(): string {
	return `0.01${randomInt(1, 1e9)}`;
}

function createComment(): string {
	return `Invoice ${randomInt(1, 1e9)}`;
}
