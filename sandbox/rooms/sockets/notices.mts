import { applyBloomSetting } from '../../chain/lag.mts';
import type { SandboxState } from '../../state.mts';

const GATHERING_MS = 50;

/** Passes notifications on, as badly as the control room says. */
export function createNotifier(state: SandboxState, deliver: (text: string) => void) {
	let gathered: string[] = [];

	const pass = (text: string) => {
		deliver(text);
		if (state.sockets.settings.duplicate) deliver(text);
	};

	const passReversed = () => {
		const reversed = gathered.reverse();
		gathered = [];
		reversed.forEach(pass);
	};

	return (notice: string): void => {
		const { mute, shuffle } = state.sockets.settings;
		if (mute) return;
		const text = state.lag.settings.blooms === true ? notice : withoutBloom(notice, state);
		if (!shuffle) return pass(text);
		if (gathered.length === 0) setTimeout(passReversed, GATHERING_MS).unref();
		gathered.push(text);
	};
}

function withoutBloom(notice: string, state: SandboxState): string {
	const { params, ...rest } = JSON.parse(notice) as { params: { result: unknown } };
	return JSON.stringify({
		...rest,
		params: { ...params, result: applyBloomSetting(params.result, state) },
	});
}
