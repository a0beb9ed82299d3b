import { createKeyMaker } from '../core/chain/payment';
import type { TokenFacts } from '../core/chain/tokens';
import { FAULTY_TOKENS } from '../core/evm/follow/faultyTokens';
import { RequestFailure } from '../core/errors/requestFailure';
import { triggerEvent } from '../core/trigger/triggerEvent';
import { rethrow } from '../core/values/parse';
import { readHeadNumber } from '../core/witness/blocks';
import type { RestReader } from '../core/chain/reader';
import type { WitnessView } from '../core/witness/follow';
import { readTokenFacts, tokenReader } from '../core/witness/tokens';
import {
	createReceiptSearch,
	createTransferSearch,
	formatTokenTransfers,
	type TokenTransfer,
} from '../core/witness/tokenTransfers';
import { showWhile } from '../core/operation/sharedFields';
import {
	getKeyChoices,
	getWatchedAccounts,
	watch,
	watchedCount,
	watchedFirst,
	watchedKey,
} from '../fields/accountKeyFields';
import {
	direction,
	tokenAddresses,
	tokens,
	tokensToReceive,
	type WitnessSource,
} from './watchedFields';

export const tokenPayment = triggerEvent({
	name: 'Token Payment',
	action: 'On token payment (TRC-20, USDT)',
	description: 'Starts the workflow when a TRC-20 token is transferred. Amounts are never rounded.',
	fields: [
		watch,
		watchedKey,
		watchedCount,
		watchedFirst,
		...showWhile({ watch: ['addresses'] }, [tokens, tokenAddresses, direction]),
		...showWhile({ watch: ['accountKey'] }, [tokensToReceive]),
	],
	getAccounts: (p) => getWatchedAccounts(p),
	getChoices: (p) => [
		'tokenPayment',
		...(p.watch === 'accountKey' ? getKeyChoices(p) : []),
		p.tokens ?? [],
		...(p.watch === 'accountKey' ? [] : [p.addresses ?? [], p.direction ?? direction.default]),
	],
	createView: (p, { reader, least }: WitnessSource, accounts): WitnessView => {
		const wanted = p.tokens ?? [];
		const search = accounts
			? createReceiptSearch({ tokens: wanted, accounts })
			: createTransferSearch({
					tokens: wanted,
					accounts: p.addresses ?? [],
					direction: p.direction ?? direction.default,
				});
		return {
			findItems: async (block) => {
				const transfers = await search(block);
				if (transfers.length === 0) return [];
				const factsOf = await readFactsInTime(reader, transfers);
				return await formatTokenTransfers(transfers, { factsOf, makeKey: createKeyMaker(), least });
			},
		};
	},
});

/**
 * Reads the facts of tokens, such as their decimals. A token whose code keeps the node busy gets no facts, and does
 * not delay the other tokens.
 */
async function readFactsInTime(
	reader: RestReader,
	transfers: readonly TokenTransfer[],
): Promise<(token: string) => TokenFacts> {
	const known = tokenReader.getKnown(reader);
	const unknown = new Set(transfers.map(({ token }) => token).filter((one) => !known.has(one)));
	await reader.shared(FAULTY_TOKENS).readAll([...unknown], {
		read: async (some) => void (await readTokenFacts(reader, some)),
		isNodeThere: async () => await isNodeAnswering(reader),
	});
	return await readTokenFacts(reader, []);
}

async function isNodeAnswering(reader: RestReader): Promise<boolean> {
	return await readHeadNumber(reader).then(
		() => true,
		(failure) => (failure instanceof RequestFailure ? false : rethrow(failure)),
	);
}
