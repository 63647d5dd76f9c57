import * as z from 'zod';
import { loadConfig } from '../../../lib/config.ts';
import { resources, synthesise } from '../../lib/stacks.ts';

const TableInput = z.looseObject({
  Name: z.string(),
  // Glue keeps text; CloudFormation also takes what can be written as text.
  Parameters: z.record(z.string(), z.coerce.string()),
});

export type TableInput = z.infer<typeof TableInput>;

export interface PlacedTable {
  readonly name: string;
  /** Directory that stands for the bucket. */
  readonly directory: string;
  readonly firstDay: string;
  /**
   * The day that the projection's `NOW` means. Without it that is the engine's today, and the number
   * of partitions, and with it the time of an unbounded query, grows day by day.
   */
  readonly today?: string;
  /** Which table of the storage stack. @default 'LakeTable' */
  readonly resource?: 'LakeTable' | 'FailedEventsTable';
}

/** A table exactly as it is deployed, moved from its bucket to a directory. */
export function glueTable(placed: PlacedTable): TableInput {
  const { name, directory, firstDay, today, resource = 'LakeTable' } = placed;
  const { storage } = synthesise({ ...loadConfig('prod'), firstDay });
  const table = resources(storage, 'AWS::Glue::Table')[resource]?.Properties.TableInput;
  const { Parameters, ...input } = TableInput.parse(moved(table, directory));
  const range = Parameters['projection.dt.range'];
  if (range === undefined) throw new Error('the table does not compute its partitions');
  const dates = today === undefined ? range : range.replace(/NOW\+1DAYS$/, dayAfter(today));
  return { ...input, Name: name, Parameters: { ...Parameters, 'projection.dt.range': dates } };
}

function dayAfter(day: string): string {
  return new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
}

/** The value with `s3://<bucket>/..`, which a template writes as a join of texts, made a local path. */
function moved(value: unknown, directory: string): unknown {
  if (Array.isArray(value)) return value.map((item) => moved(item, directory));
  if (typeof value !== 'object' || value === null) return value;
  if ('Fn::Join' in value) {
    const [, parts] = z.tuple([z.literal(''), z.array(z.unknown())]).parse(value['Fn::Join']);
    const text = parts.map((part) => (typeof part === 'string' ? part : directory)).join('');
    return text.replace(/^s3:\/\//, 'local://');
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, moved(item, directory)]),
  );
}
