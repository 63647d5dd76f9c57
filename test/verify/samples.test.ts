import { expect, test } from 'vitest';
import { FORMATS } from '../../src/ingest/formats/index.ts';
import { samples } from '../../src/verify/samples/samples.ts';

test('every ingest format is sent', () => {
  const sent = new Set(samples('run', Date.now()).map(({ format }) => format));

  const missing = FORMATS.map(({ path }) => path).filter((path) => !sent.has(path));

  expect(missing).toEqual([]);
});
