/**
 * Where things lie in the lake bucket: the one place that Firehose's prefixes, the Glue table's
 * location and the IAM policies take them from.
 */
import { LANDING_TABLE, PARTITION_COLUMNS } from '../../src/lake/layout/columns.ts';

/** Files of the landing table. */
export const LANDING_PREFIX = `${LANDING_TABLE}/`;

/** Files and metadata of the compacted table. */
export const COMPACTED_PREFIX = 'compacted/';

/** Records that could not be transformed or converted; outside the table, so that no query reads them. */
export const FAILED_PREFIX = 'failed/';

/** Spilled records that no message can hold, until the redrive has put them on the stream. */
export const SPILL_PREFIX = 'parked/';

/** Java date pattern of `dt`; ISO, so that the partition column can be a real date. */
export const DATE_PATTERN = 'yyyy-MM-dd';

/** Values of the partition columns as Firehose writes them, in UTC. */
const FIREHOSE_VALUES: Readonly<Record<string, string>> = {
  dt: `!{timestamp:${DATE_PATTERN}}`,
  hour: '!{timestamp:HH}',
};

/** Firehose's prefix of a landing file. */
export const LANDING_FILES = LANDING_PREFIX + partitionPath((name) => FIREHOSE_VALUES[name]);

/** Firehose's prefix of a failed record, by kind of failure and day. */
export const FAILED_FILES = `${FAILED_PREFIX}!{firehose:error-output-type}/dt=!{timestamp:${DATE_PATTERN}}/`;

/** The same path as a template of Athena's partition projection. */
export const FAILED_TEMPLATE = `${FAILED_PREFIX}\${kind}/dt=\${dt}/`;

/**
 * Kinds of failures that a stream which transforms and converts writes (Firehose developer guide, "Understand
 * custom prefixes").
 */
export const FAILED_KINDS = ['format-conversion-failed', 'processing-failed'] as const;

/** The path of a landing file as a template of Athena's partition projection. */
export const PARTITION_TEMPLATE = LANDING_PREFIX + partitionPath((name) => `\${${name}}`);

function partitionPath(value: (column: string) => string | undefined): string {
  return PARTITION_COLUMNS.map(({ name }) => {
    const text = value(name);
    if (text === undefined) {
      throw new Error(`Firehose does not write the partition column ${name}.`);
    }
    return `${name}=${text}/`;
  }).join('');
}
