import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { listChoices, type Choice } from '../core/chain/editorList';
import { openEditorService } from '../core/chain/editorReader';
import { isRecord } from '../core/values/parse';
import { shortenText } from '../core/values/quoted';
import { buildFurtherRequests, parseProjectPage } from './projectPages';

/** The editor's list reads up to this many projects, in as few pages as the service allows. */
const MAX_READ = 500;
const MAX_PAGES = 10;
const MAX_NAME_CHARS = 80;

/** Lists the projects by name for n8n's editor. */
export async function searchProjects(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	return await listChoices(this, filter, async () => {
		const reader = await openEditorService(this, 'chainPlatformApi');
		const request = { path: '/v1/projects/', query: { order_by: 'name' } };
		const first = parseProjectPage(await reader.call(request));
		const further = buildFurtherRequests(first, { request, missing: MAX_READ });
		const others = further
			.slice(0, MAX_PAGES - 1)
			.map(async (one) => parseProjectPage(await reader.call(one)));
		const pages = [first, ...(await Promise.all(others))];
		return pages.flatMap(({ results }) => results.flatMap(nameProject));
	});
}

function nameProject(project: unknown): Choice[] {
	const name = isRecord(project) ? project.name : undefined;
	return typeof name === 'string' && name.trim() !== ''
		? [{ name: shortenText(name, MAX_NAME_CHARS), value: name }]
		: [];
}
