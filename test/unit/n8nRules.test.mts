// These tests check rules for community nodes that n8n's published lint does not have yet. The file
// docs/decisions.md lists the rules that are not followed.
import type { INodeProperties } from 'n8n-workflow';
import grpcManifest from '../../grpc/package.json';
import manifest from '../../package.json';
import signerManifest from '../../signer/package.json';
import { loadNodes, nodes } from './support/panels.mts';

const MAX_HINT_LENGTH = 120;

beforeAll(loadNodes);

/** Lists a field and all fields inside of it. */
function flatten(field: INodeProperties): INodeProperties[] {
	const inner = (field.options ?? []).flatMap((option) =>
		'values' in option ? option.values : 'type' in option ? [option] : [],
	);
	return [field, ...inner.flatMap(flatten)];
}

const listFields = () =>
	[...nodes].flatMap(([node, { description }]) =>
		description.properties.flatMap(flatten).map((field) => ({ node, field })),
	);

test('names of actions have no articles', () => {
	const actions = listFields().flatMap(({ field }) =>
		(field.options ?? []).flatMap((option) => ('action' in option ? (option.action ?? []) : [])),
	);
	expect(actions.length).toBeGreaterThan(100);
	expect(actions.filter((action) => /\b(an?|the)\b/i.test(action))).toEqual([]);
});

test(`a hint has at most ${MAX_HINT_LENGTH} characters`, () => {
	const hints = listFields().flatMap(({ node, field }) => (field.hint ? [[node, field.hint]] : []));
	expect(hints.length).toBeGreaterThan(50);
	expect(hints.filter(([, hint]) => hint!.length > MAX_HINT_LENGTH)).toEqual([]);
});

test.each([manifest, grpcManifest, signerManifest])(
	'the manifest of $name names no folder of a repository',
	({ repository }) => expect(Object.keys(repository)).toEqual(['type', 'url']),
);

/** The signer's nodes have a credential for preparing and another for signing. */
test('only the nodes of the signer take several credentials at once', () => {
	const several = [...nodes].filter(([, { description }]) => {
		const choices = (description.credentials ?? []).map(
			({ displayOptions }) => displayOptions?.show?.authentication ?? [],
		);
		const isChosen = choices.every((choice) => choice.length > 0);
		return (
			choices.length > 1 && !(isChosen && new Set(choices.flat()).size === choices.flat().length)
		);
	});
	expect(several.map(([name]) => name).sort()).toEqual(['Pay', 'Signer']);
});
