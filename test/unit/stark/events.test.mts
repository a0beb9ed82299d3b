import fc from 'fast-check';
import { CallData, createAbiParser, events as reference, hash, type Abi } from 'starknet';
import { parseStarkAbi } from '../../../nodes/core/stark/abi/abi';
import { createEventDecoder, findEvents } from '../../../nodes/core/stark/abi/event';
import { getCaseCount, getSeed } from '../../harness/caseCount.mts';

fc.configureGlobal({ seed: getSeed(20261124), numRuns: getCaseCount(600) });

const TYPES: Readonly<Record<string, number>> = {
	'core::felt252': 1,
	'core::integer::u64': 1,
	'core::integer::u256': 2,
	'core::starknet::contract_address::ContractAddress': 1,
};

interface Member {
	readonly name: string;
	readonly type: string;
	readonly kind: 'key' | 'data';
	readonly felts: readonly bigint[];
}

interface Emitted {
	readonly names: readonly string[];
	readonly members: readonly Member[];
}

const member = fc.record({
	type: fc.constantFrom(...Object.keys(TYPES)),
	kind: fc.constantFrom('key' as const, 'data' as const),
	felts: fc.array(fc.bigInt(0n, 2n ** 63n), { minLength: 2, maxLength: 2 }),
});

/** A random event inside of nested or flat components of a contract, beside another event. */
const emitted = fc.record({
	members: fc.array(member, { maxLength: 5 }),
	components: fc.array(fc.boolean(), { maxLength: 3 }),
	variant: fc.constantFrom('Moved', 'Renamed'),
});

function build({
	members,
	components,
	variant,
}: typeof emitted extends fc.Arbitrary<infer T> ? T : never) {
	const named: Member[] = members.map((one, index) => ({
		...one,
		name: `m${index}`,
		felts: one.felts.slice(0, TYPES[one.type]),
	}));
	const declared = named.map(({ name, type, kind }) => ({ name, type, kind }));
	const struct = { type: 'event', name: 'pkg::Moved', kind: 'struct', members: declared };
	const other = { type: 'event', name: 'pkg::Other', kind: 'struct', members: [] };
	const chain = [...components, false].map((isFlat, index, all) => {
		const isLast = index === all.length - 1;
		const type = isLast ? 'pkg::Moved' : `pkg::Level${index + 1}::Event`;
		const name = isLast ? variant : `Level${index + 1}Event`;
		const variants = [
			{ name, type, kind: isFlat ? 'flat' : 'nested' },
			...(index === 0 ? [{ name: 'Other', type: 'pkg::Other', kind: 'nested' }] : []),
		];
		return {
			type: 'event',
			name: index === 0 ? 'pkg::Event' : `pkg::Level${index}::Event`,
			kind: 'enum',
			variants,
		};
	});
	const path = chain.flatMap(({ variants: [first] }) =>
		first?.kind === 'flat' ? [] : [first?.name ?? ''],
	);
	const of = (kind: string) =>
		named.filter((one) => one.kind === kind).flatMap(({ felts }) => felts);
	return {
		// The root of the events comes last, because the library starknet.js takes the last entry for the root.
		json: [struct, other, ...chain.toReversed()],
		keys: [...path.map((name) => BigInt(hash.getSelectorFromName(name))), ...of('key')],
		data: of('data'),
		event: { names: path, members: named } satisfies Emitted,
	};
}

const toNumber = (felts: readonly bigint[]) => (felts[0] ?? 0n) + ((felts[1] ?? 0n) << 128n);

test('events below any components are decoded as by the reference client', () => {
	fc.assert(
		fc.property(emitted, (choice) => {
			const { json, keys, data, event } = build(choice);
			const abi = parseStarkAbi(JSON.stringify(json));
			const decoded = createEventDecoder(abi, abi.events)({ keys, data });
			expect(decoded?.event).toBe(event.names.at(-1));
			const expected = Object.fromEntries(
				event.members.map(({ name, felts }) => [name, toNumber(felts)]),
			);
			const ours = Object.entries(decoded?.args ?? {}).map(([name, value]) => [
				name,
				BigInt(value as string),
			]);
			expect(Object.fromEntries(ours)).toEqual(expected);
			expect(findEvents(abi, event.names.at(-1) ?? '')).toHaveLength(1);
			// The library starknet.js cannot read an event inside of several components if one of them is flat. The name of a
			// flat component is not among the keys of the event.
			const isLost = choice.components.length > 1 && choice.components.includes(true);
			if (!isLost) expect(parseByReference(json, keys, data)).toEqual(expected);
		}),
	);
});

function parseByReference(
	json: readonly object[],
	keys: readonly bigint[],
	data: readonly bigint[],
) {
	// The ABI begins with an interface, because the library starknet.js recognizes the version of Cairo by it.
	const abi = [{ type: 'interface', name: 'pkg::I', items: [] }, ...json] as unknown as Abi;
	const hex = (felts: readonly bigint[]) => felts.map((felt) => `0x${felt.toString(16)}`);
	const [parsed] = reference.parseEvents(
		[{ from_address: '0x1', keys: hex(keys), data: hex(data), transaction_hash: '0x2' } as never],
		reference.getAbiEvents(abi),
		CallData.getAbiStruct(abi),
		CallData.getAbiEnum(abi),
		createAbiParser(abi),
	);
	return parsed?.['pkg::Moved'];
}

test('what does not use up all keys and data is not decoded', () => {
	const { json } = build({ members: [], components: [], variant: 'Moved' });
	const abi = parseStarkAbi(json);
	const decode = createEventDecoder(abi, abi.events);
	const selector = BigInt(hash.getSelectorFromName('Moved'));
	expect(decode({ keys: [selector], data: [] })).toEqual({ event: 'Moved', args: {} });
	expect(decode({ keys: [selector], data: [1n] })).toBeUndefined();
	expect(decode({ keys: [selector, 1n], data: [] })).toBeUndefined();
	expect(decode({ keys: [], data: [] })).toBeUndefined();
});

test('events of Cairo 0, and of the first Cairo 1, have one key and all else in their data', () => {
	const abi = parseStarkAbi([
		{
			type: 'event',
			name: 'Transfer',
			keys: [],
			data: [
				{ name: 'from_', type: 'felt' },
				{ name: 'ids_len', type: 'felt' },
				{ name: 'ids', type: 'felt*' },
				{ name: 'value', type: 'Uint256' },
			],
		},
		{ type: 'event', name: 'pkg::Early', inputs: [{ name: 'x', type: 'core::integer::u8' }] },
		{
			type: 'struct',
			name: 'Uint256',
			size: 2,
			members: [
				{ name: 'low', offset: 0, type: 'felt' },
				{ name: 'high', offset: 1, type: 'felt' },
			],
		},
	]);
	const decode = createEventDecoder(abi, abi.events);
	const key = (name: string) => BigInt(hash.getSelectorFromName(name));
	expect(decode({ keys: [key('Transfer')], data: [1n, 1n, 7n, 5n, 1n] })).toEqual({
		event: 'Transfer',
		args: {
			from_: `0x${'1'.padStart(64, '0')}`,
			ids: [`0x${'7'.padStart(64, '0')}`],
			value: String(2n ** 128n + 5n),
		},
	});
	expect(decode({ keys: [key('Early')], data: [9n] })).toEqual({ event: 'Early', args: { x: 9 } });
});
