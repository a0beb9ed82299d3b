import type { INodeTypeDescription } from 'n8n-workflow';

interface TriggerTexts {
	/** The heading, which says what the trigger does. */
	readonly header: string;
	/** The effect of a click on the trigger's button while a workflow is built. */
	readonly whileBuilding: string;
	/** When a published workflow starts. */
	readonly published: string;
}

const EXECUTIONS_LINK = '<a data-key="executions">executions list</a>';

/** Builds the text that n8n shows in the place of a trigger's input. The wording follows n8n's own triggers. */
export function buildTriggerPanel({
	header,
	whileBuilding,
	published,
}: TriggerTexts): INodeTypeDescription['triggerPanel'] {
	const building = `<b>While building your workflow</b>, click the button above. ${whileBuilding}`;
	const running = `the workflow starts by itself ${published}. These executions are in the ${EXECUTIONS_LINK}, not in the editor.`;
	return {
		header,
		executionsHelp: {
			inactive: `${building}<br /><br /><b>Once it does what it should</b>, publish it. Then ${running}`,
			active: `${building}<br /><br /><b>It is published</b>, so ${running}`,
		},
		activationHint: {
			inactive: `Publish the workflow to have it start by itself ${published}`,
			active: `The workflow is published and also starts by itself ${published}`,
		},
	};
}
