export type Tools = typeof import('tronweb');

/** Addresses, signatures and transactions; loaded when first needed, for it takes a second. */
export const loadTools = (): Promise<Tools> => import('tronweb');
