import { createHash } from 'node:crypto';
import type { Chain } from '../../chain/chain.mts';

interface Block {
	number: number;
	hash: string;
}

/** Made up, always the same: two in every tenth block, one in every other fifth; null ahead. */
export async function buildSystemTransactions(selector: string, chain: Chain | undefined) {
	const block = chain ? await fetchBlock(chain, selector) : inventBlock(selector);
	if (!block) return null;
	if (block.number % 5 !== 0) return [];
	const count = block.number % 10 === 0 ? 2 : 1;
	return Array.from({ length: count }, (_, index) => buildSystemTransaction(block, index));
}

async function fetchBlock(chain: Chain, selector: string): Promise<Block | null> {
	const found = await chain.call('eth_getBlockByNumber', [selector, false]);
	if (!found) return null;
	const { number, hash } = found as { number: string; hash: string };
	return { number: Number(number), hash };
}

const INVENTED_HEAD = 1_000_000;

function inventBlock(selector: string): Block | null {
	const number = selector.startsWith('0x') ? Number(selector) : INVENTED_HEAD;
	const block = selector === 'earliest' ? 0 : number;
	return block > INVENTED_HEAD ? null : { number: block, hash: hashText(`block ${block}`) };
}

function buildSystemTransaction({ number, hash }: Block, index: number) {
	const seed = `system transaction ${number} ${index}`;
	return {
		hash: hashText(seed),
		nonce: numberToHex(number * 2 + index),
		blockHash: hash,
		blockNumber: numberToHex(number),
		transactionIndex: numberToHex(index),
		from: '0x2222222222222222222222222222222222222222',
		to: hashText(`${seed} to`).slice(0, 42),
		value: numberToHex((number + 1) * 1_000_000_007),
		gas: numberToHex(200_000),
		gasPrice: '0x0',
		input: `0xa9059cbb${hashText(`${seed} input`).slice(2)}`,
		v: '0x1b',
		r: hashText(`${seed} r`),
		s: hashText(`${seed} s`),
		type: '0x0',
	};
}

const numberToHex = (value: number) => `0x${value.toString(16)}`;

const hashText = (text: string) => `0x${createHash('sha256').update(text).digest('hex')}`;
