import { encodeDeployData, maxUint256, zeroAddress, type Hex } from 'viem';
import type { Random } from '../../../harness/random.mts';
import { EDITION_IDS, encode, NFT_IDS, type World } from './world.mts';

/** An action of a random transaction, or of a step inside of it. */
export interface Action {
	/** The receiver, or undefined if the transaction deploys a contract. */
	readonly to: Hex | undefined;
	readonly value: bigint;
	readonly data: Hex;
	/** Describes the action in the message of a failed test. */
	readonly what: string;
}

/** Creates random actions of an account. Some of them are wrong, and revert. */
export function createActions(world: World, random: Random) {
	const { people, actors, tokens, ones, manys, doer, passing } = world;
	const anyone = () => random.oneOf(actors);
	const amount = () => BigInt(random.oneOf([0, 1, 7, 99, 100, 12_345, 400_000, 3_000_000]));
	const coins = () => BigInt(random.oneOf([1, 5, 1000, 77_777]));
	const allowance = () => random.oneOf([0n, 1n, 500n, 2_000_000n, maxUint256]);
	const isYes = () => random.upTo(1) === 1;
	const anyToken = () => random.oneOf(Object.entries(tokens));
	const anyWrapped = () => random.oneOf([tokens.Wrapped, tokens.DoubleWrapped]);
	const act = (what: string, to: Hex, data: Hex, value = 0n): Action => ({ what, to, data, value });

	const token = (what: string, functionName: string, ...args: unknown[]) => {
		const [name, contract] = anyToken();
		const data = encode(contract, functionName, ...args);
		return act(`${what} of ${name}`, contract.address, data);
	};
	const nft = (functionName: string, ...args: unknown[]) =>
		act(`${functionName} of an NFT`, ones.address, encode(ones, functionName, ...args));
	const edition = (functionName: string, ...args: unknown[]) =>
		act(`${functionName} of an edition`, manys.address, encode(manys, functionName, ...args));

	const simple: ReadonlyArray<(self: Hex) => Action> = [
		() => act('coins', anyone(), '0x', coins()),
		() => act('coins', anyone(), '0x', coins()),
		// The contract refuses coins. Some chain nodes log the transfer nevertheless, although it was undone with the
		// call.
		() => act('coins that are refused', ones.address, '0x', coins()),
		() => token('a transfer', 'transfer', anyone(), amount()),
		() => token('a transfer', 'transfer', anyone(), amount()),
		() => token('an approval', 'approve', anyone(), allowance()),
		() => token('a spent allowance', 'transferFrom', anyone(), anyone(), amount()),
		(self) => token('an own allowance', 'transferFrom', self, anyone(), amount()),
		() => token('a mint', 'mint', anyone(), amount()),
		() => nft('transferFrom', anyone(), anyone(), random.oneOf(NFT_IDS)),
		(self) => nft('transferFrom', self, anyone(), random.oneOf(NFT_IDS)),
		() => nft('approve', random.oneOf([...actors, zeroAddress]), random.oneOf(NFT_IDS)),
		() => nft('setApprovalForAll', anyone(), isYes()),
		() => nft('burn', random.oneOf(NFT_IDS)),
		() => nft('mint', anyone(), random.oneOf(NFT_IDS)),
		(self) =>
			edition('safeTransferFrom', self, anyone(), random.oneOf(EDITION_IDS), amount(), '0x'),
		() => edition('setApprovalForAll', anyone(), isYes()),
		() => edition('mint', anyone(), random.oneOf(EDITION_IDS), amount()),
		() => {
			const ids = [random.oneOf(EDITION_IDS), random.oneOf(EDITION_IDS)];
			const amounts = [BigInt(random.upTo(9)), BigInt(random.upTo(9))];
			return edition('safeBatchTransferFrom', anyone(), anyone(), ids, amounts, '0x');
		},
		() => {
			const wrapped = anyWrapped();
			const data = isYes() ? encode(wrapped, 'deposit') : '0x';
			return act('a wrap', wrapped.address, data, coins());
		},
		() => {
			const wrapped = anyWrapped();
			return act('an unwrap', wrapped.address, encode(wrapped, 'withdraw', amount()));
		},
		() => act('a growth', tokens.Growing.address, encode(tokens.Growing, 'grow')),
		() => act('an end', doer.address, encode(doer, 'end', anyone()), coins()),
	];

	const several = (depth: number): Action => {
		const steps = Array.from({ length: 1 + random.upTo(3) }, () => {
			const step = depth > 0 && random.upTo(4) === 0 ? several(depth - 1) : one(doer.address);
			return { ...step, mayFail: isYes() };
		});
		const value = steps.reduce((sum, step) => sum + step.value, 0n);
		const functionName = random.upTo(5) === 0 ? 'runAndFail' : 'run';
		const what = `${functionName} (${steps.map((step) => step.what).join(', ')})`;
		return act(what, doer.address, encode(doer, functionName, steps), value);
	};

	const one = (self: Hex): Action => random.oneOf(simple)(self);

	const deployment = (): Action => {
		const { abi, bytecode } = passing;
		const data = encodeDeployData({ abi, bytecode, args: [anyone()] });
		return { what: 'a deployment', to: undefined, data, value: coins() };
	};

	return () => {
		const from = random.oneOf(people);
		const kind = random.upTo(19);
		const action = kind === 0 ? deployment() : kind < 8 ? several(2) : one(from);
		return { from, ...action };
	};
}
