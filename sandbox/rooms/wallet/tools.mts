export type TronWeb = typeof import('tronweb');

/** Addresses, signatures and transactions; loaded when first needed, for it takes a second. */
export const loadTronWeb = (): Promise<TronWeb> => import('tronweb');
