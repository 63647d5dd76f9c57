import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  MAX_MERGED_BYTES,
  mergeableRuns,
  mergedSegments,
} from '../../../../src/local/storage/compacted/merge-plan.ts';
import {
  ConvertedSegments,
  type LakeFile,
  parquetName,
  revisionOf,
  segmentsOf,
  supersededFiles,
} from '../../../../src/local/storage/parquet/parquet-files.ts';

function file(first: number, options: Partial<LakeFile> & { hour?: number; last?: number } = {}) {
  const { hour = 3, last = first, ...rest } = options;
  const partition = `dt=2026-01-02/hour=${String(hour).padStart(2, '0')}`;
  const path = join('/lake/log_events', partition, parquetName({ first, last }));
  return { path, bytes: 1_000, columns: new Set(['id']), layout: '', ...rest };
}

function runs(files: readonly LakeFile[]): LakeFile[][] {
  return mergeableRuns(files).filter((run) => run.length > 1);
}

/** The merges, each as the numbers of the first segments of its files. */
function plan(files: readonly LakeFile[]) {
  return runs(files).map((run) => run.map(({ path }) => segmentsOf(path)?.first));
}

describe('which files are merged', () => {
  test('all of a directory', () => {
    expect(plan([file(1), file(2)])).toEqual([[1, 2]]);
  });

  test('no single file', () => {
    expect(plan([file(1), file(2, { hour: 4 })])).toEqual([]);
  });

  test('each directory for itself, in the order of numbers, however the files are listed', () => {
    const files = [file(4, { hour: 5 }), file(2), file(3, { hour: 5 }), file(1)];

    expect(plan(files)).toEqual([
      [1, 2],
      [3, 4],
    ]);
  });

  test('files that were merged before with those that came since', () => {
    expect(plan([file(1, { last: 4 }), file(5)])).toEqual([[1, 5]]);
  });

  test('none across a file of another directory, whose number the name would claim', () => {
    expect(plan([file(1), file(2, { hour: 4 }), file(3)])).toEqual([]);
  });

  test('none that is large already', () => {
    const bytes = MAX_MERGED_BYTES / 2;

    expect(plan([file(1, { bytes }), file(2, { bytes })])).toEqual([]);
  });

  test('as many as fit into one file', () => {
    const bytes = MAX_MERGED_BYTES / 4;

    expect(plan([1, 2, 3, 4, 5, 6].map((first) => file(first, { bytes })))).toEqual([
      [1, 2, 3, 4],
      [5, 6],
    ]);
  });

  test('none with a column that this version does not know', () => {
    const columns = new Set(['id', 'from_the_future']);

    expect(plan([file(1), file(2, { columns }), file(3), file(4)])).toEqual([[3, 4]]);
  });

  test('none whose name says nothing about numbers', () => {
    const path = '/lake/log_events/dt=2026-01-02/hour=03/export.parquet';

    expect(plan([file(1), { ...file(2), path }])).toEqual([]);
  });
});

describe('any lake', () => {
  /** Files as conversion makes them: some numbers missing, hours mostly going up. */
  const lakes = fc
    .array(
      fc.record({
        skipped: fc.nat(3),
        merged: fc.nat(2),
        hour: fc.integer({ min: 3, max: 5 }),
        bytes: fc.constantFrom(1_000, MAX_MERGED_BYTES / 3, MAX_MERGED_BYTES),
      }),
      { maxLength: 20 },
    )
    .map((steps) => {
      const files: LakeFile[] = [];
      let number = 1;
      for (const { skipped, merged, hour, bytes } of steps) {
        number += skipped + 1;
        files.push(file(number, { last: number + merged, hour, bytes }));
        number += merged + 1;
      }
      return files;
    });

  test('keeps its meaning through every merge, and ends with nothing to merge', () => {
    fc.assert(
      fc.property(lakes, (files) => {
        let lake = files;
        for (;;) {
          const [run] = runs(lake);
          if (run === undefined) break;
          const path = join(dirname(run[0]?.path ?? ''), parquetName(mergedSegments(run)));
          const rest = lake.filter((each) => !run.includes(each));
          const merged = {
            ...file(1),
            path,
            bytes: run.reduce((sum, { bytes }) => sum + bytes, 0),
          };

          // What a crash before the removal leaves: the originals are told from all other files.
          expect(supersededFiles([...lake, merged].map((each) => each.path))).toEqual(
            new Set(run.map((each) => each.path)),
          );
          lake = [...rest, merged];
        }
        const converted = new ConvertedSegments(lake.map(({ path }) => path));
        const before = files.flatMap(({ path }) => Object.values(segmentsOf(path) ?? {}));

        expect(before.filter((number) => !converted.has(number))).toEqual([]);
      }),
    );
  });
});

describe('the name of a file', () => {
  const ranges = fc
    .tuple(fc.integer({ min: 1, max: 1e12 }), fc.nat(1e12))
    .map(([first, more]) => ({ first, last: first + more }));

  test('says which segments it holds', () => {
    expect(parquetName({ first: 7, last: 7 })).toBe('0000000007.parquet');
    expect(parquetName({ first: 7, last: 12 })).toBe('0000000007-0000000012.parquet');
    fc.assert(
      fc.property(ranges, (range) => {
        expect(segmentsOf(join('/lake/dt=2026-01-02', parquetName(range)))).toEqual(range);
      }),
    );
  });

  test('says how often rows were deleted from it', () => {
    expect(parquetName({ first: 7, last: 12 }, 3)).toBe('0000000007-0000000012.r3.parquet');
    fc.assert(
      fc.property(ranges, fc.nat(1000), (range, revision) => {
        const name = parquetName(range, revision);

        expect(segmentsOf(name)).toEqual(range);
        expect(revisionOf(name)).toBe(revision);
      }),
    );
  });

  test('says nothing when another program made it up', () => {
    for (const name of [
      'export.parquet',
      '7.parquet',
      '0000000009-0000000003.parquet',
      '.parquet',
    ]) {
      expect(segmentsOf(name)).toBeUndefined();
    }
    fc.assert(
      fc.property(fc.string(), (name) => {
        const range = segmentsOf(name);

        expect(range === undefined || name.endsWith(parquetName(range, revisionOf(name)))).toBe(
          true,
        );
      }),
    );
  });

  /** What is done to the files of a directory, one after the other; `at` picks which. */
  const changes = fc.array(
    fc.record({ kind: fc.constantFrom('add', 'merge', 'rewrite'), at: fc.nat(100) }),
    { maxLength: 20 },
  );

  test('tells what is current from what it was made from, whatever of that is still there', () => {
    fc.assert(
      fc.property(changes, fc.infiniteStream(fc.boolean()), (steps, staysBehind) => {
        let current: string[] = [];
        const stale: string[] = [];
        let number = 0;
        const replace = (index: number, count: number, name: string) => {
          const replaced = current.toSpliced(index, count, name);
          const originals = current.slice(index, index + count);
          stale.push(...originals.filter(() => staysBehind.next().value));
          current = replaced;
        };
        for (const { kind, at } of steps) {
          const index = current.length === 0 ? 0 : at % current.length;
          const [path, next] = current.slice(index);
          if (kind === 'add' || path === undefined) {
            number += 1;
            current.push(`/day=2026-01-02/${parquetName({ first: number, last: number })}`);
          } else if (kind === 'rewrite') {
            const range = segmentsOf(path) ?? { first: 0, last: 0 };
            const name = parquetName(range, revisionOf(path) + 1);
            replace(index, 1, `/day=2026-01-02/${name}`);
          } else if (next !== undefined) {
            const first = segmentsOf(path)?.first ?? 0;
            const last = segmentsOf(next)?.last ?? 0;
            replace(index, 2, `/day=2026-01-02/${parquetName({ first, last })}`);
          }
        }

        expect(supersededFiles([...stale, ...current])).toEqual(new Set(stale));
      }),
    );
  });

  test('supersedes only names in its own directory', () => {
    const [here, there] = [file(2).path, file(2, { hour: 4 }).path];
    const merged = file(1, { last: 3 }).path;

    expect(supersededFiles([here, there, merged])).toEqual(new Set([here]));
  });
});
