import { expect, test } from 'vitest';
import { NOW_US } from '../../ingest/support.ts';
import { storedEvents } from './support.ts';

/** The times that events of a list are stored with, in microseconds. */
async function times(...timestamps: readonly string[]): Promise<unknown[]> {
  const events = timestamps.map((timestamp) => `{"message":"x","timestamp":${timestamp}}`);
  const stored = await storedEvents({ body: `[${events.join()}]` });
  return stored.map(({ timestamp }) => timestamp);
}

/** Timestamps as JSON, so that all digits are sent. */
test.each([
  { fact: 48, what: '16 digits are microseconds', json: '1714003200123456', us: 1714003200123456 },
  { fact: 49, what: '13 digits are milliseconds', json: '1714003200123', us: 1714003200123000 },
  { fact: 50, what: '10 digits are seconds', json: '1714003200', us: 1714003200000000 },
  {
    fact: 51,
    what: '19 digits are nanoseconds, cut off',
    json: '1714003200123456987',
    us: 1714003200123456,
  },
  { fact: 52, what: '7 digits are thousands of seconds', json: '1714003', us: 1714003000000000 },
  { fact: 53, what: 'other counts of digits are microseconds', json: '86400', us: 86400 },
  { fact: 54, what: 'zero is the epoch', json: '0', us: 0 },
  {
    fact: 56,
    what: 'a text is an instant in UTC',
    json: '"2024-04-25T01:02:03Z"',
    us: 1714006923000000,
  },
  {
    fact: 57,
    what: 'with an offset and microseconds, too',
    json: '"2024-04-25T06:32:03.000456+05:30"',
    us: 1714006923000456,
  },
  {
    fact: 58,
    what: 'with a space and nanoseconds, which are cut off',
    json: '"2024-04-25 01:02:03.987654999Z"',
    us: 1714006923987654,
  },
])('$fact $what', async ({ json, us }) => {
  expect(await times(json)).toEqual([us]);
});

test('55 what says no time has the time of arrival', async () => {
  const said = ['-7', '""', '"last Tuesday"', '[2024,4,25]', 'null', 'true', '{"s":1}'];

  expect(await times(...said)).toEqual(said.map(() => NOW_US));
});
