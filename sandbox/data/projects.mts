import { createHash } from 'node:crypto';

export interface Organization {
	id: string;
	name: string;
}

export interface Project {
	id: string;
	name: string;
	type: 'public';
	networks: number;
	created_at: string;
	creator: {
		id: string;
		email: string;
		first_name: string;
		last_name: string;
		organization: Organization;
	};
}

/** The organization that owns the API key. */
export const owner: Organization = { id: 'RG-104-221-873', name: 'Example Organization' };

const partners: Organization[] = [
	{ id: 'RG-388-015-462', name: 'Übungsgemäße Prüfgesellschaft' },
	{ id: 'RG-731-940-206', name: 'サンプル組織' },
];

const creators: Project['creator'][] = [
	person('UR-112-704-935', 'First', 'Account', owner),
	person('UR-290-517-648', 'Año', 'Ñandú', owner),
	person('UR-446-803-171', 'Prüf', 'Konto', partners[0]!),
	person('UR-665-129-380', 'テスト', '利用者', partners[1]!),
];

/* The lengths of the two lists, 17 and 14, share no divisor: 238 pairs until a name comes again. */
const places = (
	'Aurora Basalt Cinder Délta Élan Fjörd Granite Harbor Çınar Öresund ' +
	'Łódź Ελπίδα Север 雪花 مرساة 🚀Apollo zephyr'
).split(' ');
const purposes = (
	'indexer explorer wallet bridge oracle staging mainnet archive relay payroll ' +
	'lottery dashboard keeper watchtower'
).split(' ');

const firstDay = Date.parse('2021-03-01T08:00:00Z');
const interval = 7 * 3_600_000 + 12_345;

/** Always the same 237 projects, oldest first: ten pages of 25, the last one of 12. */
export const projects: Project[] = Array.from({ length: 237 }, (_, index) => ({
	id: projectId(index),
	name: `${places[index % places.length]} ${purposes[index % purposes.length]}`,
	type: 'public',
	networks: (index * 7) % 12,
	created_at: new Date(firstDay + index * interval).toISOString(),
	creator: creators[index % creators.length]!,
}));

function person(id: string, first: string, last: string, organization: Organization) {
	const email = `${id.toLowerCase()}@example.com`;
	return { id, email, first_name: first, last_name: last, organization };
}

function projectId(index: number): string {
	const digest = createHash('sha256').update(`project ${index}`).digest();
	const digits = String(digest.readUInt32BE() % 1_000_000_000).padStart(9, '0');
	return `PR-${digits.replace(/(\d{3})(?=\d)/g, '$1-')}`;
}
