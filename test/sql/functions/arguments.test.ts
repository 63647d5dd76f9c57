import { describe, expect, test } from 'vitest';
import type { ParameterKind } from '../../../src/sql/functions/common/function.ts';
import { AGGREGATES, SIMPLE, SPECIAL } from '../../../src/sql/functions/table.ts';
import { sqlBench } from '../support.ts';

/** Names of scalar functions with the most arguments that they take. */
const SCALARS: readonly (readonly [string, number])[] = [
  ...[...SIMPLE.values()].map(
    ({ name, parameters, variadic }) =>
      [name, variadic ? Number.POSITIVE_INFINITY : parameters.length] as const,
  ),
  ...[...SPECIAL.values()].map(({ name, takes }) => [name, takes[1]] as const),
];
const VARIADIC = SCALARS.filter(([, most]) => most === Number.POSITIVE_INFINITY);
const BOUNDED = SCALARS.filter(([, most]) => most !== Number.POSITIVE_INFINITY);

const nulls = (count: number): string => Array.from({ length: count }, () => 'NULL').join(', ');

/** What may stand in the call of an aggregate, and where its signature says so. */
const MODIFIERS: readonly (readonly [
  documented: string,
  call: (name: string, args: string, over: string) => string,
])[] = [
  ['[DISTINCT]', (name, args, over) => `${name}(distinct ${args})${over}`],
  ['IGNORE NULLS', (name, args, over) => `${name}(${args} ignore nulls)${over}`],
  ['RESPECT NULLS', (name, args, over) => `${name}(${args} respect nulls)${over}`],
  ['ORDER BY ..', (name, args, over) => `${name}(${args} order by x)${over}`],
  ['LIMIT n', (name, args, over) => `${name}(${args} limit 1)${over}`],
  ['SAFE.', (name, args, over) => `safe.${name}(${args})${over}`],
];

const VALUES: Readonly<Partial<Record<ParameterKind, string>>> = {
  string: "'a'",
  bool: 'true',
  timestamp: "timestamp '2026-02-03'",
};

describe('what a call has beyond what its function takes', () => {
  const bench = sqlBench({});
  const refusal = (sql: string): string => {
    try {
      bench.compile(sql);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
    return 'compiles';
  };

  test.each(BOUNDED)('%s takes no more than %d arguments', (name, most) => {
    const sql = `select ${name}(${nulls(most + 1)})`;
    expect(refusal(sql)).toMatch(new RegExp(`^${name.toUpperCase()} takes .*, not ${most + 1}`));
  });

  test.each(VARIADIC)('%s says that it takes any number of arguments', (name) => {
    const fn = SIMPLE.get(name) ?? SPECIAL.get(name);
    expect(fn?.doc.signatures.join()).toContain('[, ...]');
  });

  test.each(SCALARS)('%s takes nothing that belongs to aggregates', (name) => {
    const modified = [
      ...MODIFIERS.slice(0, -1).map(([, call]) => call(name, 'NULL', '')),
      `${name}(*)`,
      `${name}(NULL) filter (where true)`,
      `${name}(NULL) over ()`,
    ];
    for (const call of modified) {
      expect(refusal(`select ${call}`), call).toContain(
        `${name.toUpperCase()} is not an aggregate function: it takes no`,
      );
    }
  });

  test.each([...AGGREGATES.values()])('$name takes what its signature says', (fn) => {
    const { name, parameters, doc, windowOnly, required } = fn;
    const over = windowOnly ? ' over (order by x)' : '';
    const args = parameters
      .slice(0, required)
      .map((kind, i) => VALUES[kind] ?? (i === 0 ? 'x' : '1'));
    const from = 'from unnest([1, 2]) as x';
    const tooMany = `select ${name}(${nulls(parameters.length + 1)})${over} ${from}`;
    expect(refusal(tooMany)).toMatch(new RegExp(`^${name.toUpperCase()} takes .*, not`));
    for (const [documented, call] of MODIFIERS) {
      const modified = call(name, args.join(), over);
      const takes = doc.signatures.some((signature) => signature.includes(documented));
      expect(refusal(`select ${modified} ${from}`), modified).toMatch(
        takes ? /^compiles$/ : new RegExp(name, 'i'),
      );
    }
    if (name !== 'count') {
      expect(refusal(`select ${name}(*)${over} ${from}`)).toContain(`${name.toUpperCase()}(*)`);
    }
    if (windowOnly) {
      const filtered = `select ${name}(${args}) filter (where true)${over} ${from}`;
      expect(refusal(filtered)).toContain(`${name.toUpperCase()} takes no FILTER`);
    }
  });
});
