import { describe, expect, test } from 'vitest';
import { bound, cte, exprs, names, passed } from './support.ts';

const UNNESTED = 'cross join unnest(metadata) as m';

describe('paths of JSON go as near to the lake as they can', () => {
  test('bound, a path is a path of the text, of the type that its source has shown', () => {
    const { root } = bound(`select m.status from logs ${UNNESTED}`);

    expect(exprs(root)).toMatchObject([
      { op: 'json_path', type: { kind: 'int64' }, path: ['status'], text: { op: 'column' } },
    ]);
  });

  test('a path of a scan is read from its slot', () => {
    const { root } = passed(`select m.path from logs ${UNNESTED}`, 'push_paths');

    expect(exprs(root)).toMatchObject([{ op: 'column', column: { name: 's001' } }]);
  });

  test('a path without slot is read from the text', () => {
    const { root } = passed("select json_value(metadata, '$.other') from logs", 'push_paths');

    expect(exprs(root)).toMatchObject([
      { op: 'json_path', text: { column: { name: 'metadata' } } },
    ]);
  });

  test('a path of a CTE is an output of it', () => {
    const ir = passed(
      `with l as (select metadata from logs) select m.path from l ${UNNESTED}`,
      'push_paths',
    );

    expect(names(cte(ir).query.outputs)).toEqual(['metadata', 'path', 'value']);
    expect(exprs(cte(ir).query)[1]).toMatchObject({ op: 'column', column: { name: 's001' } });
    expect(exprs(ir.root)).toMatchObject([
      { op: 'column', column: { name: cte(ir).query.outputs[1]?.name } },
    ]);
  });

  test('two who ask for one path get one output', () => {
    const ir = passed(
      `with l as (select metadata from logs)
       select m.path from l ${UNNESTED} union all select m.path from l ${UNNESTED}`,
      'push_paths',
    );

    expect(names(cte(ir).query.outputs)).toEqual(['metadata', 'path', 'value']);
  });

  test('both arms of UNION ALL compute it', () => {
    const ir = passed(
      `with l as (select metadata from logs union all select metadata from others)
       select m.path from l ${UNNESTED}`,
      'push_paths',
    );
    const { body } = cte(ir).query;

    const arms = body.kind === 'set' ? [body.left, body.right] : [];
    expect(arms.map(({ outputs }) => names(outputs))).toEqual([
      ['metadata', 'path', 'value'],
      ['metadata', 'path', 'value'],
    ]);
  });

  test.each([
    'select distinct metadata from logs',
    'select any_value(metadata) as metadata from logs',
    'select metadata from logs union distinct select metadata from logs',
  ])('a query whose rows would change computes none: %s', (sql) => {
    const ir = passed(
      `with l as (${sql}) select m.path from l, unnest(metadata) as m`,
      'push_paths',
    );

    expect(cte(ir).query.outputs).toHaveLength(1);
  });
});
