/** The most units of a resource that a transaction may use, and the highest price of a unit. */
export interface Bound {
	amount: bigint;
	price: bigint;
}

/** An invoke transaction whose values are numbers. In version 1, `maxFee` stands in place of `bounds`. */
export interface Invoke {
	/** The version is 1 or 3. A query also has the bit 2^128 in it. */
	version: bigint;
	sender: bigint;
	calldata: bigint[];
	signature: bigint[];
	nonce: bigint;
	maxFee: bigint;
	bounds: { l1: Bound; l2: Bound; l1Data?: Bound } | undefined;
	tip: bigint;
	paymasterData: bigint[];
	deploymentData: bigint[];
	proofFacts: bigint[];
	nonceMode: bigint;
	feeMode: bigint;
	/** The transaction as it was sent. */
	json: InvokeJson;
}

interface BoundJson {
	max_amount: string;
	max_price_per_unit: string;
}

export interface InvokeJson {
	type: 'INVOKE';
	version: string;
	sender_address: string;
	calldata: string[];
	signature: string[];
	nonce: string;
	max_fee?: string;
	resource_bounds?: { l1_gas: BoundJson; l2_gas: BoundJson; l1_data_gas?: BoundJson };
	tip?: string;
	paymaster_data?: string[];
	account_deployment_data?: string[];
	nonce_data_availability_mode?: 'L1' | 'L2';
	fee_data_availability_mode?: 'L1' | 'L2';
	proof_facts?: string[];
	proof?: string;
}

/** The version of a query (an estimate or a simulation) has this bit. */
export const QUERY_BIT = 2n ** 128n;

export const getBaseVersion = ({ version }: Pick<Invoke, 'version'>) => version % QUERY_BIT;

export function parseInvoke(json: InvokeJson): Invoke {
	const bounds = json.resource_bounds;
	const { nonce_data_availability_mode: nonceMode, fee_data_availability_mode: feeMode } = json;
	return {
		version: BigInt(json.version),
		sender: BigInt(json.sender_address),
		calldata: parseList(json.calldata),
		signature: parseList(json.signature),
		nonce: BigInt(json.nonce),
		maxFee: BigInt(json.max_fee ?? 0),
		bounds: bounds && {
			l1: parseBound(bounds.l1_gas),
			l2: parseBound(bounds.l2_gas),
			...(bounds.l1_data_gas && { l1Data: parseBound(bounds.l1_data_gas) }),
		},
		tip: BigInt(json.tip ?? 0),
		paymasterData: parseList(json.paymaster_data),
		deploymentData: parseList(json.account_deployment_data),
		proofFacts: parseList(json.proof_facts),
		nonceMode: nonceMode === 'L2' ? 1n : 0n,
		feeMode: feeMode === 'L2' ? 1n : 0n,
		json,
	};
}

const parseList = (felts: readonly string[] = []) => felts.map(BigInt);

const parseBound = ({ max_amount, max_price_per_unit }: BoundJson): Bound => ({
	amount: BigInt(max_amount),
	price: BigInt(max_price_per_unit),
});
