import { decodeCalldata } from '../abi/call';
import { formatFelt } from '../felts';
import type { DeclaredCall } from '../invoke';

const MAX_VALUE_CHARS = 100;

/** Formats a call in words, with its decoded arguments. */
export function formatCall({ contract, called, calldata }: DeclaredCall): string {
	const values = Object.values(decodeCalldata(called, calldata)).map(formatValue);
	return `Call ${called.name}(${values.join(', ')}) of the contract ${formatFelt(contract)}`;
}

function formatValue(value: unknown): string {
	const text = typeof value === 'string' && /^\w+$/.test(value) ? value : JSON.stringify(value);
	return text.length > MAX_VALUE_CHARS ? `${text.slice(0, MAX_VALUE_CHARS)}…` : text;
}
