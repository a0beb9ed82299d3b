import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { TonScene } from './tonScene.mts';

/**
 * The names of the credentials that nodes use. The last five belong to the package that signs. With `payer`, a node
 * gets the credential of a chain node and the keys for all kinds of chains.
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
 * The ways in which an operation sends its requests, which decide the effect of a fault.
 * A request that is sent `onceSigned` takes effect once, however often it arrives.
 */
export type Travels = 'batched' | 'rest' | 'once' | 'onceSigned' | 'onceOverRpc';

/** A request that a service has received. */
export interface Asked {
	/** The part of the path after the auth token, with the query. */
	readonly path: string;
	/** The body as JSON. It is undefined if the body is no JSON. */
	readonly json: unknown;
}

/** A request of an operation, and the correct answer to it. The tests in `test/faults` make such requests fail. */
export interface FaultRow {
	/** The words that distinguish this row from other rows of the operation. */
	readonly about?: string;
	readonly travels: Travels;
	/**
	 * The parameters of an item. They contain a hex text that identifies the item. By default, the parameters of
	 * the case are used, with this text in place of accounts and hashes.
	 */
	readonly asks?: INodeParameters;
	/** The body of the answer, or the result of a call. */
	readonly answer?: unknown;
	/** Computes the answer from the request. It replaces `answer`. */
	answerTo?(asked: Asked): unknown;
	/** The kind of the TRON transaction that the request builds. It replaces `answer`. */
	readonly builds?: string;
	/** Whether any answer is accepted, because its form is unknown. */
	readonly takesAny?: boolean;
	/** Whether a success may have no content, for example after a deletion. */
	readonly takesNothing?: boolean;
	/** The answers to further requests of the operation, by method or by the end of the path. */
	readonly others?: Readonly<Record<string, unknown>>;
	/** Whether items share requests, so that they fail together. */
	readonly sharesRequests?: boolean;
	/** Whether an item waits for the outcome of the previous item. */
	readonly isInTurn?: boolean;
	/**
	 * The numbers of requests for an item. Requests that are sent together count as one step. The default is one request.
	 */
	readonly steps?: readonly number[];
}

/** The contracts and accounts that the cases use on the chain. Each test command builds them in its own way. */
export interface Scene {
	/** The account that owned all of the token at first. */
	readonly owner: string;
	/** An account whose only transactions are the payments of the amounts `payments`, in wei and in their order. */
	readonly payer: string;
	readonly payments: readonly bigint[];
	readonly lastPayment: {
		readonly transactionHash: string;
		readonly blockHash: string;
		readonly blockNumber: number;
	};
	/** An account that received only the amounts `gifts` of the token. It also owns the NFT and the ENS name. */
	readonly holder: string;
	readonly gifts: readonly bigint[];
	/** The hash of the transaction of one of the gifts. */
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
	/** A stablecoin that takes signed payments (EIP-3009). The first account of the chain owns all of it. */
	readonly dollar: string;
	/** A price feed with its present price. */
	readonly feed: { readonly address: string; readonly price: string };
	/** An account that cases pay to. */
	readonly other: string;
	/** The account of the signing credential, and the private key of a credential that holds one. */
	readonly signerAddress: string;
	readonly signerKey: `0x${string}`;
	/**
	 * An account of the TRON chain. The function `sign` signs a transaction that a node has built, and returns it as
	 * text.
	 */
	readonly witnessOwner: string;
	sign(built: IDataObject): Promise<string>;
	readonly ton: TonScene;
	/**
	 * An account of the STARK rollup. It paid the receiver 2.5 of a token, in a transaction with an event of a contract.
	 */
	readonly stark: {
		readonly account: string;
		readonly receiver: string;
		readonly token: string;
		readonly contract: string;
		readonly transactionHash: string;
		/** Signs a prepared transaction of the account. Returns JSON. */
		sign(prepared: unknown): string;
	};
	/** Calls a method of the chain directly. */
	chain(method: string, ...params: unknown[]): Promise<unknown>;
	/** Reads a path of the sandbox's control server. */
	control(path: string): Promise<unknown>;
	/** Runs another operation first, and returns its first item. */
	first(node: string, parameters: INodeParameters): Promise<IDataObject>;
}

type Given = INodeParameters | Promise<INodeParameters>;

/**
 * A case of an operation: its parameters and a check of its output.
 * Output schemas, documentation samples and test runs are made from it.
 */
export interface Case {
	readonly resource: string;
	readonly operation: string;
	/** The credentials of this operation, which replace those of its node. */
	readonly accesses?: NodeCases['accesses'];
	/**
	 * What a further case of the operation tests beyond the first. Only the first case makes the schema and the sample.
	 */
	readonly about?: string;
	/** The binary file of the input item. */
	readonly file?: { readonly name: string; readonly text: string };
	/** The parameters in addition to those that choose the operation. By default, there are none. */
	parameters?(scene: Scene): Given;
	check(items: readonly IDataObject[], scene: Scene): void | Promise<void>;
	/** Other parameters of the operation. They fill fields of the output that stay empty with `parameters`. */
	alsoForSchema?(scene: Scene): ReadonlyArray<Given>;
	/** The reason why the fields of the output cannot be known before a run. */
	readonly noSchema?: string;
	/**
	 * The values that the documentation shows in place of values that differ in each run or that mean nothing to a
	 * reader.
	 */
	readonly shown?: { readonly given: INodeParameters; readonly outcome?: IDataObject };
	/** The rows of the operation in the table of faults. */
	readonly faults?: readonly FaultRow[];
}

export interface NodeCases {
	/** The name of the node in its description (`description.name`). */
	readonly node: string;
	/**
	 * The credentials of the node. In tests with a real n8n, all cases use the first, and only the first case uses the
	 * others.
	 */
	readonly accesses: readonly [Access, ...Access[]];
	readonly cases: readonly Case[];
}

/** An ENS name that resolves to the account `holder`, and the URL in its text record. */
export const NAME = { name: 'wallet.example.eth', url: 'https://example.com' };

/** The address of a witness that always exists. */
export const LEADER = 'THPvaUhoh2Qn2y9THCZML3H815hhFhn5YC';

/** The mnemonic of the chain's own accounts, which is public. */
export const MNEMONIC = 'test test test test test test test test test test test junk';
