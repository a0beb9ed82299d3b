import { createKeyMaker } from '../core/chain/payment';
import type { TokenInfo } from '../core/chain/tokens';
import { FAULTY_TOKENS } from '../core/evm/follow/faultyTokens';
import { RequestFailure } from '../core/errors/requestFailure';
import { triggerEvent } from '../core/trigger/triggerEvent';
import { rethrow } from '../core/values/parse';
import { readHeadNumber } from '../core/witness/blocks';
import type { RestReader } from '../core/chain/reader';
import type { WitnessView } from '../core/witness/follow';
import { readTokenInfos, tokenFacts } from '../core/witness/tokens';
import {
	createTransferSearch,
	formatTokenTransfers,
	type TokenTransfer,
} from '../core/witness/tokenTransfers';
import { direction, tokenAddresses, tokens, type WitnessSource } from './watchedFields';

export const tokenPayment = triggerEvent({
	name: 'Token Payment',
	action: 'On token payment (TRC-20, USDT)',
	description: 'When a TRC-20 token is transferred, in exact amounts',
	fields: [tokens, tokenAddresses, direction],
	getChoices: (p) => ['tokenPayment', p.tokens, p.addresses, p.direction],
	createView: (p, { reader, least }: WitnessSource): WitnessView => {
		const search = createTransferSearch({
			tokens: p.tokens,
			accounts: p.addresses,
			direction: p.direction,
		});
		return {
			findItems: async (block) => {
				const transfers = search(block);
				if (transfers.length === 0) return [];
				const factsOf = await readFacts(reader, transfers);
				return formatTokenTransfers(transfers, { factsOf, makeKey: createKeyMaker(), least });
			},
		};
	},
});

/** Reads the facts of tokens; one whose code keeps the node busy comes without them, and holds up no other. */
async function readFacts(
	reader: RestReader,
	transfers: readonly TokenTransfer[],
): Promise<(token: string) => TokenInfo> {
	const known = tokenFacts.getKnown(reader);
	const unknown = new Set(transfers.map(({ token }) => token).filter((one) => !known.has(one)));
	await reader.shared(FAULTY_TOKENS).readAll([...unknown], {
		read: async (some) => void (await readTokenInfos(reader, some)),
		isNodeThere: async () => await isNodeAnswering(reader),
	});
	return await readTokenInfos(reader, []);
}

async function isNodeAnswering(reader: RestReader): Promise<boolean> {
	return await readHeadNumber(reader).then(
		() => true,
		(failure) => (failure instanceof RequestFailure ? false : rethrow(failure)),
	);
}
