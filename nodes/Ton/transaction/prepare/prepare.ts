import { addHints } from '../../../core/operation/operation';
import { choiceFields } from '../../../core/operation/panel';
import { optionsField } from '../../../core/operation/transportOptions';
import { restOperation } from '../../../core/protocols/rest';
import {
	findLateHint,
	findTestNetworkHint,
	prepareTransfer,
} from '../../../core/ton/prepare/prepare';
import { reserveSeqno } from '../../../core/ton/prepare/purse';
import { DEFAULT_SEND_MODE } from '../../../core/ton/sender';
import { MAX_ADDRESSES_PER_REQUEST } from '../../../core/ton/reader';
import { MAX_UINT32, optionalParser } from '../../../core/values/numbers';
import { wholeNumberParser } from '../../../core/values/parse';
import { payer } from '../../../fields/tonPaymentFields';
import type { TransferKind } from './transferKind';
import { transferKinds } from './transferKinds';

const KIND_MENU = {
	displayName: 'Kind',
	name: 'kind',
	description: 'What the transfer does',
} as const;
const DEFAULT_VALID_SECONDS = 300;
const MAX_VALID_SECONDS = 604_800;

const options = optionsField([
	{
		displayName: 'Bounce',
		name: 'bounce',
		type: 'boolean',
		default: true,
		description:
			'Whether the coins come back if the receiver cannot take them in. By default, they come back from a contract, and stay at an address without a contract.',
	},
	{
		displayName: 'Send Mode',
		name: 'sendMode',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 255 },
		default: DEFAULT_SEND_MODE,
		description:
			'The way the wallet sends, as a number that TON defines. With 3, fees are paid on top of the amount.',
		parse: wholeNumberParser(0, 255),
	},
	{
		displayName: 'Seqno',
		name: 'seqno',
		type: 'string',
		default: '',
		placeholder: 'e.g. 7',
		description:
			'How many transfers the wallet has made before this one. If empty, the chain node gives the number, and each further item of the run adds 1.',
		parse: optionalParser(wholeNumberParser(0, MAX_UINT32)),
	},
	{
		displayName: 'Valid For',
		name: 'validFor',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: MAX_VALID_SECONDS },
		default: DEFAULT_VALID_SECONDS,
		description:
			'For how many seconds from now on the chain accepts the transfer. The transfers of a run are sent some ten seconds apart, so allow time for all.',
		parse: wholeNumberParser(1, MAX_VALID_SECONDS),
	},
]);

const fields = [payer, ...choiceFields(KIND_MENU, transferKinds, 'coinTransfer'), options] as const;

export const prepare = restOperation({
	name: 'Prepare',
	action: 'Prepare to pay coins, jettons (USDT) or NFTs',
	description:
		'Prepare a transfer from a wallet for signing, and see its cost. Nothing is written to the chain.',
	fields,
	itemsPerRequest: MAX_ADDRESSES_PER_REQUEST,
	reserve: (p, context) => reserveSeqno(context, p.from, p.options.seqno),
	async *run(p, context, place) {
		const { from } = p;
		const { validFor = DEFAULT_VALID_SECONDS, bounce, sendMode } = p.options;
		const kind: TransferKind = transferKinds[p.kind];
		const plan = await kind.plan(p, { from, reader: context, bounce });
		const prepared = await prepareTransfer(context, place, { from, plan, sendMode, validFor });
		const sender = await place.account;
		addHints(context, [
			findTestNetworkHint(sender, [from, ...plan.messages.map(({ to }) => to)]),
			p.options.seqno === undefined
				? findLateHint(sender, prepared.transfer.seqno, validFor)
				: undefined,
		]);
		yield prepared;
	},
});
