import { describe, expect, test } from 'vitest';
import { NOTHING_SHOWN, type SourceSchema } from '../../../src/catalog/source-schema.ts';
import { JsonType } from '../../../src/lake/schema/schema.ts';
import { REMAKE_MS } from '../../../src/lake/views/diff.ts';
import {
  RUN_MS,
  ViewReconciler,
  type ViewReconcilerDeps,
} from '../../../src/lake/views/reconcile.ts';
import type { ViewRecords } from '../../../src/lake/views/view-store.ts';
import { ServiceError } from '../../../src/platform/errors.ts';
import { TestClock } from '../../support/aws/clock.ts';
import { LogRecorder } from '../../support/aws/log.ts';
import { MemoryRecords } from './memory-records.ts';
import { ModelCatalog } from './model.ts';

const EDGE = 'aaaaaaaa-0000-4000-8000-000000000001';
const POSTGRES = 'bbbbbbbb-0000-4000-8000-000000000002';

interface TestSource {
  readonly token: string;
  name: string;
  readonly insertedAt: string;
}

const aSource = (token: string, name: string): TestSource => ({
  token,
  name,
  insertedAt: '2026-01-01T00:00:00.000Z',
});

function setUp(changes: Partial<ViewReconcilerDeps> = {}) {
  const clock = new TestClock();
  const catalog = new ModelCatalog();
  const records = new MemoryRecords();
  const logger = new LogRecorder();
  const state = {
    sources: [aSource(EDGE, 'edge.logs'), aSource(POSTGRES, 'postgres.logs')],
    schemas: {} as Record<string, SourceSchema>,
    watermark: undefined as number | undefined,
  };
  const sync = new ViewReconciler({
    registry: {
      listSources: async () => state.sources,
      schema: async (token) => state.schemas[token] ?? NOTHING_SHOWN,
      watermark: async () => state.watermark,
    },
    records,
    statements: catalog,
    clock,
    logger,
    sleep: clock.sleep,
    ...changes,
  });
  return { clock, catalog, records, logger, state, sync };
}

/** The records' methods as an object, for a test to replace one of them. */
function bound(records: MemoryRecords): ViewRecords {
  return {
    list: () => records.list(),
    begin: (name) => records.begin(name),
    finish: (view) => records.finish(view),
    forget: (name) => records.forget(name),
    acquire: () => records.acquire(),
    release: (holder) => records.release(holder),
  };
}

describe('a first run', () => {
  test('makes the view of all events, the list of sources and one view per source', async () => {
    const { catalog, sync } = setUp();

    const outcome = await sync.run();

    expect([...catalog.views.keys()]).toEqual(['events', 'sources', 'edge_logs', 'postgres_logs']);
    expect(outcome).toEqual({ replaced: 4, dropped: 0, left: 0 });
  });

  test('reads the landing table alone while nothing is compacted', async () => {
    const { catalog, sync } = setUp();

    await sync.run();

    expect(catalog.views.get('events')).toContain('FROM "log_events"');
    expect(catalog.views.get('events')).not.toContain('log_events_compacted');
  });
});

describe('a later run', () => {
  test('does nothing when nothing changed', async () => {
    const { catalog, sync } = setUp();
    await sync.run();
    catalog.statements.length = 0;

    expect(await sync.run()).toEqual({ replaced: 0, dropped: 0, left: 0 });
    expect(catalog.statements).toEqual([]);
  });

  test('replaces the view of a source that has shown something new', async () => {
    const { catalog, state, sync } = setUp();
    await sync.run();
    const entries = [
      'metadata=object',
      'metadata.response=object',
      'metadata.response.status_code=number',
    ];

    state.schemas[EDGE] = {
      types: { 'metadata.response.status_code': JsonType.int },
      slots: entries,
    };

    expect(await sync.run()).toEqual({ replaced: 1, dropped: 0, left: 0 });
    expect(catalog.views.get('edge_logs')).toContain('AS "response_status_code"');
  });

  test('gives a renamed source its new view before it drops the old one', async () => {
    const { catalog, state, sync } = setUp();
    await sync.run();
    const seen: string[][] = [];
    catalog.onChange = () => seen.push(catalog.of(EDGE));
    state.sources = [aSource(EDGE, 'Edge 2'), aSource(POSTGRES, 'postgres.logs')];

    await sync.run();

    expect(seen.at(0)).toContain('edge_logs');
    expect(seen.every((views) => views.length > 0)).toBe(true);
    expect(catalog.of(EDGE)).toEqual(['edge_2']);
  });

  test('lets two sources swap their names', async () => {
    const { catalog, state, sync } = setUp();
    await sync.run();
    state.sources = [aSource(EDGE, 'postgres.logs'), aSource(POSTGRES, 'edge.logs')];

    await sync.run();

    expect(catalog.of(EDGE)).toEqual(['postgres_logs']);
    expect(catalog.of(POSTGRES)).toEqual(['edge_logs']);
  });

  test('drops the view of a source that was deleted, and no other', async () => {
    const { catalog, records, state, sync } = setUp();
    await sync.run();
    catalog.views.set('somebody_elses', 'SELECT 1');
    state.sources = [aSource(EDGE, 'edge.logs')];

    await sync.run();

    expect([...catalog.views.keys()].sort()).toEqual([
      'edge_logs',
      'events',
      'somebody_elses',
      'sources',
    ]);
    expect(records.views.map(({ name }) => name).sort()).toEqual([
      'edge_logs',
      'events',
      'sources',
    ]);
  });

  test('follows the watermark in the view of all events alone', async () => {
    const { catalog, state, sync } = setUp();
    await sync.run();
    state.watermark = Date.UTC(2026, 1, 3, 6);

    expect(await sync.run()).toEqual({ replaced: 1, dropped: 0, left: 0 });
    const events = catalog.views.get('events');
    expect(events).toContain("landed_hour < TIMESTAMP '2026-02-03 06:00:00'");
    expect(events).toContain("(dt > DATE '2026-02-03' OR (dt = DATE '2026-02-03' AND hour >= 6))");
  });

  test('brings back after a day what a person dropped', async () => {
    const { catalog, clock, sync } = setUp();
    await sync.run();
    catalog.views.delete('edge_logs');
    await sync.run();
    expect(catalog.of(EDGE)).toEqual([]);

    clock.advance(REMAKE_MS);
    await sync.run();

    expect(catalog.of(EDGE)).toEqual(['edge_logs']);
  });
});

describe('names of sources', () => {
  test('are data and not SQL', async () => {
    const { catalog, state, sync } = setUp();
    state.sources = [aSource(EDGE, `x'), ('"; DROP VIEW events --`)];

    await sync.run();

    expect(catalog.views.get('sources')).toContain(
      `(CAST('${EDGE}' AS varchar), CAST('x''), (''"; DROP VIEW events --' AS varchar), CAST('x_________drop_view_events___' AS varchar))`,
    );
  });

  test('that no statement can hold together are not listed, and the log says so', async () => {
    const { catalog, logger, state, sync } = setUp();
    state.sources = Array.from({ length: 1_000 }, (_, i) =>
      aSource(
        `${String(i).padStart(8, '0')}-0000-4000-8000-000000000000`,
        `${i} ${'x'.repeat(240)}`,
      ),
    );

    const { replaced } = await sync.run();

    expect(replaced).toBe(1_001);
    expect(catalog.views.has('sources')).toBe(false);
    expect(logger.at('warn')).toHaveLength(1);
  });
});

describe('a statement that fails', () => {
  function setUpFailing(pattern: RegExp) {
    const catalog = new ModelCatalog();
    const fault = { pattern: pattern as RegExp | undefined };
    const statements = {
      run: async (text: string) => {
        if (fault.pattern?.test(text)) throw new ServiceError('query_failed', 502, 'It failed.');
        await catalog.run(text);
      },
    };
    return { ...setUp({ statements }), catalog, fault };
  }

  test('stops no other view, is told, and is tried again by the next run', async () => {
    const { catalog, fault, logger, sync } = setUpFailing(/"edge_logs"/);

    await expect(sync.run()).rejects.toMatchObject({ code: 'views_incomplete', status: 502 });
    expect([...catalog.views.keys()]).toEqual(['events', 'sources', 'postgres_logs']);
    expect(logger.at('error')[0]?.fields).toMatchObject({ view: 'edge_logs', kind: 'replace' });

    fault.pattern = undefined;
    expect(await sync.run()).toMatchObject({ replaced: 1 });
    expect(catalog.of(EDGE)).toEqual(['edge_logs']);
  });

  test('at the first try leaves nothing to drop: a table of an analyst may have the name', async () => {
    const { catalog, fault, records, state, sync } = setUpFailing(/"edge_logs"/);
    await expect(sync.run()).rejects.toMatchObject({ code: 'views_incomplete' });
    expect(records.views.map(({ name }) => name)).not.toContain('edge_logs');

    state.sources = [aSource(EDGE, 'edge 2'), aSource(POSTGRES, 'postgres.logs')];
    fault.pattern = /"edge_logs"/;

    expect(await sync.run()).toMatchObject({ dropped: 0 });
    expect(catalog.of(EDGE)).toEqual(['edge_2']);
  });

  test('about the view of all events ends the run: others read it', async () => {
    const { catalog, sync } = setUpFailing(/^CREATE OR REPLACE VIEW "events"/);

    await expect(sync.run()).rejects.toMatchObject({ code: 'views_incomplete' });

    expect([...catalog.views.keys()]).toEqual(['sources']);
  });
});

test('a registry that does not answer ends the run, and the next one may begin', async () => {
  const records = new MemoryRecords();
  const unavailable = new ServiceError('registry_unavailable', 503, 'Try again.');
  const broken = { ...bound(records), finish: () => Promise.reject(unavailable) };
  const { catalog } = setUp();

  await expect(setUp({ records: broken, statements: catalog }).sync.run()).rejects.toBe(
    unavailable,
  );

  expect(await setUp({ records, statements: catalog }).sync.run()).toMatchObject({ replaced: 4 });
});

describe('two runs at once', () => {
  test('follow each other', async () => {
    const records = new MemoryRecords();
    const other = await records.acquire();
    const naps: number[] = [];
    const sleep = async (ms: number) => {
      naps.push(ms);
      if (naps.length === 2) await records.release(other ?? '');
    };
    const { sync } = setUp({ records, sleep });

    expect(await sync.run()).toMatchObject({ replaced: 4 });
    expect(naps).toHaveLength(2);
  });

  test('do not wait for ever', async () => {
    const { records, sync } = setUp();
    await records.acquire();

    await expect(sync.run()).rejects.toMatchObject({ code: 'views_busy', status: 503 });
  });
});

test('what does not fit into one run is left to the next', async () => {
  const clock = new TestClock();
  const catalog = new ModelCatalog();
  const run = async (text: string) => {
    clock.advance(RUN_MS / 2);
    await catalog.run(text);
  };
  const { sync } = setUp({ clock, statements: { run } });

  expect(await sync.run()).toEqual({ replaced: 2, dropped: 0, left: 2 });
  expect(await sync.run()).toEqual({ replaced: 2, dropped: 0, left: 0 });
});
