/** Stops n8n's clock at this time. */
export function setClock(time: string): void {
	jest.restoreAllMocks();
	jest.spyOn(Date, 'now').mockReturnValue(Date.parse(time));
}
