import { unfit } from '../../../values/read';

/** Refuses a signature or an ABI, with what is wrong in it. */
export function mistake(reason: string): never {
	return unfit(`a valid signature or JSON ABI: ${reason}`);
}
