import { isRefusal, RequestFailure } from '../../errors/requestFailure';
import { rethrow } from '../../values/parse';
import { sharedKey } from '../../net/pacing/shared';

/** Limits how many tokens one request asks about, because a harmful token may answer with megabytes. */
const TOKENS_PER_GROUP = 5;
const MAX_TOKEN_ATTEMPTS = 3;
const MAX_FAULTY_TOKENS = 1_000;

interface TokenReading {
	/** Reads the symbol and decimals of some tokens. */
	read(tokens: readonly string[]): Promise<void>;
	/** Whether the node answers a question that involves no token. */
	isNodeThere(): Promise<boolean>;
}

export const FAULTY_TOKENS = sharedKey('evm.faultyTokens', () => new FaultyTokens());

/**
 * Reads the symbol and decimals of tokens. A harmful token may keep the node busy until it times out. The token then
 * gets no symbol or decimals, and does not delay other tokens.
 */
export class FaultyTokens {
	/** How often the node gave no answer when it was asked about a token. */
	private readonly failures = new Map<string, number>();

	async readAll(tokens: readonly string[], { read, isNodeThere }: TokenReading): Promise<void> {
		let groups = this.groupTokens(tokens);
		let failed = 0;
		for (let group = groups.shift(); group && failed < MAX_TOKEN_ATTEMPTS; group = groups.shift()) {
			const failure = await catchSuspicious(read(group));
			if (!failure) this.forgive(group);
			else if (!(await isNodeThere())) return await this.throwAndBlame(group, failure);
			else if (group.length === 1) failed++;
			else groups = [...group.map((one) => [one]), ...groups];
		}
	}

	/**
	 * Groups tokens for requests. Tokens that have failed before come last, each alone, and are left out after several
	 * failures.
	 */
	private groupTokens(tokens: readonly string[]): string[][] {
		const others = tokens.filter((one) => !this.failures.has(one));
		const suspects = tokens.filter(
			(one) => (this.failures.get(one) ?? MAX_TOKEN_ATTEMPTS) < MAX_TOKEN_ATTEMPTS,
		);
		const groups: string[][] = [];
		for (let at = 0; at < others.length; at += TOKENS_PER_GROUP)
			groups.push(others.slice(at, at + TOKENS_PER_GROUP));
		return [...groups, ...suspects.map((one) => [one])];
	}

	private forgive(tokens: readonly string[]): void {
		for (const token of tokens) this.failures.delete(token);
	}

	private async throwAndBlame(tokens: readonly string[], failure: RequestFailure): Promise<never> {
		if (this.failures.size > MAX_FAULTY_TOKENS) this.failures.clear();
		for (const token of tokens) this.failures.set(token, (this.failures.get(token) ?? 0) + 1);
		return rethrow(failure);
	}
}

/**
 * Returns a failure that a token may have caused. Throws other failures, such as a rate limit or the refusal of the
 * node.
 */
async function catchSuspicious(work: Promise<void>): Promise<RequestFailure | undefined> {
	try {
		return void (await work);
	} catch (failure) {
		const isSuspicious =
			failure instanceof RequestFailure &&
			failure.retry?.because !== 'limit' &&
			(failure.maybeExecuted || !isRefusal(failure));
		return isSuspicious ? failure : rethrow(failure);
	}
}
