import { describe, expect, test } from 'vitest';
import { newEventId } from '../../../src/ingest/event/event-id.ts';
import { isUuid } from '../../../src/platform/uuid.ts';

const NOW_MS = Date.UTC(2026, 10, 22, 12, 30, 15, 123);

describe('newEventId', () => {
  test('is a UUID of version 7 with the time of the event', () => {
    const id = newEventId(NOW_MS);

    expect(isUuid(id)).toBe(true);
    expect(id.slice(0, 13).replace('-', '')).toBe(NOW_MS.toString(16).padStart(12, '0'));
    expect(id).toMatch(/^.{14}7.{4}[89ab]/);
  });

  test.each([
    ['the epoch', 0, '00000000-0000-7'],
    ['before the epoch', -1, '00000000-0000-7'],
    ['a time that fills all digits', 0xabcdef01_2345, 'abcdef01-2345-7'],
  ])('writes %s', (_name, ms, start) => {
    expect(newEventId(ms).startsWith(start)).toBe(true);
  });

  test('never gives an id twice, also past the end of its counter', () => {
    const ids = new Set(Array.from({ length: 20_000 }, () => newEventId(NOW_MS)));

    expect(ids.size).toBe(20_000);
  });

  test('draws other random bits once its counter has gone round', () => {
    const tails = new Set(Array.from({ length: 3 * 0x1000 }, () => newEventId(NOW_MS).slice(18)));

    expect(tails.size).toBeGreaterThanOrEqual(3);
  });
});
