import { describe, expect, test } from 'vitest';
import { ReadCache, type ReadCacheOptions } from '../../src/platform/read-cache.ts';
import { ManualClock } from '../support/registry.ts';

function setUp(options: Partial<ReadCacheOptions> = {}) {
  const clock = new ManualClock();
  const cache = new ReadCache<string | null>({
    clock,
    ttlMs: 1_000,
    maxEntries: 100,
    random: () => 0,
    ...options,
  });
  const loads: string[] = [];
  const get = (key: string, value: string | null = key) =>
    cache.get(key, async () => {
      loads.push(key);
      return value;
    });
  return { clock, cache, loads, get };
}

describe('a value', () => {
  test('is loaded once while it is fresh', async () => {
    const { clock, loads, get } = setUp();
    await get('a');
    clock.advance(999);

    expect(await get('a', 'newer')).toBe('a');
    expect(loads).toEqual(['a']);
  });

  test('is loaded again when its time is over', async () => {
    const { clock, get } = setUp();
    await get('a');
    clock.advance(1_000);

    expect(await get('a', 'newer')).toBe('newer');
  });

  test('is loaded up to a fifth of its time sooner, so that instances do not ask together', async () => {
    const { clock, loads, get } = setUp({ random: () => 1 });
    await get('a');
    clock.advance(799);
    await get('a');
    clock.advance(1);

    expect(await get('a', 'newer')).toBe('newer');
    expect(loads).toEqual(['a', 'a']);
  });

  test('ages from the start of its load, since it may be old on arrival', async () => {
    const { clock, cache, get } = setUp();
    await cache.get('a', async () => {
      clock.advance(1_000);
      return 'slow';
    });

    expect(await get('a', 'newer')).toBe('newer');
  });

  test('is loaded again when the clock was set back, since its age is not known any more', async () => {
    const { clock, get } = setUp();
    await get('a');
    clock.advance(-3_600_000);

    expect(await get('a', 'newer')).toBe('newer');
  });

  test('may be that there is none', async () => {
    const { loads, get } = setUp();
    await get('a', null);

    expect(await get('a', null)).toBeNull();
    expect(loads).toEqual(['a']);
  });
});

test('lookups at the same time share one load', async () => {
  const { loads, get } = setUp({ ttlMs: 0 });

  const values = await Promise.all([get('a'), get('a'), get('b'), get('a')]);

  expect(values).toEqual(['a', 'a', 'b', 'a']);
  expect(loads).toEqual(['a', 'b']);
});

test('a failure reaches all who wait for it and is not kept', async () => {
  const { cache, get } = setUp();
  const fail = () => cache.get('a', () => Promise.reject(new Error('down')));

  const results = await Promise.allSettled([fail(), fail()]);

  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await get('a')).toBe('a');
});

describe('a value that may be stale', () => {
  function setUpStale() {
    const reports: unknown[] = [];
    const parts = setUp({
      stale: {
        maxAgeMs: 5_000,
        isPassing: (error) => (error as Error).message === 'busy',
        report: (key, ageMs, error) => reports.push([key, ageMs, String(error)]),
      },
    });
    const fail = (message = 'busy') =>
      parts.cache.get('a', () => {
        parts.loads.push('failed');
        return Promise.reject(new Error(message));
      });
    return { ...parts, reports, fail };
  }

  test('stands in for loads that fail, one in its time, until it is too old', async () => {
    const { clock, loads, reports, get, fail } = setUpStale();
    await get('a');
    for (let ms = 0; ms < 4_500; ms += 500) {
      clock.advance(500);
      expect(await fail()).toBe('a');
    }
    clock.advance(500);

    await expect(fail()).rejects.toThrow('busy');
    expect(loads).toEqual(['a', ...Array(5).fill('failed')]);
    expect(reports.at(-1)).toEqual(['a', 4_000, 'Error: busy']);
    expect(reports).toHaveLength(4);
  });

  test('is too old when the load that failed took that long', async () => {
    const { clock, cache, get } = setUpStale();
    await get('a');
    clock.advance(1_000);

    const slow = cache.get('a', async () => {
      clock.advance(4_000);
      throw new Error('busy');
    });

    await expect(slow).rejects.toThrow('busy');
  });

  test('reaches all who wait for the load', async () => {
    const { clock, get, fail } = setUpStale();
    await get('a');
    clock.advance(1_000);

    expect(await Promise.all([fail(), fail()])).toEqual(['a', 'a']);
  });

  test('makes way for what the next load finds', async () => {
    const { clock, get, fail } = setUpStale();
    await get('a');
    clock.advance(1_000);
    await fail();
    clock.advance(1_000);

    expect(await get('a', 'newer')).toBe('newer');
  });

  test('does not stand in for a failure that stays', async () => {
    const { clock, get, fail } = setUpStale();
    await get('a');
    clock.advance(1_000);

    await expect(fail('forbidden')).rejects.toThrow('forbidden');
  });

  test('does not stand in when it was forgotten, or when the clock was set back', async () => {
    const { clock, cache, get, fail } = setUpStale();
    await get('a');
    cache.forget('a');
    await expect(fail()).rejects.toThrow('busy');

    await get('a');
    clock.advance(-3_600_000);
    await expect(fail()).rejects.toThrow('busy');
  });
});

describe('a forgotten value', () => {
  test('is loaded again', async () => {
    const { cache, get } = setUp();
    await get('a');

    cache.forget('a');

    expect(await get('a', 'newer')).toBe('newer');
  });

  test('does not come back with a load that was under way', async () => {
    const { cache, get } = setUp();
    const { promise, resolve } = Promise.withResolvers<string>();
    const older = cache.get('a', () => promise);
    cache.forget('a');
    const newer = get('a', 'newer');

    resolve('older');
    await older;

    expect(await newer).toBe('newer');
    expect(await get('a', 'never loaded')).toBe('newer');
  });

  test('is not forgotten again when the older load fails', async () => {
    const { cache, get } = setUp();
    const { promise, reject } = Promise.withResolvers<string>();
    const older = cache.get('a', () => promise);
    cache.forget('a');
    await get('a', 'newer');

    reject(new Error('down'));

    await expect(older).rejects.toThrow('down');
    expect(await get('a', 'never loaded')).toBe('newer');
  });
});

test('all values can be forgotten at once', async () => {
  const { cache, loads, get } = setUp();
  await get('a');
  await get('b');

  cache.clear();
  await get('a');
  await get('b');

  expect(loads).toEqual(['a', 'b', 'a', 'b']);
});

test('when it is full, the value that was not asked for the longest makes room', async () => {
  const { loads, get } = setUp({ maxEntries: 2 });
  await get('a');
  await get('b');
  await get('a');

  await get('c');

  await get('a');
  await get('b');
  expect(loads).toEqual(['a', 'b', 'c', 'b']);
});
