import { createHash } from 'node:crypto';
import type { Chain } from '../../chain/chain.mts';

interface Block {
	number: number;
	hash: string;
}

/** Made up, always the same: two in every tenth block, one in every other fifth; null ahead. */
export async function systemTransactions(selector: string, chain: Chain | undefined) {
	const block = chain ? await blockOf(chain, selector) : madeUpBlock(selector);
	if (!block) return null;
	if (block.number % 5 !== 0) return [];
	const count = block.number % 10 === 0 ? 2 : 1;
	return Array.from({ length: count }, (_, index) => systemTransaction(block, index));
}

async function blockOf(chain: Chain, selector: string): Promise<Block | null> {
	const found = await chain.ask('eth_getBlockByNumber', [selector, false]);
	if (!found) return null;
	const { number, hash } = found as { number: string; hash: string };
	return { number: Number(number), hash };
}

const madeUpHead = 1_000_000;

function madeUpBlock(selector: string): Block | null {
	const number = selector.startsWith('0x') ? Number(selector) : madeUpHead;
	const block = selector === 'earliest' ? 0 : number;
	return block > madeUpHead ? null : { number: block, hash: digest(`block ${block}`) };
}

function systemTransaction({ number, hash }: Block, index: number) {
	const seed = `system transaction ${number} ${index}`;
	return {
		hash: digest(seed),
		nonce: hex(number * 2 + index),
		blockHash: hash,
		blockNumber: hex(number),
		transactionIndex: hex(index),
		from: '0x2222222222222222222222222222222222222222',
		to: digest(`${seed} to`).slice(0, 42),
		value: hex((number + 1) * 1_000_000_007),
		gas: hex(200_000),
		gasPrice: '0x0',
		input: `0xa9059cbb${digest(`${seed} input`).slice(2)}`,
		v: '0x1b',
		r: digest(`${seed} r`),
		s: digest(`${seed} s`),
		type: '0x0',
	};
}

const hex = (value: number) => `0x${value.toString(16)}`;

const digest = (text: string) => `0x${createHash('sha256').update(text).digest('hex')}`;
