// This script runs in n8n's own Node, which has SQLite. It adds the package to the list of installed packages, as n8n
// does after an installation.
// Settings > Community nodes shows only listed packages.
import { DatabaseSync } from 'node:sqlite';

const [file, description] = process.argv.slice(2);
const { name, version, author, nodes } = JSON.parse(description);
const database = new DatabaseSync(file);

database.exec('PRAGMA busy_timeout = 10000; PRAGMA foreign_keys = ON; BEGIN IMMEDIATE');
database.prepare('DELETE FROM installed_packages WHERE packageName = ?').run(name);
database
	.prepare("INSERT INTO installed_packages VALUES (?, ?, ?, ?, datetime('now'), datetime('now'))")
	.run(name, version, author.name, author.email);
const insert = database.prepare(
	'INSERT INTO installed_nodes (name, type, latestVersion, package) VALUES (?, ?, ?, ?)',
);
for (const node of nodes) insert.run(node.displayName, node.type, node.version, name);
database.exec('COMMIT');
database.close();
