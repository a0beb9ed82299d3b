/** The meanings of exit codes of the virtual machine. They are the same for all contracts. */
const COMPUTE_WORDS: Readonly<Record<number, string>> = {
	2: 'the stack had too few values',
	3: 'the stack had too many values',
	4: 'an integer was too large, or divided by zero',
	5: 'an integer was out of its range',
	6: 'the code has an instruction that is not known',
	7: 'a value was of another type',
	8: 'a cell would have been too full',
	9: 'a cell held less than was read from it',
	10: 'a dictionary could not be read',
	11: 'the contract does not know this, or has no such get-method',
	13: 'it ran out of gas',
	[-14]: 'it ran out of gas',
	65535: 'the contract does not know this operation',
};

const ACTION_WORDS: Readonly<Record<number, string>> = {
	32: 'the list of actions is invalid',
	33: 'the list of actions is too long',
	34: 'an action is invalid',
	35: 'the source address is invalid',
	36: 'the destination address is invalid',
	37: 'the coins do not suffice',
	38: 'other currencies do not suffice',
	40: 'the coins do not suffice to process a message',
};

const OLDER_WALLET_WORDS: Readonly<Record<number, string>> = {
	33: 'the seqno is not the next one',
	34: 'the wallet ID is another one',
	35: 'the signature is wrong, or the transfer is no longer valid',
};

const CONTRACT_WORDS = {
	v3r2: OLDER_WALLET_WORDS,
	v4r2: {
		...OLDER_WALLET_WORDS,
		35: 'the signature is wrong',
		36: 'the transfer is no longer valid',
	},
	v5r1: {
		132: 'signatures are switched off for this wallet',
		133: 'the seqno is not the next one',
		134: 'the wallet ID is another one',
		135: 'the signature is wrong',
		136: 'the transfer is no longer valid',
		137: 'the send mode does not ignore errors, which the wallet wants',
	},
	jettonWallet: {
		45: 'the jetton wallet is locked',
		47: 'the jettons do not suffice',
		48: 'the coins along do not suffice for gas',
		73: 'only the owner can do this',
		74: 'the sender is no wallet of this jetton',
		705: 'only the owner can do this',
		706: 'the jettons do not suffice',
		707: 'the sender is no wallet of this jetton',
		709: 'the coins along do not suffice',
	},
	nft: { 401: 'only the owner can do this', 402: 'the coins along do not suffice' },
} as const satisfies Readonly<Record<string, Readonly<Record<number, string>>>>;

export type KnownContract = keyof typeof CONTRACT_WORDS;

export function isSuccess(exitCode: number): boolean {
	return exitCode === 0 || exitCode === 1;
}

/**
 * Formats an exit code with its meaning, which depends on the contract. If the meaning is unknown, only the code is
 * given.
 */
export function formatExitCode(exitCode: number, contract?: KnownContract): string {
	const own: Readonly<Record<number, string>> = contract ? CONTRACT_WORDS[contract] : {};
	return formatCode('exit code', exitCode, own[exitCode] ?? COMPUTE_WORDS[exitCode]);
}

/** Formats a result code, which tells how the action phase ended. In this phase a contract sends its messages. */
export function formatResultCode(resultCode: number): string {
	return formatCode('result code', resultCode, ACTION_WORDS[resultCode]);
}

function formatCode(name: string, code: number, words: string | undefined): string {
	return words ? `${name} ${code} (${words})` : `${name} ${code}`;
}
