import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { requirePrograms } from '../../demo/queue/programs.mts';
import type { Item } from '../../demo/run/api.mts';
import { decodeFlattened } from '../../demo/run/unflatten.mts';
import { queue } from './parts.mts';

const MOST = 512 * 1024 * 1024;

/** The items that a trigger has passed to one execution. */
type EmittedItems = ReadonlyArray<Record<string, unknown>>;

interface Data {
	executionData: { nodeExecutionStack: Array<{ data: { main: Array<Item[] | null> } }> };
}

/** Queries n8n's database directly. */
export async function rows<Row>(query: string): Promise<Row[]> {
	const text = `SELECT coalesce(json_agg(found), '[]') FROM (${query}) AS found`;
	return JSON.parse(await sql(text)) as Row[];
}

async function sql(text: string): Promise<string> {
	const options = [...queue().postgres.options, '-c', text];
	return (await promisify(execFile)(requirePrograms().psql, options, { maxBuffer: MOST })).stdout;
}

/** Makes the database keep the input of executions. n8n overwrites the input of an execution that fails. */
export async function keepEmittedItems(): Promise<void> {
	await sql(`
		CREATE TABLE IF NOT EXISTS emitted AS SELECT "executionId", data FROM execution_data WHERE false;
		CREATE OR REPLACE FUNCTION keep() RETURNS trigger LANGUAGE plpgsql AS $$
		BEGIN
			INSERT INTO emitted VALUES (NEW."executionId", NEW.data);
			RETURN NEW;
		END $$;
		CREATE OR REPLACE TRIGGER keep AFTER INSERT ON execution_data FOR EACH ROW EXECUTE FUNCTION keep()`);
}

/** Returns the inputs of a workflow's executions in the order in which n8n stored them. */
export async function readEmittedItems(workflowId: string): Promise<EmittedItems[]> {
	const found = await rows<{ data: string }>(
		`SELECT emitted.data FROM execution_entity e JOIN emitted ON emitted."executionId" = e.id
		WHERE e."workflowId" = '${workflowId}' AND e.mode <> 'retry' ORDER BY e.id`,
	);
	return found.map(({ data }) => {
		const { executionData } = decodeFlattened(data) as Data;
		const items = executionData.nodeExecutionStack[0]?.data.main[0] ?? [];
		return items.map(({ json }) => json);
	});
}

/** Lists the executions that have one of the given statuses. */
export async function executionsThatAre(...statuses: readonly string[]) {
	const among = statuses.map((status) => `'${status}'`).join();
	return await rows<{ id: number; workflowId: string }>(
		`SELECT id, "workflowId" FROM execution_entity WHERE status IN (${among})`,
	);
}
