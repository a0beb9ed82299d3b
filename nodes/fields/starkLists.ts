import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { listChoices, type Choice } from '../core/chain/editorList';
import { InvalidInput } from '../core/errors/invalidInput';
import type { StarkAbi } from '../core/stark/abi/abi';
import { formatEventSignature } from '../core/stark/abi/event';
import { shortenText } from '../core/values/quoted';
import { hasContract, readChosenAbi } from './starkEditor';

/** These methods give n8n's editor the list of a contract's events. */
export const starkLists = { starkEvents: searchEvents };

async function searchEvents(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await listChoices(this, filter, async () => {
		if (!hasContract(this))
			throw new InvalidInput(
				"'Contract' or 'ABI' is required: fill in one of the two fields to see the events of the contract in this list",
			);
		return nameEvents(await readChosenAbi(this));
	});
}

const MAX_NAME_CHARS = 150;

/** Makes a menu entry of each event. Its value is the event's name if that is unique, and otherwise its path. */
function nameEvents({ events }: StarkAbi): Choice[] {
	const known = new Set<string>();
	const repeated = new Set<string>();
	for (const { name } of events) (known.has(name) ? repeated : known).add(name);
	return events.map((one) => {
		const isAlone = !repeated.has(one.name);
		const signature = formatEventSignature(one);
		const words = isAlone ? signature : `${one.path}: ${signature}`;
		return { name: shortenText(words, MAX_NAME_CHARS), value: isAlone ? one.name : one.path };
	});
}
