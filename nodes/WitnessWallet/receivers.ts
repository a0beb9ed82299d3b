import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { listChoices, type Choice } from '../core/chain/editorList';
import { openEditorService } from '../core/chain/editorReader';
import { raise } from '../core/errors/raise';
import { invalidResponseError } from '../core/net/responses/response';
import { catching, InvalidValue, isRecord, parseField } from '../core/values/parse';
import { witnessAddressParser } from '../core/witness/address';
import { throwIfError } from '../core/witness/answers';
import { ownerAddress, visible } from './fields';

/** Lists, for n8n's editor, the accounts to which the sender has lent energy or bandwidth. */
export async function searchReceivers(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await listChoices(this, filter, async () => {
		const given = (name: string) => this.getCurrentNodeParameter(name);
		const isVisible = given(visible.name) !== false;
		const parse = witnessAddressParser(isVisible);
		const owner = parseField(ownerAddress.displayName, given(ownerAddress.name), parse);
		const reader = await openEditorService(this);
		const path = '/wallet/getdelegatedresourceaccountindexv2';
		const answer = await reader.call({ path, body: { value: owner, visible: isVisible } });
		return parseReceivers(answer).flatMap((one): Choice[] => {
			const address = catching(InvalidValue, () => parse(one));
			return address instanceof InvalidValue ? [] : [{ name: address, value: address }];
		});
	});
}

/** The editor's list has at most this many entries, which is more than a user reads. */
const MAX_READ = 5_000;

/** Parses the list of receivers. The node leaves out an empty list. */
function parseReceivers(body: unknown): readonly unknown[] {
	const answer = throwIfError(body);
	const found = isRecord(answer) ? (answer.toAccounts ?? []) : undefined;
	return Array.isArray(found)
		? found.slice(0, MAX_READ)
		: raise(invalidResponseError('the delegations of an account', body));
}
