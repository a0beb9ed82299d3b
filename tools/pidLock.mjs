import { execFileSync } from 'node:child_process';
import { constants, copyFileSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';

const NO_PID = 0;
/** Error codes of file systems without hard links. */
const NO_LINK_CODES = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EISDIR'];
/** A link may lead to a foreign file. */
const READ_NO_FOLLOW = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0);

/** Makes this process the holder of a file, unless another running process holds it. */
export function acquireLock(file) {
	const own = `${file}-${process.pid}`;
	try {
		writeFileSync(own, buildMark(process.pid));
		return createExclusively(own, file) || (isStale(file) && takeOverLock(own, file));
	} finally {
		rmSync(own, { force: true });
	}
}

/** A file that another process holds by now stays. */
export function releaseLock(file) {
	if (readIfThere(file) === buildMark(process.pid)) rmSync(file, { force: true });
}

/** Returns the other process that holds a file, or 0. */
export function findHolder(file) {
	const mark = readIfThere(file);
	const pid = Number(mark?.split(' ')[0]);
	return isRunning(pid) && isSameProcess(mark, pid) ? pid : NO_PID;
}

/** Two processes must not both remove the old file: the second would remove the new file of the first. */
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

/** Creates a file together with its content, unless it exists. */
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

/** Whether another process with this number runs; if this process has the number, the other one has ended. */
function isRunning(pid) {
	if (!(pid > 0) || pid === process.pid) return false;
	try {
		return process.kill(pid, 0);
	} catch ({ code }) {
		// The process runs as another user.
		return code === 'EPERM';
	}
}

/** Numbers of processes are reused, for example after a restart of the machine. */
function isSameProcess(mark, pid) {
	const born = getStartMark(pid);
	return born === '' || !mark.includes(' ') || mark === buildMark(pid);
}

function buildMark(pid) {
	return `${pid} ${getStartMark(pid)}`.trim();
}

/** A mark that distinguishes processes with the same number, independent of the clock; empty where there is none. */
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
		// The name of the program, in brackets, may contain anything.
		const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
		return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${ticks}`;
	} catch {
		return '';
	}
}
