export interface TonSettings {
	/** The document shows one object; live nodes answer an array. */
	destinationFees: 'object' | 'array';
}

export const createTonSettings = (): TonSettings => ({ destinationFees: 'array' });
