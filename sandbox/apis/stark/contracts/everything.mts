import { getSelector } from '../machine/hashes.mts';
import { Panic, createPanicError, createTextPanicError } from '../machine/execution.mts';
import * as abi from '../machine/contract.mts';
import type { AbiEntry } from '../machine/types.mts';

const PATH = 'sandbox::everything';
const POINT = `${PATH}::Point`;
const SHAPE = `${PATH}::Shape`;
const ORDER = `${PATH}::Order`;
const {
	ADDRESS,
	BOOL,
	BYTE_ARRAY,
	CLASS_HASH,
	FELT,
	U128,
	U256,
	U32,
	U64,
	U8,
	arrayOf,
	spanOf,
	optionOf,
} = abi;

const RESULT = `core::result::Result::<${U256}, ${FELT}>`;
const NON_ZERO = `core::zeroable::NonZero::<${U128}>`;
const NESTED = arrayOf(`(${U8}, ${optionOf(U256)})`);

/** The types for which the contract has a function `echo_…`, which returns its argument. */
const ECHOED: Readonly<Record<string, string>> = {
	felt: FELT,
	u8: U8,
	u16: 'core::integer::u16',
	u32: U32,
	u64: U64,
	u128: U128,
	u256: U256,
	u512: 'core::integer::u512',
	i8: 'core::integer::i8',
	i16: 'core::integer::i16',
	i32: 'core::integer::i32',
	i64: 'core::integer::i64',
	i128: 'core::integer::i128',
	bool: BOOL,
	address: ADDRESS,
	class_hash: CLASS_HASH,
	eth_address: 'core::starknet::eth_address::EthAddress',
	bytes31: 'core::bytes_31::bytes31',
	text: BYTE_ARRAY,
	numbers: arrayOf(U256),
	span: spanOf(FELT),
	texts: arrayOf(BYTE_ARRAY),
	nested: NESTED,
	pair: `(${FELT}, ${U256})`,
	unit: '()',
	fixed: `[${U8}; 3]`,
	option: optionOf(U256),
	result: RESULT,
	non_zero: NON_ZERO,
	point: POINT,
	shape: SHAPE,
	order: ORDER,
};

const EVENTS = {
	Plain: `${PATH}::Plain`,
	Renamed: `${PATH}::Plain`,
	Everything: `${PATH}::EverythingEvent`,
	OwnableEvent: `${PATH}::ownable::Event`,
	FlatEvent: `${PATH}::flat::Event`,
};

const describeEntries = (): AbiEntry[] => [
	abi.describeU256(),
	abi.describeBool(),
	abi.describeByteArray(),
	abi.describeSpan(FELT),
	abi.describeOption(U256),
	abi.describeEnum(RESULT, { Ok: U256, Err: FELT }),
	abi.describeStruct('core::integer::u512', { limb0: U128, limb1: U128, limb2: U128, limb3: U128 }),
	abi.describeStruct('core::starknet::eth_address::EthAddress', { address: FELT }),
	abi.describeStruct(POINT, { x: 'core::integer::i128', y: 'core::integer::i128' }),
	abi.describeEnum(SHAPE, { Nothing: '()', Dot: POINT, Path: arrayOf(POINT), Named: BYTE_ARRAY }),
	abi.describeStruct(ORDER, {
		id: U64,
		owner: ADDRESS,
		amount: U256,
		note: BYTE_ARRAY,
		shape: SHAPE,
		limit: optionOf(U256),
		tags: spanOf(FELT),
	}),
	...abi.describeInterface(`${PATH}::IEcho`, [
		...Object.entries(ECHOED).map(([name, type]) =>
			abi.describeFunction(`echo_${name}`, { value: type }, type),
		),
		abi.describeFunction(
			'echo_many',
			{ first: U8, second: BYTE_ARRAY, third: optionOf(U256) },
			`(${U8}, ${BYTE_ARRAY}, ${optionOf(U256)})`,
		),
	]),
	...abi.describeInterface(`${PATH}::IStore`, [
		abi.describeFunction('get_value', {}, U256),
		abi.describeFunction('set_value', { value: U256 }, undefined, 'external'),
		abi.describeFunction('get_caller', {}, ADDRESS),
		abi.describeFunction(
			'relay',
			{ to: ADDRESS, selector: FELT, calldata: spanOf(FELT) },
			spanOf(FELT),
			'external',
		),
	]),
	...abi.describeInterface(`${PATH}::IEmit`, [
		abi.describeFunction('emit_plain', { id: U64, note: BYTE_ARRAY }, undefined, 'external'),
		abi.describeFunction('emit_renamed', { id: U64, note: BYTE_ARRAY }, undefined, 'external'),
		abi.describeFunction('emit_order', { order: ORDER, amount: U256 }, undefined, 'external'),
		abi.describeFunction('emit_nested', { owner: ADDRESS }, undefined, 'external'),
		abi.describeFunction('emit_flat', { owner: ADDRESS }, undefined, 'external'),
		abi.describeFunction('emit_many', { count: U32 }, undefined, 'external'),
	]),
	...abi.describeInterface(`${PATH}::IFail`, [
		abi.describeFunction('fail', { reasons: arrayOf(FELT) }),
		abi.describeFunction('fail_with_text', { reason: BYTE_ARRAY }),
	]),
	abi.describeEvent(EVENTS.Plain, { id: U64, note: BYTE_ARRAY }, ['id']),
	abi.describeEvent(EVENTS.Everything, { order: ORDER, amount: U256 }, ['amount']),
	abi.describeEvent(`${PATH}::ownable::Transferred`, { previous: ADDRESS, next: ADDRESS }, [
		'previous',
		'next',
	]),
	abi.describeEvents(EVENTS.OwnableEvent, { Transferred: `${PATH}::ownable::Transferred` }),
	abi.describeEvent(`${PATH}::flat::Claimed`, { by: ADDRESS, owner: ADDRESS }, ['by', 'owner']),
	abi.describeEvents(EVENTS.FlatEvent, { Claimed: `${PATH}::flat::Claimed` }),
	abi.describeEvents(`${PATH}::Event`, EVENTS, ['FlatEvent']),
];

/** The most events that a call may emit. A block with this many events is still quick to read. */
const MAX_EMITTED = 10_000;

/** A contract that takes, returns and emits values of every type. */
export const everythingClass = abi.createSierraClass('everything', describeEntries(), {
	...Object.fromEntries(
		Object.keys(ECHOED).map((name) => [
			`echo_${name}`,
			((_context, value = []) => value) satisfies abi.ContractFunction,
		]),
	),
	echo_many: (_context, ...values) => values.flat(),
	get_value: (context) => [context.read('low'), context.read('high')],
	set_value: (context, value = []) => {
		context.write('low', value[0]!);
		context.write('high', value[1]!);
		return [];
	},
	get_caller: ({ caller }) => [caller],
	relay: (context, [to = 0n] = [], [selector = 0n] = [], [, ...calldata] = []) => {
		const result = context.call(to, selector, calldata);
		return [BigInt(result.length), ...result];
	},
	emit_plain: (context, id = [], note = []) => emit(context, ['Plain'], id, note),
	emit_renamed: (context, id = [], note = []) => emit(context, ['Renamed'], id, note),
	emit_order: (context, order = [], amount = []) => emit(context, ['Everything'], amount, order),
	emit_nested: (context, owner = []) =>
		emit(context, ['OwnableEvent', 'Transferred'], [context.caller, ...owner], []),
	emit_flat: (context, owner = []) => emit(context, ['Claimed'], [context.caller, ...owner], []),
	emit_many: (context, [count = 0n] = []) => {
		if (count > MAX_EMITTED) throw createPanicError('too many');
		for (let id = 0n; id < count; id++) emit(context, ['Plain'], [id], [0n, 0n, 0n]);
		return [];
	},
	fail: (_context, [, ...reasons] = []) => {
		throw new Panic(reasons);
	},
	fail_with_text: (_context, reason = []) => {
		throw createTextPanicError(reason);
	},
});

function emit(context: abi.Context, path: string[], keys: bigint[], data: bigint[]): bigint[] {
	context.emit([...path.map(getSelector), ...keys], data);
	return [];
}
