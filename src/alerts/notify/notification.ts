import { randomUUID } from 'node:crypto';
import { parseJson, stringifyJson } from '../../platform/json/json.ts';
import type { Alert, Finding, Notification, NotificationKind } from '../model/alert.ts';

type Row = Readonly<Record<string, unknown>>;

const MAX_SAMPLE_ROWS = 10;

/** Bytes of JSON. Ten notifications that wait fit into what DynamoDB takes for an item. */
const MAX_SAMPLE_BYTES = 8_192;

/** A notification about what a check found. */
export function notificationOf(
  kind: NotificationKind,
  { token, name, description, labels }: Alert,
  found: {
    readonly at: number;
    readonly since: number;
    readonly finding: Pick<Finding, 'value' | 'rows' | 'fault'>;
    readonly rows: readonly Row[];
  },
): Notification {
  const { at, since, finding, rows } = found;
  return {
    id: randomUUID(),
    kind,
    at,
    alert: { token, name, description, labels },
    since,
    value: finding.value,
    rows: finding.rows,
    fault: finding.fault,
    sample: sampleOf(rows),
  };
}

/** The first rows that fit. */
function sampleOf(rows: readonly Row[]): Row[] {
  const sample: Row[] = [];
  let bytes = 0;
  for (const row of rows.slice(0, MAX_SAMPLE_ROWS)) {
    const text = stringifyJson(row);
    bytes += Buffer.byteLength(text);
    if (bytes > MAX_SAMPLE_BYTES) break;
    // Plain data: rows may hold what DynamoDB's text does not bring back as it is.
    sample.push(parseJson(text) as Row);
  }
  return sample;
}
