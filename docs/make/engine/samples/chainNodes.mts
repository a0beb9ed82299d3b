import type { Sample } from '../sample.mts';
import type { World } from '../world.mts';
import { createOperationRunner } from './run.mts';

const INVOKE_TRANSACTION = {
	type: 'INVOKE',
	max_fee: '0x28ed6103d0000',
	version: '0x1',
	signature: ['0x1'],
	sender_address: '0x143fe26927dd6a302522ea1cd6a821ab06b3753194acee38d88a85c93b3cbc6',
	calldata: ['0x1', '0x2'],
	nonce: '0x5',
};

/** A transfer with a comment, signed for the wallet that exists at every address of the sandbox. */
const TON_MESSAGE =
	'te6cckEBAgEAkAABnGIffYtEDi00SI1hxlpMB21qS1dyvzPlsznnVVaU4ssczbEZBljxXAi6YTDiMp5koqBwLf1YdM13gdiujRSRUAwpqaMX/////wAAAAAAAwEAekIAKrYXY930G8NrC+dlvhfNzivfRpmbwJW6iJJTzZuzGsmgL68IAAAAAAAAAAAAAAAAAAAAAAAAaGVsbG8EOJ5v';

export async function runChainNodes(world: World): Promise<Sample[]> {
	const { payer, block } = world;
	const trace = createOperationRunner(world, 'trace');
	const l2 = createOperationRunner(world, 'l2Simulate');
	const ton = createOperationRunner(world, 'tonFee');
	return [
		await trace('filter', { fromBlock: '1', toBlock: String(block), fromAddress: payer }),
		await l2('simulate', { transactions: JSON.stringify([INVOKE_TRANSACTION]) }),
		await ton('fee.estimate', {
			address: 'EQBVbC7Hu-g3htYXzst8L5ucV76NMzeBK3URJKebN2Y1k55Q',
			body: TON_MESSAGE,
		}),
		await ton('api.request', { path: 'masterchainInfo' }),
	];
}
