import type { SqlTarget } from '../../common/result-schema.ts';

const MINUTE_US = 60_000_000;

/**
 * A printed offset, microseconds and whole minutes, as the codes %z (`+0530`), %Ez (`+05:30`) and %Z
 * write it. The latter is no name in BigQuery, but `UTC`, `UTC+1` or `UTC+0530`.
 */
export function offsetText(
  code: 'Z' | 'z' | 'Ez',
  offset: string | undefined,
  engine: SqlTarget,
): string {
  if (offset === undefined) return { Z: "'UTC'", z: "'+0000'", Ez: "'+00:00'" }[code];
  const slash = engine === 'athena' ? '/' : '//';
  const minutes = `(ABS(${offset}) ${slash} ${MINUTE_US})`;
  const sign = `CASE WHEN ${offset} < 0 THEN '-' ELSE '+' END`;
  const hours = `CAST(${minutes} ${slash} 60 AS VARCHAR)`;
  const two = (digits: string): string => `LPAD(${digits}, 2, '0')`;
  const rest = two(`CAST(${minutes} % 60 AS VARCHAR)`);
  switch (code) {
    case 'z':
      return `(${sign} || ${two(hours)} || ${rest})`;
    case 'Ez':
      return `(${sign} || ${two(hours)} || ':' || ${rest})`;
    case 'Z':
      return `('UTC' || CASE WHEN ${offset} = 0 THEN '' ELSE ${sign} || CASE WHEN ${minutes} % 60 = 0 THEN ${hours} ELSE ${two(hours)} || ${rest} END END)`;
  }
}
