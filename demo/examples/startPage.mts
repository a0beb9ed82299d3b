import type { Api } from '../run/api.mts';
import { FAMILY_NAMES } from './families.mts';

/** An example on the start page: its text there, and its id in n8n. */
export interface Listed {
	readonly id: string;
	readonly name: string;
	readonly tags: readonly string[];
	/** Whether a newcomer starts here. */
	readonly isFirst: boolean;
}

const ID = 'start-here';
const NAME = 'Start Here';
const COLUMNS = 6;
const NOTE = { width: 300, height: 400, gap: 40 };

/**
 * Saves the workflow that a newcomer sees first. It names the examples to run first, and lists the others by their job.
 * Returns its path.
 */
export async function saveStartPage(api: Api, examples: readonly Listed[]): Promise<string> {
	const jobs = new Set(examples.map(getJob));
	const notes = [...jobs].map((job) => {
		const entries = examples.filter((one) => getJob(one) === job).map(formatEntry);
		return [`## ${job}`, '', ...entries].join('\n');
	});
	const nodes = [formatWelcome(examples), ...notes].map(createNote);
	const tags = [await api.tag(NAME)];
	const workflow = { id: ID, name: NAME, nodes, connections: {}, settings: {}, tags };
	return `/workflow/${await api.saveWorkflow(workflow)}`;
}

function getJob({ tags }: Listed): string {
	return tags.find((tag) => !FAMILY_NAMES.includes(tag)) ?? '';
}

function formatWelcome(examples: readonly Listed[]): string {
	const first = examples.find(({ isFirst }) => isFirst) ?? examples[0]!;
	return [
		'## Start here',
		'',
		`1. Open **[${first.name}](/workflow/${first.id})** and click **Execute workflow**. It works at the first click.`,
		'2. Open any other example. Its yellow note says what it does and what to fill in. In this demo, everything is filled in, except in the three chats with an agent: they need a chat model of your own.',
		'3. Change a value and run the example again. The chains run on your computer only, and their coins are worth nothing.',
		'',
		'Each workflow has tags for its chains and for its job. In the list of workflows, you can filter by tags.',
	].join('\n');
}

function formatEntry({ id, name, tags }: Listed): string {
	const families = tags.filter((tag) => FAMILY_NAMES.includes(tag));
	return `- [${name}](/workflow/${id}) (${families.join(', ')})`;
}

function createNote(content: string, index: number) {
	const { width, height, gap } = NOTE;
	const [column, row] = [index % COLUMNS, Math.floor(index / COLUMNS)];
	return {
		id: `note-${index}`,
		name: `Note ${index}`,
		type: 'n8n-nodes-base.stickyNote',
		typeVersion: 1,
		position: [column * (width + gap), row * (height + gap)],
		parameters: { content, width, height, color: index === 0 ? 4 : 7 },
	};
}
