import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { TonScene } from './tonScene.mts';

/**
 * The credentials of nodes. The last five belong to the package with keys: `payer` is a node's token with the keys of
 * all families.
 */
export type Access =
	| 'platform'
	| 'token'
	| 'basicAuth'
	| 'xToken'
	| 'nobody'
	| 'key'
	| 'remote'
	| 'starkKey'
	| 'tonKey'
	| 'payer';

/**
 * The ways in which an operation sends its requests. They decide the effect of a fault. A request that is sent
 * `onceSigned` counts once, however often it arrives.
 */
export type Travels = 'batched' | 'rest' | 'once' | 'onceSigned' | 'onceOverRpc';

/** A request to a service. */
export interface Asked {
	/** The path after the token, with its query. */
	readonly path: string;
	/** The body as JSON, undefined where it is none. */
	readonly json: unknown;
}

/** A row of the table of faults: the request of an operation, and the answer of an honest service. */
export interface FaultRow {
	/** The words that distinguish this row from other rows of the operation. */
	readonly about?: string;
	readonly travels: Travels;
	/**
	 * The parameters of each item, with its mark. By default, they are the parameters of the case, whose accounts and
	 * hashes have the mark.
	 */
	readonly asks?: INodeParameters;
	/** The body of the answer, or the result of a call. */
	readonly answer?: unknown;
	/** Makes the answer from the request, in place of `answer`. */
	answerTo?(asked: Asked): unknown;
	/** The contract of the witness chain's transaction that the request asks for, in place of `answer`. */
	readonly builds?: string;
	/** The form of the answer is unknown, so any answer is accepted. */
	readonly takesAny?: boolean;
	/** Success may have no content, as where something was deleted. */
	readonly takesNothing?: boolean;
	/** The results of other methods that it calls besides, or the answers at other paths, by their ends. */
	readonly others?: Readonly<Record<string, unknown>>;
	/** Its items share requests, so they fail together. */
	readonly sharesRequests?: boolean;
	/** An item waits until the outcome of the previous item is known. */
	readonly isInTurn?: boolean;
	/** The numbers of requests that it sends for an item, one number for those that travel together; one request unless given. */
	readonly steps?: readonly number[];
}

/** The contracts and accounts on the chain for the cases. Each runner builds them in its own way. */
export interface Scene {
	/** The account that had all of the token at first. */
	readonly owner: string;
	/** The account that has paid these amounts, in wei and in order, and nothing else. */
	readonly payer: string;
	readonly payments: readonly bigint[];
	readonly lastPayment: {
		readonly transactionHash: string;
		readonly blockHash: string;
		readonly blockNumber: number;
	};
	/** The account that was given these amounts of the token, and nothing else of it; it has the NFT and the name. */
	readonly holder: string;
	readonly gifts: readonly bigint[];
	/** The transaction of one of them. */
	readonly giftHash: string;
	readonly token: {
		readonly address: string;
		readonly name: string;
		readonly symbol: string;
		readonly decimals: number;
		readonly totalSupply: bigint;
	};
	readonly nft: {
		readonly contract: string;
		readonly tokenId: string;
		readonly name: string;
		readonly symbol: string;
		readonly metadata: IDataObject;
	};
	/** A stablecoin that takes payments by signature (EIP-3009), which the first account of the chain has. */
	readonly dollar: string;
	/** A price feed, and its price. */
	readonly feed: { readonly address: string; readonly price: string };
	/** An account that may be paid. */
	readonly other: string;
	/** The account of the credential that signs, and the key that a credential with a key has. */
	readonly signerAddress: string;
	readonly signerKey: `0x${string}`;
	/** An account of the witness chain, and whoever keeps its key: signs what the node has built, as text. */
	readonly witnessOwner: string;
	sign(built: IDataObject): Promise<string>;
	readonly ton: TonScene;
	/** An account of the STARK rollup, which paid the receiver 2.5 of a token in a transaction with an event of a contract. */
	readonly stark: {
		readonly account: string;
		readonly receiver: string;
		readonly token: string;
		readonly contract: string;
		readonly transactionHash: string;
		/** Signs what was prepared for the account, as JSON. */
		sign(prepared: unknown): string;
	};
	/** Asks the chain itself. */
	chain(method: string, ...params: unknown[]): Promise<unknown>;
	/** Asks the sandbox what it knows. */
	control(path: string): Promise<unknown>;
	/** Runs another operation before, and returns its first item. */
	first(node: string, parameters: INodeParameters): Promise<IDataObject>;
}

type Given = INodeParameters | Promise<INodeParameters>;

/**
 * A case of an operation: its parameters, and a check of its output. The schema, the sample and the runs come from
 * it.
 */
export interface Case {
	readonly resource: string;
	readonly operation: string;
	/** The operation takes these credentials in place of those of its node. */
	readonly accesses?: NodeCases['accesses'];
	/** A second case says here what it tests beyond the first case. It makes neither schema nor sample. */
	readonly about?: string;
	/** The file that its item has. */
	readonly file?: { readonly name: string; readonly text: string };
	/** These parameters are set beside the operation; the default is none. */
	parameters?(scene: Scene): Given;
	check(items: readonly IDataObject[], scene: Scene): void | Promise<void>;
	/** Other parameters, which give values to fields of the output that the parameters above leave empty. */
	alsoForSchema?(scene: Scene): ReadonlyArray<Given>;
	/** The reason why nobody knows the fields of its output before. */
	readonly noSchema?: string;
	/**
	 * The values that the documentation shows in place of values that differ in each run, or that tell a reader
	 * nothing.
	 */
	readonly shown?: { readonly given: INodeParameters; readonly outcome?: IDataObject };
	/** Its rows of the table of faults. */
	readonly faults?: readonly FaultRow[];
}

export interface NodeCases {
	/** The name of the node in its description. */
	readonly node: string;
	/** Each case runs in a real n8n by the first of them, and only the first case by the others. */
	readonly accesses: readonly [Access, ...Access[]];
	readonly cases: readonly Case[];
}

/** A name of the scene's holder, and the content of its record. */
export const NAME = { name: 'wallet.example.eth', url: 'https://example.com' };

/** The address of a witness that always exists. */
export const LEADER = 'THPvaUhoh2Qn2y9THCZML3H815hhFhn5YC';

/** Keys of the chain's own accounts are made of these words, which everybody knows. */
export const MNEMONIC = 'test test test test test test test test test test test junk';
