import { JsonType, slotsOf, sourceSchema } from '../../../src/lake/schema/schema.ts';
import { bindStatement } from '../../../src/sql/bind/bind-statement.ts';
import type { CteNode, Expr, Ir, Output, QueryNode, ScanNode } from '../../../src/sql/ir/ir.ts';
import { PASSES, runPass } from '../../../src/sql/optimize/optimize.ts';
import { deepFreeze } from '../../support/deep-freeze.ts';

const TYPES = {
  metadata: JsonType.object,
  'metadata.path': JsonType.string,
  'metadata.status': JsonType.int,
  'metadata.tags': JsonType.list,
};

/** What a source has shown: a path of a text, one of a number, and a list, which has no slot. */
const SCHEMA = sourceSchema({ types: TYPES, slots: slotsOf(TYPES).entries });

/** A statement as the binder gives it, in which nothing can be changed. */
export function bound(sql: string): Ir {
  const { ir } = bindStatement({
    sql,
    catalog: { source: (name) => ({ id: name, name, schema: SCHEMA }) },
    parameters: {},
    nowUs: 0,
    maxRows: 100,
  });
  return deepFreeze(ir);
}

/** The statement behind the passes of these names, in which nothing can be changed either. */
export function passed(sql: string, ...names: readonly string[]): Ir {
  return names.reduce((ir, name) => {
    const pass = PASSES.find((each) => each.name === name);
    if (pass === undefined) throw new Error(`There is no pass ${name}.`);
    return deepFreeze(runPass(ir, pass));
  }, bound(sql));
}

/** Numbers behind names are taken off: they say only how many there were before. */
export const plain = (name: string): string => name.replace(/_\d+$/, '');

export const names = (outputs: readonly Output[]): string[] =>
  outputs.map(({ name }) => plain(name));

/** The expressions of a query's outputs. */
export const exprs = ({ outputs }: QueryNode): Expr[] => outputs.flatMap(({ expr }) => expr ?? []);

export function only<T>([first, ...others]: readonly T[]): T {
  if (first === undefined || others.length > 0)
    throw new Error('There is not one, but another number.');
  return first;
}

export const cte = ({ ctes }: Ir): CteNode => only(ctes);
export const scan = ({ scans }: Ir): ScanNode => only(scans);
