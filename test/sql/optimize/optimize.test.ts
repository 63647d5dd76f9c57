import { describe, expect, test } from 'vitest';
import { PASSES, runPass } from '../../../src/sql/optimize/optimize.ts';
import { bound, passed } from './support.ts';

describe('the order of passes', () => {
  test('is this', () => {
    expect(PASSES.map(({ name }) => name)).toEqual([
      'prune_partitions',
      'push_paths',
      'keep_live_columns',
    ]);
  });

  test('columns that paths will need are not left out before', () => {
    expect(() => passed('select id from logs', 'keep_live_columns', 'push_paths')).toThrow(
      /comes before/,
    );
  });

  test('a statement says which passes made it', () => {
    const [first] = PASSES;
    const ir = bound('select id from logs');

    expect(first && runPass(ir, first).passes).toEqual(['prune_partitions']);
    expect(ir.passes).toEqual([]);
  });
});
