/** The package `eth-url-parser` contains no types. */
declare module 'eth-url-parser' {
	export interface ParsedLink {
		readonly scheme: string;
		readonly target_address: string;
		readonly chain_id?: string;
		readonly function_name?: string;
		readonly parameters?: Readonly<Record<string, string>>;
	}

	export function parse(link: string): ParsedLink;
}
