import { Address, beginCell, Cell, comment as buildComment, toNano } from '@ton/core';
import {
	buildFailingCode,
	type Content,
	type FetchedContent,
	getJettonWalletAddress,
} from './contracts.mts';
import { alice, bob, giver, type Person, WALLET_KINDS } from './keys.mts';
import type { TonLedger } from './ledger.mts';
import {
	collection,
	createJetton,
	mintJettons,
	mintNft,
	pay,
	payJettons,
	registerName,
	SEED_NAME,
	seedJetton,
	seedNameNft,
	seedNft,
} from './seed.mts';
import { loadLedger } from './chainService.mts';
import type { TonChain } from './chainState.mts';

interface Payment {
	readonly to: string;
	/** The amount in coins, or in the smallest unit of the jetton. */
	readonly amount: string;
	readonly comment?: string;
	/** The body of the message as a bag of cells in base64. It replaces the comment. */
	readonly body?: string;
	readonly bounce: boolean;
	readonly jetton?: string;
	readonly forwardAmount: string;
}

export type ChainActions = Awaited<ReturnType<typeof loadChainActions>>;

export async function loadChainActions(state: TonChain) {
	const ledger = await loadLedger(state);

	return {
		/**
		 * Answers `GET /ton/chain` with the time and the newest block of the chain, its numbers of transactions and waiting
		 * messages, and the people, tokens and NFTs that exist from the start.
		 */
		describe: async () => describeChain(ledger),
		/**
		 * Answers `POST /ton/pay`: pays from the wallet of the giver. It pays coins, or jettons if `jetton` names their
		 * master.
		 */
		pay: async (payment: Payment) => ({ messageHash: await makePayment(ledger, payment) }),
		/**
		 * Answers `POST /ton/mint`, which makes jettons of the master contract in `jetton`. By default, it makes SBD, the
		 * jetton that exists from the start.
		 */
		mint: async (payment: Payment) => {
			const master = payment.jetton ? Address.parse(payment.jetton) : seedJetton;
			const messageHash = await mintJettons(ledger, master, parseJettonPayment(payment));
			return { messageHash, wallet: formatJettonWallet(master, payment.to) };
		},
		/**
		 * Answers `POST /ton/jettons`, which makes a jetton. If its content has a `uri`, `fetched` is the data behind that
		 * address.
		 */
		createJetton: async ({ content, fetched }: { content: Content; fetched?: FetchedContent }) => {
			if (fetched && content.uri) ledger.registry.offChain.set(content.uri, fetched);
			return { address: (await createJetton(ledger, content)).toRawString() };
		},
		/** `POST /ton/nfts` makes an NFT. */
		createNft: async ({ owner, content }: { owner: string; content: string }) => ({
			address: (await mintNft(ledger, Address.parse(owner), content)).toRawString(),
		}),
		/** Answers `POST /ton/names`, which makes a name that leads to `wallet`. */
		createName: async (name: { domain: string; owner: string; wallet: string | null }) => {
			const wallet = name.wallet === null ? null : Address.parse(name.wallet);
			const item = await registerName(ledger, name.domain, Address.parse(name.owner), wallet);
			return { address: item.toRawString() };
		},
		/** Answers `POST /ton/step`, which lets as many waiting messages arrive as `messages` says. */
		step: async ({ messages }: { messages: number }) => {
			await ledger.step(messages);
			return { waiting: ledger.waiting.length };
		},
		/** Answers `POST /ton/fail`: from then on, every message to the address fails with the exit code. */
		makeFail: async ({ address, exitCode }: { address: string; exitCode: number }) => {
			makeFail(ledger, Address.parse(address), exitCode);
			return { done: true };
		},
		/**
		 * Answers `POST /ton/arrivals`, which makes a payment `times` times. Each payment comes between two pages of a
		 * list.
		 */
		letArrive: async ({ times, ...payment }: Payment & { times: number }) => {
			state.arrivals = { times, arrive: async () => await makePayment(ledger, payment) };
			return { times };
		},
	};
}

async function makePayment(ledger: TonLedger, payment: Payment): Promise<string> {
	if (payment.jetton !== undefined) {
		return await payJettons(ledger, Address.parse(payment.jetton), parseJettonPayment(payment));
	}
	return await pay(ledger, {
		to: Address.parse(payment.to),
		coins: toNano(payment.amount),
		bounce: payment.bounce,
		body: parseBody(payment) ?? undefined,
	});
}

const parseJettonPayment = (payment: Payment) => ({
	amount: BigInt(payment.amount),
	to: Address.parse(payment.to),
	forward: toNano(payment.forwardAmount),
	payload: parseBody(payment),
});

function parseBody({ comment, body }: Payment): Cell | null {
	if (body !== undefined) return Cell.fromBase64(body);
	return comment === undefined ? null : buildComment(comment);
}

function formatJettonWallet(master: Address, owner: string): string {
	return getJettonWalletAddress(master, Address.parse(owner)).toRawString();
}

function describeChain(ledger: TonLedger) {
	return {
		now: ledger.now,
		block: ledger.head,
		transactions: ledger.rows.length,
		waiting: ledger.waiting.length,
		people: { giver: describe(giver), alice: describe(alice), bob: describe(bob) },
		jetton: seedJetton.toRawString(),
		collection: collection.toRawString(),
		nft: seedNft.toRawString(),
		name: SEED_NAME,
		nameNft: seedNameNft.toRawString(),
	};
}

const describe = (person: Person) => ({
	secret: person.seed,
	...Object.fromEntries(WALLET_KINDS.map((kind) => [kind, person[kind].address.toRawString()])),
});

/** Makes every later message to an account fail. The balance and the data of the account stay. */
function makeFail(ledger: TonLedger, address: Address, exitCode: number): void {
	const raw = address.toRawString();
	const before = ledger.getAccount(raw);
	const state = before?.account?.storage.state;
	const data = (state?.type === 'active' && state.state.data) || beginCell().endCell();
	ledger.setAccount(raw, {
		lastTransactionHash: before?.lastTransactionHash ?? 0n,
		lastTransactionLt: before?.lastTransactionLt ?? 0n,
		account: {
			addr: address,
			storage: {
				lastTransLt: before?.account?.storage.lastTransLt ?? 0n,
				balance: before?.account?.storage.balance ?? { coins: 0n },
				state: { type: 'active', state: { code: buildFailingCode(exitCode), data } },
			},
			storageStats: {
				used: { cells: 0n, bits: 0n },
				lastPaid: ledger.now,
				storageExtra: null,
			},
		},
	});
}
