import { InvalidInput } from '../core/errors/invalidInput';
import type { Field, Params } from '../core/operation/field';
import { rest } from '../core/transport/rest/rest';
import {
	parseWitnessAccount,
	witnessAddressParser,
	formatWitnessAddresses,
} from '../core/witness/address';
import { safeIntegerParser } from '../core/values/numbers';
import { throwInvalidValue, parseAs, parseText, type Parse } from '../core/values/read';
import { verifyBuilt, parseBuiltAnswer } from './built';
import { options, ownerAddress, parseAddress, visible } from './fields';

const MAX_VOTES = 30;

const votes = {
	displayName: 'Votes',
	name: 'votes',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add vote',
	default: {},
	description:
		'The witnesses to vote for, 30 at most. They replace all earlier votes of the account.',
	options: [
		{
			displayName: 'Vote',
			name: 'vote',
			values: [
				{
					displayName: 'Witness',
					name: 'voteAddress',
					type: 'resourceLocator',
					required: true,
					default: { mode: 'list', value: '' },
					description: 'The witness to vote for',
					modes: [
						{
							displayName: 'From List',
							name: 'list',
							type: 'list',
							typeOptions: { searchListMethod: 'witnesses', searchable: true },
						},
						{
							displayName: 'By Address',
							name: 'address',
							type: 'string',
							placeholder: 'e.g. THPvaUhoh2Qn2y9THCZML3H815hhFhn5YC',
						},
					],
				},
				{
					displayName: 'Vote Count',
					name: 'voteCount',
					type: 'string',
					required: true,
					default: '',
					placeholder: 'e.g. 1000',
					description: 'How many votes to give; each whole frozen coin is worth one',
					parse: safeIntegerParser(1),
				},
			],
		},
	],
} as const satisfies Field;

type VoteInputs = Params<(typeof votes)['options'][0]['values']>;

export const vote = rest({
	name: 'Build Vote',
	action: 'Build a vote for witnesses',
	description:
		'Build a transaction that votes for witnesses. Nothing happens until it is signed and, within a minute, broadcast.',
	fields: [ownerAddress, votes, visible, options],
	request: (p) => ({
		path: '/wallet/votewitnessaccount',
		body: {
			owner_address: parseAddress('Owner Address', p.ownerAddress, p.visible).written,
			votes: parseVotes(p.votes, p.visible),
			visible: p.visible,
		},
	}),
	answer: parseBuiltAnswer,
	items: (built, p) => [
		verifyBuilt(built, {
			contract: 'VoteWitnessContract',
			parameters: {
				owner_address: toHexAddress(p.ownerAddress),
				votes: p.votes.map(({ voteAddress, voteCount }) => ({
					vote_address: toHexAddress(voteAddress),
					vote_count: BigInt(voteCount),
				})),
			},
		}),
	],
});

/** Of an address that has been read. */
function toHexAddress(address: unknown): string {
	return formatWitnessAddresses(parseWitnessAccount(address)).hex;
}

function parseVotes(given: readonly VoteInputs[], isVisible: boolean): object[] {
	if (given.length === 0) throw new InvalidInput("'Votes' must hold at least one vote");
	if (given.length > MAX_VOTES) {
		throw new InvalidInput(`'Votes' must hold at most ${MAX_VOTES} votes; got ${given.length}`);
	}
	const named = new Set<string>();
	return given.map(({ voteAddress, voteCount }, index) => ({
		vote_address: parseAs(`Votes > Vote ${index + 1} > Witness`, voteAddress, (value) => {
			const address = witnessAddressParser(isVisible)(value);
			// Base58 is case-sensitive, hex is not.
			const account = isVisible ? address : address.toLowerCase();
			if (named.has(account)) return throwInvalidValue('a witness that no earlier vote names');
			named.add(account);
			return address;
		}),
		vote_count: voteCount,
	}));
}

const MAX_URL_BYTES = 256;
/** Characters that must be escaped or are half of one, and a % that escapes nothing. */
const FORBIDDEN_IN_URL_PATTERN = /[\s\p{Cc}\p{Cs}"<>\\^`{|}]|%(?![0-9a-f]{2})/iu;

/** `new URL` would repair spaces, backslashes and missing slashes. */
const parseWebAddress: Parse<string> = (given) => {
	const value = parseText(given);
	const isUrl =
		/^https?:\/\/[^/?#]/i.test(value) &&
		!FORBIDDEN_IN_URL_PATTERN.test(value) &&
		URL.canParse(value);
	if (!isUrl) return throwInvalidValue('a valid URL such as https://example.com');
	return Buffer.byteLength(value) <= MAX_URL_BYTES
		? value
		: throwInvalidValue(`at most ${MAX_URL_BYTES} bytes long`);
};

const url = {
	displayName: 'URL',
	name: 'url',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. https://example.com',
	description: 'The website of the witness',
	parse: parseWebAddress,
} as const satisfies Field;

export const create = rest({
	name: 'Build Witness Registration',
	action: 'Build a witness registration',
	description:
		'Build a transaction that makes the account a witness. Nothing happens until it is signed and, within a minute, broadcast.',
	fields: [ownerAddress, url, visible, options],
	request: (p) => ({
		path: '/wallet/createwitness',
		body: {
			owner_address: parseAddress('Owner Address', p.ownerAddress, p.visible).written,
			// Without `visible`, the server takes all text for hex.
			url: p.visible ? p.url : Buffer.from(p.url).toString('hex'),
			visible: p.visible,
		},
	}),
	answer: parseBuiltAnswer,
	items: (built, p) => [
		verifyBuilt(built, {
			contract: 'WitnessCreateContract',
			parameters: { owner_address: toHexAddress(p.ownerAddress), url: p.url },
		}),
	],
});
