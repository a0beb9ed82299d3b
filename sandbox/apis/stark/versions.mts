/** The versions of the JSON-RPC interface that the node can have, the oldest first. */
export const VERSIONS = ['0.7', '0.8', '0.9', '0.10', '0.10.4'] as const;

export type Version = (typeof VERSIONS)[number];

/** The answer of `specVersion`. */
export const SPEC_VERSIONS: Readonly<Record<Version, string>> = {
	'0.7': '0.7.1',
	'0.8': '0.8.1',
	'0.9': '0.9.0',
	'0.10': '0.10.0',
	'0.10.4': '0.10.4',
};

/** Returns whether a version is `first` or a later version. */
export const isFrom = (version: Version, first: Version) =>
	VERSIONS.indexOf(version) >= VERSIONS.indexOf(first);

/** Lists the words that can stand in place of a block number, such as `latest`. */
export const listTags = (version: Version): readonly string[] =>
	isFrom(version, '0.9') ? ['latest', 'pre_confirmed', 'l1_accepted'] : ['latest', 'pending'];
