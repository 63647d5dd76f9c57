import type { Latency } from './client/latencies.ts';
import type { Outcome } from './trial/check.ts';

/** What a run found. */
export interface Report {
  readonly url: string;
  /** What the names of everything began with that the run made. */
  readonly prefix: string;
  readonly startedAt: string;
  readonly seconds: number;
  readonly checks: readonly Outcome[];
  /** By source of the run: seconds from the acknowledgement until a query saw all events. */
  readonly freshness: Readonly<Record<string, number>>;
  readonly latencies: readonly Latency[];
  /** Requests that were repeated because the service had no capacity, by status. */
  readonly repeated: Readonly<Record<string, number>>;
  /** What could not be deleted. */
  readonly left: readonly string[];
  readonly interrupted: boolean;
}

export function printReport(report: Report): string {
  const { checks, latencies, freshness, repeated, left } = report;
  const width = Math.max(0, ...checks.map(({ name }) => name.length));
  const lines = [`${report.url}, ${report.seconds} s`, ''];
  for (const { name, status, says, seconds, notes } of checks) {
    const note = notes.length === 0 ? '' : ` (${notes.join('; ')})`;
    lines.push(
      `${name.padEnd(width)}  ${status.padEnd(13)}  ${`${seconds} s`.padStart(8)}  ${says}${note}`,
    );
  }
  for (const check of checks.filter(({ status }) => status === 'does not hold')) {
    lines.push('', `${check.name} does not hold: ${check.says}`);
    for (const { what, expected, came } of check.unmet) {
      lines.push(`  ${what}`, `    expected  ${expected}`, `    came      ${came}`);
    }
    lines.push(`  What to do: ${check.remedy}`);
  }
  lines.push(
    '',
    'How fresh: seconds from the acknowledgement of events until a query had seen all of them, at most',
  );
  for (const [what, seconds] of Object.entries(freshness))
    lines.push(`  ${what.padEnd(15)}${seconds}`);
  if (Object.keys(freshness).length === 0) lines.push('  nothing was seen');
  lines.push('', 'How fast, as seen from here, in milliseconds');
  lines.push(
    `  ${''.padEnd(15)}${['calls', 'median', 'worst'].map((head) => head.padStart(8)).join('')}`,
  );
  for (const { kind, calls, medianMs, worstMs } of latencies) {
    const cells = [calls, medianMs, worstMs].map((cell) => String(cell).padStart(8));
    lines.push(`  ${kind.padEnd(15)}${cells.join('')}`);
  }
  for (const [status, count] of Object.entries(repeated)) {
    lines.push(
      `  ${count} requests were answered with ${status} for lack of capacity and sent again`,
    );
  }
  if (left.length > 0) lines.push('', 'Could not be deleted:', ...left.map((each) => `  ${each}`));
  lines.push('', verdict(report));
  return `${lines.join('\n')}\n`;
}

function verdict({ checks, interrupted }: Report): string {
  const count = (status: Outcome['status']) =>
    checks.filter((each) => each.status === status).length;
  const broken = count('does not hold');
  const parts = [
    `${count('holds')} hold`,
    `${broken} ${broken === 1 ? 'does' : 'do'} not`,
    `${count('not yet')} not yet`,
    `${count('not checked')} not checked`,
  ];
  return `${interrupted ? 'Ended before its end: ' : ''}${parts.join(', ')}.`;
}
