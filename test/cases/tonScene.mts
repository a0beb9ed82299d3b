import {
	Address,
	beginCell,
	Cell,
	external,
	internal,
	loadStateInit,
	storeMessage,
} from '@ton/core';
import { keyPairFromSeed } from '@ton/crypto';
import { WalletContractV5R1 } from '@ton/ton';
import type { IDataObject } from 'n8n-workflow';

/** The accounts of the sandbox's TON chain. Their addresses are in the user-friendly form. */
export interface TonScene {
	/** The account that owns jettons, both NFTs and the name. It has received `TON_PAYMENT` in coins and in jettons. */
	readonly owner: string;
	/** A deployed wallet that pays. */
	readonly payer: string;
	/** An account that cases pay to. */
	readonly receiver: string;
	/** A jetton with 6 decimals. The account `owner` has 1000 of it in addition to the payment `TON_PAYMENT`. */
	readonly jetton: string;
	readonly collection: string;
	/** An NFT. Only the service knows its name, which is not on the chain. */
	readonly nft: string;
	readonly name: string;
	/** The address of the NFT that stands for the name `name`. */
	readonly nameNft: string;
	/** Signs a prepared transfer with the key of the payer. Returns a message in base64. */
	sign(transfer: IDataObject): string;
}

/** The amount and the comment of the two payments to the account `owner`: one in coins, and one in jettons. */
export const TON_PAYMENT = { amount: '2.5', comment: 'Invoice 42' };
const PAYMENT_JETTON_UNITS = '2500000';

interface Person {
	readonly secret: string;
	readonly v4r2: string;
	readonly v5r1: string;
}

interface ChainFacts {
	readonly people: Readonly<Record<'alice' | 'bob', Person>>;
	readonly jetton: string;
	readonly collection: string;
	readonly nft: string;
	readonly name: string;
	readonly nameNft: string;
}

type Control = (method: 'GET' | 'POST', path: string, body?: object) => Promise<unknown>;

/** Makes the payments `TON_PAYMENT` in coins and in jettons, and returns the accounts of the scene. */
export async function buildTonScene(control: Control): Promise<TonScene> {
	const facts = (await control('GET', '/ton/chain')) as ChainFacts;
	const { alice, bob } = facts.people;
	const { amount, comment } = TON_PAYMENT;
	const to = alice.v4r2;
	const jettons = { jetton: facts.jetton, amount: PAYMENT_JETTON_UNITS };
	await control('POST', '/ton/pay', { to, comment, ...jettons });
	await control('POST', '/ton/pay', { to, comment, amount });
	return {
		owner: formatWallet(to),
		payer: formatWallet(alice.v5r1),
		receiver: formatWallet(bob.v4r2),
		jetton: formatContract(facts.jetton),
		collection: formatContract(facts.collection),
		nft: formatContract(facts.nft),
		name: facts.name,
		nameNft: formatContract(facts.nameNft),
		sign: (transfer) => signTransfer(alice.secret, transfer as unknown as Transfer),
	};
}

const formatWallet = (raw: string) => Address.parse(raw).toString({ bounceable: false });
const formatContract = (raw: string) => Address.parse(raw).toString();

interface Transfer {
	readonly seqno: number;
	readonly validUntil: number;
	readonly sendMode: number;
	readonly messages: ReadonlyArray<{
		readonly to: string;
		readonly amount: string;
		readonly bounce: boolean;
		readonly body: string | null;
		readonly stateInit: string | null;
	}>;
}

/** Signs a transfer with the key of the payer. It uses the library `@ton/ton`, and no code of this package. */
function signTransfer(secret: string, { seqno, validUntil, sendMode, messages }: Transfer): string {
	const { publicKey, secretKey } = keyPairFromSeed(Buffer.from(secret, 'hex'));
	const wallet = WalletContractV5R1.create({ publicKey });
	const body = wallet.createTransfer({
		seqno,
		secretKey,
		sendMode,
		timeout: validUntil,
		messages: messages.map(({ to, amount, bounce, body: content, stateInit }) =>
			internal({
				to: Address.parse(to),
				value: BigInt(amount),
				bounce,
				body: content === null ? undefined : Cell.fromBase64(content),
				init:
					stateInit === null ? undefined : loadStateInit(Cell.fromBase64(stateInit).beginParse()),
			}),
		),
	});
	const message = beginCell().store(storeMessage(external({ to: wallet.address, body })));
	return message.endCell().toBoc().toString('base64');
}
