import { LoadOptionsContext } from 'n8n-core';
import type { ILoadOptionsFunctions, INodeListSearchResult, INodeParameters } from 'n8n-workflow';
import { createEngine } from './engineServices.mts';
import { buildWorkflow, TESTED_NAME, type TestedNode } from './workflow.mts';

type Search = (this: ILoadOptionsFunctions, filter?: string) => Promise<INodeListSearchResult>;

/** Lists the choices that the editor shows for a search field. The search runs in n8n's own context. */
export async function listOf(search: Search, form: TestedNode, filter?: string) {
	const workflow = buildWorkflow(form);
	const { additionalData } = createEngine(form);
	const around = { ...additionalData, currentNodeParameters: form.parameters as INodeParameters };
	const context = new LoadOptionsContext(workflow, workflow.getNode(TESTED_NAME)!, around, '');
	return (await search.call(context, filter)).results;
}
