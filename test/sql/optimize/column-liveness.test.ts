import { describe, expect, test } from 'vitest';
import type { Ir, QueryNode } from '../../../src/sql/ir/ir.ts';
import { bound, cte, names, passed, scan } from './support.ts';

const kept = (sql: string): Ir => passed(sql, 'push_paths', 'keep_live_columns');

/** The outputs of the one CTE that are left. */
const keptOf = (sql: string): string[] => names(cte(kept(sql)).query.outputs);

describe('columns that nothing reads are left out', () => {
  test('bound, a scan reads every column', () => {
    expect(scan(bound('select id from logs')).columns).toBeUndefined();
  });

  test('a scan reads what its query says, wherever it says it', () => {
    const sql = "select id from logs where event_message = 'x' order by timestamp, project";

    expect(new Set(scan(kept(sql)).columns)).toEqual(
      new Set(['id', 'event_message', 'timestamp_us', 'project']),
    );
  });

  test('a CTE puts out what any of its readers reads', () => {
    const sql = `with l as (select id, project, event_message, metadata from logs)
      select id from l union all select project from l`;

    expect(keptOf(sql)).toEqual(['id', 'project']);
    expect(scan(kept(sql)).columns).toEqual(['id', 'project']);
  });

  test('what is read in a subquery of an expression is read', () => {
    const sql = `with l as (select id, project, event_message from logs)
      select 1 as one from unnest([1]) as x where exists (select id from l where project = 'p')`;

    expect(keptOf(sql)).toEqual(['project']);
  });

  test('an ORDER BY of an output that is left out becomes one of its expression', () => {
    const { query } = cte(
      kept('with l as (select id, project from logs order by project limit 2) select id from l'),
    );

    expect(names(query.outputs)).toEqual(['id']);
    expect(query.orderBy).toMatchObject([{ by: { expr: { column: { name: 'project' } } } }]);
  });

  test.each([
    ['DISTINCT', 'select distinct id, project from logs'],
    ['UNION DISTINCT', 'select id, project from logs union distinct select id, project from logs'],
    ['EXCEPT', 'select id, project from logs except distinct select id, project from logs'],
    [
      'the LIMIT of a UNION ALL in the order of a column that nothing else reads',
      'select id, project from logs union all select id, project from logs order by 2 limit 3',
    ],
    [
      'an OFFSET of it',
      'select id, project from logs union all select id, project from logs order by 2 limit 9 offset 1',
    ],
    [
      'the LIMIT of a query in parentheses',
      '(select id, project from logs limit 9) order by project limit 3',
    ],
  ])('all are kept where the rows depend on them: %s', (_what, sql) => {
    expect(keptOf(`with l as (${sql}) select id from l`)).toEqual(['id', 'project']);
  });

  test('a UNION ALL keeps one where only its rows are counted, and in both arms the same', () => {
    const { query } = cte(
      kept(`with l as (select id, project from logs union all select id, project from logs)
        select count(*) as n from l`),
    );
    const arms: readonly QueryNode[] =
      query.body.kind === 'set' ? [query.body.left, query.body.right] : [];

    expect([query, ...arms].map(({ outputs }) => names(outputs))).toEqual([['id'], ['id'], ['id']]);
  });
});
