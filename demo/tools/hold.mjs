import { execFileSync } from 'node:child_process';
import { constants, copyFileSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const NOBODY = 0;
/** What file systems without hard links say. */
const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EISDIR'];
/** What a link leads to is not ours. */
const ITSELF = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);

/** Makes this process the one that holds a file, unless another one does; what a process that is gone held is free. */
export function take(file) {
	const own = `${file}-${process.pid}`;
	try {
		writeFileSync(own, markOf(process.pid));
		return isFirst(own, file) || (isLeft(file) && isTakenOver(own, file));
	} finally {
		rmSync(own, { force: true });
	}
}

/** What another process holds by now stays. */
export function leave(file) {
	if (read(file) === markOf(process.pid)) rmSync(file, { force: true });
}

/** The other process that holds a file, or 0. */
export function holderOf(file) {
	const mark = read(file);
	const pid = Number(mark?.split(' ')[0]);
	return isRunning(pid) && isOf(mark, pid) ? pid : NOBODY;
}

/** Two must not remove what is left one after the other: the second would remove what the first has put there. */
function isTakenOver(own, file) {
	const guard = `${file}-next`;
	if (!isFirst(own, guard)) {
		if (isLeft(guard)) rmSync(guard, { force: true });
		return false;
	}
	try {
		if (isLeft(file)) rmSync(file, { force: true });
		return isFirst(own, file);
	} finally {
		rmSync(guard, { force: true });
	}
}

/** At once with what stands in it, and not where there is one. */
function isFirst(own, file) {
	try {
		linkSync(own, file);
		return true;
	} catch (error) {
		if (error.code === 'EEXIST') return false;
		if (!NO_LINKS.includes(error.code)) throw error;
	}
	try {
		copyFileSync(own, file, constants.COPYFILE_EXCL);
		return true;
	} catch (error) {
		if (error.code === 'EEXIST') return false;
		throw error;
	}
}

function isLeft(file) {
	return read(file) !== undefined && holderOf(file) === NOBODY;
}

function read(file) {
	try {
		return readFileSync(file, { encoding: 'utf8', flag: ITSELF });
	} catch (error) {
		if (error.code === 'ENOENT') return undefined;
		throw error;
	}
}

/** Whether there is another process with this number; where this one has it, that one is gone. */
function isRunning(pid) {
	if (!(pid > 0) || pid === process.pid) return false;
	try {
		return process.kill(pid, 0);
	} catch ({ code }) {
		// It runs, for another user.
		return code === 'EPERM';
	}
}

/** A number is given again, after a restart of the machine for one. */
function isOf(mark, pid) {
	const born = bornAt(pid);
	return born === '' || !mark.includes(' ') || mark === markOf(pid);
}

function markOf(pid) {
	return `${pid} ${bornAt(pid)}`.trim();
}

/** What tells a process from others with its number, whatever happens to the clock; empty where nothing does. */
function bornAt(pid) {
	try {
		if (process.platform === 'win32') return '';
		if (process.platform !== 'linux') {
			const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
			return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
				env,
				encoding: 'utf8',
			}).trim();
		}
		const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
		// The name of the program, in brackets, may hold anything.
		const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
		return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${ticks}`;
	} catch {
		return '';
	}
}
