import { addressActivity } from './activity';
import { newBlocks } from './blocks';
import type { Wanted } from './fields';
import type { AskAt, Watch } from './watch';

export function watchFor(wanted: Wanted, askAt: AskAt): Watch {
	return wanted.event === 'newBlock' ? newBlocks(wanted, askAt) : addressActivity(wanted, askAt);
}
