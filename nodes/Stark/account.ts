import { formatCoinBalance } from '../core/chain/payment';
import { readClassHash, readNonce } from '../core/stark/contracts';
import { formatFelt } from '../core/stark/felts';
import { resolveBlockId } from '../core/stark/blocks';
import { FEE_TOKEN, readBalance } from '../core/stark/tokens';
import { rpcOperation } from '../core/protocols/rpc/operation';
import { addressField } from '../fields/starkFields';
import { openNode, prefixOptions, path, stateBlock } from './fields';

const address = addressField('Address', 'address', 'The account or contract to look up');

const get = rpcOperation({
	name: 'Get',
	action: 'Get account',
	description:
		'Get whether an account is deployed, its nonce (how many transactions it sent) and the class of its code',
	fields: [address, stateBlock, path, prefixOptions],
	async *run(p, chain) {
		const reader = openNode(chain, p);
		const block = await resolveBlockId(reader, p.block);
		const [classHash, nonce] = await Promise.all([
			readClassHash(reader, p.address, block),
			readNonce(reader, p.address, block),
		]);
		yield {
			address: formatFelt(p.address),
			classHash: classHash === null ? null : formatFelt(classHash),
			nonce: nonce === null ? null : Number(nonce),
			isDeployed: classHash !== null,
		};
	},
});

const getBalance = rpcOperation({
	name: 'Get Balance',
	action: 'Get balance of account',
	description: "Get an account's balance of the token that pays fees",
	fields: [address, stateBlock, path, prefixOptions],
	async *run(p, chain) {
		const reader = openNode(chain, p);
		const block = await resolveBlockId(reader, p.block);
		yield {
			address: formatFelt(p.address),
			...formatCoinBalance('stark', await readBalance(reader, FEE_TOKEN, p.address, block)),
			token: formatFelt(FEE_TOKEN),
		};
	},
});

export const account = { name: 'Account', operations: { get, getBalance } };
