import type { PatternReader } from './reader.ts';

export interface Repetition {
  readonly min: number;
  /** Undefined where there is no limit. */
  readonly max: number | undefined;
  readonly lazy: boolean;
}

const MAX_COUNT = 1000;

/** `*`, `+`, `?`, `{2}`, `{2,}` or `{2,3}`, with a `?` for as few as possible, if one comes next. */
export function parseRepetition(reader: PatternReader): Repetition | undefined {
  const start = reader.at;
  const bounds = parseBounds(reader);
  if (bounds === undefined) return undefined;
  const { min, max } = bounds;
  if (min > MAX_COUNT || (max ?? 0) > MAX_COUNT) {
    throw reader.fail(start, `RE2 repeats ${MAX_COUNT} times at most`);
  }
  if (max !== undefined && max < min) throw reader.fail(start, 'the most is less than the least');
  return { min, max, lazy: reader.take('?') };
}

function parseBounds(reader: PatternReader): Omit<Repetition, 'lazy'> | undefined {
  if (reader.take('*')) return { min: 0, max: undefined };
  if (reader.take('+')) return { min: 1, max: undefined };
  return reader.take('?') ? { min: 0, max: 1 } : parseCounts(reader);
}

/** A brace that begins no counts, such as those of `{,2}` and `{a}`, means itself. */
function parseCounts(reader: PatternReader): Omit<Repetition, 'lazy'> | undefined {
  const start = reader.at;
  if (reader.take('{')) {
    const min = parseCount(reader);
    const bounded = !reader.take(',');
    const most = bounded ? min : reader.peek() === '}' ? Number.NaN : parseCount(reader);
    if (min !== undefined && most !== undefined && reader.take('}')) {
      return { min, max: Number.isNaN(most) ? undefined : most };
    }
  }
  reader.rewind(start);
  return undefined;
}

/** Leading zeros and numbers beyond any sense are no count. */
function parseCount(reader: PatternReader): number | undefined {
  const digits = reader.takeWhile(/[0-9]/);
  return /^(?:0|[1-9][0-9]{0,8})$/.test(digits) ? Number(digits) : undefined;
}
