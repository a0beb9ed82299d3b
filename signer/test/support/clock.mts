/** Sets n8n's clock to this time and stops it. */
export function setClock(time: string): void {
	jest.restoreAllMocks();
	jest.spyOn(Date, 'now').mockReturnValue(Date.parse(time));
}
