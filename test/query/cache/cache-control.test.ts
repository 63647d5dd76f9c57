import { describe, expect, test } from 'vitest';
import { acceptedAge } from '../../../src/query/cache/cache-control.ts';

describe('acceptedAge', () => {
  test.each([
    [undefined, undefined],
    ['', undefined],
    ['no-transform', undefined],
    ['max-age=soon', undefined],
    ['max-age=-1', undefined],
    ['no-cache', 0],
    ['No-Cache', 0],
    ['max-age=30', 30],
    ['max-age="30"', 30],
    ['max-age=30, max-age=10', 10],
    ['max-age=30, no-cache', 0],
    ['  no-transform ,MAX-AGE=5 ', 5],
  ])('reads %j as %j', (header, expected) => {
    expect(acceptedAge(header)).toBe(expected);
  });
});
