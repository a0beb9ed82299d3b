/** Sets n8n's clock: the time goes on from there. */
export function setClock(time: string): void {
	jest.restoreAllMocks();
	const ahead = Date.parse(time) - Date.now();
	const now = Date.now.bind(Date);
	jest.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
}
