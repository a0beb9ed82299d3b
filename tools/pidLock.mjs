import { execFileSync } from 'node:child_process';
import { constants, copyFileSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const NO_PID = 0;
/** What file systems without hard links say. */
const NO_LINK_CODES = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EISDIR'];
/** What a link leads to is not ours. */
const READ_NO_FOLLOW = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);

/** Makes this process the one that holds a file, unless another one does; what a process that is gone held is free. */
export function acquireLock(file) {
	const own = `${file}-${process.pid}`;
	try {
		writeFileSync(own, buildMark(process.pid));
		return createExclusively(own, file) || (isStale(file) && takeOverLock(own, file));
	} finally {
		rmSync(own, { force: true });
	}
}

/** What another process holds by now stays. */
export function releaseLock(file) {
	if (readIfThere(file) === buildMark(process.pid)) rmSync(file, { force: true });
}

/** The other process that holds a file, or 0. */
export function findHolder(file) {
	const mark = readIfThere(file);
	const pid = Number(mark?.split(' ')[0]);
	return isRunning(pid) && isSameProcess(mark, pid) ? pid : NO_PID;
}

/** Two must not remove what is left one after the other: the second would remove what the first has put there. */
function takeOverLock(own, file) {
	const guard = `${file}-next`;
	if (!createExclusively(own, guard)) {
		if (isStale(guard)) rmSync(guard, { force: true });
		return false;
	}
	try {
		if (isStale(file)) rmSync(file, { force: true });
		return createExclusively(own, file);
	} finally {
		rmSync(guard, { force: true });
	}
}

/** At once with what stands in it, and not where there is one. */
function createExclusively(own, file) {
	try {
		linkSync(own, file);
		return true;
	} catch (error) {
		if (error.code === 'EEXIST') return false;
		if (!NO_LINK_CODES.includes(error.code)) throw error;
	}
	try {
		copyFileSync(own, file, constants.COPYFILE_EXCL);
		return true;
	} catch (error) {
		if (error.code === 'EEXIST') return false;
		throw error;
	}
}

function isStale(file) {
	return readIfThere(file) !== undefined && findHolder(file) === NO_PID;
}

function readIfThere(file) {
	try {
		return readFileSync(file, { encoding: 'utf8', flag: READ_NO_FOLLOW });
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
function isSameProcess(mark, pid) {
	const born = getStartMark(pid);
	return born === '' || !mark.includes(' ') || mark === buildMark(pid);
}

function buildMark(pid) {
	return `${pid} ${getStartMark(pid)}`.trim();
}

/** What tells a process from others with its number, whatever happens to the clock; empty where nothing does. */
function getStartMark(pid) {
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
