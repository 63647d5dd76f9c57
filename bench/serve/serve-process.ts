import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Clock ticks of a second in `/proc`, the same on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;
const MICROSECONDS = 1_000_000;

/** What a process has used so far. Reads Linux's `/proc`. */
export interface Usage {
  /** Time of all its threads on a processor, microseconds. */
  readonly cpuUs: number;
  /** Resident memory now, and the most that it ever was, MiB. */
  readonly rssMiB: number;
  readonly peakMiB: number;
}

export function usageOf(pid: number): Usage {
  // The second field is the name in parentheses and may contain blanks; 14 and 15 are user and system time.
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const ticks = Number(fields[11]) + Number(fields[12]);
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mebibytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s*(\\d+) kB`, 'm').exec(status)?.[1] ?? Number.NaN) / 1024;
  return {
    cpuUs: (ticks / TICKS_PER_SECOND) * MICROSECONDS,
    rssMiB: mebibytes('VmRSS'),
    peakMiB: mebibytes('VmHWM'),
  };
}

/** Bytes of all files below a directory; those that vanish on the way count nothing. */
export function bytesBelow(directory: string): number {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name), { throwIfNoEntry: false }))
    .reduce((sum, stats) => sum + (stats?.size ?? 0), 0);
}
