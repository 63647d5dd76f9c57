import { describe, expect, test } from 'vitest';
import { readEnvironment } from '../../../lambdas/shared/environment.ts';
import { INGEST, QUERYING } from '../variables.ts';

describe("reading a function's environment", () => {
  test('turns numbers into numbers and leaves out what it does not know', () => {
    expect(readEnvironment('query', { ...QUERYING, AWS_REGION: 'eu-west-1' })).toEqual({
      ...QUERYING,
      LANDING_STREAM: ['landing'],
      MAX_FILING_DELAY_SECONDS: 1_200,
      CACHED_RESULT_BYTES: 8_388_608,
      COMPRESS_RECORDS: true,
    });
  });

  test('takes several landing streams', () => {
    const { LANDING_STREAM } = readEnvironment('query', { ...QUERYING, LANDING_STREAM: 'a,b,c' });

    expect(LANDING_STREAM).toEqual(['a', 'b', 'c']);
  });

  test('takes records for plain while an update has not set the variable yet', () => {
    const { COMPRESS_RECORDS: _, ...before } = INGEST;

    expect(readEnvironment('ingest', before).COMPRESS_RECORDS).toBe(false);
    expect(readEnvironment('ingest', INGEST).COMPRESS_RECORDS).toBe(true);
  });

  test('names every variable that is missing', () => {
    expect(() => readEnvironment('ingest', { LOG_LEVEL: 'warn' })).toThrow(
      /^The environment of the ingest function is not valid:\n[\s\S]*REGISTRY_TABLE[\s\S]*LANDING_STREAM/,
    );
  });

  test.each([
    ['MAX_FILING_DELAY_SECONDS', '5 minutes'],
    ['MAX_FILING_DELAY_SECONDS', '0'],
    ['LOG_LEVEL', 'loud'],
    ['CACHE_TABLE', ''],
    ['LANDING_STREAM', ''],
    ['LANDING_STREAM', 'landing,'],
    ['COMPRESS_RECORDS', '1'],
  ])('does not take %s=%j', (name, value) => {
    expect(() => readEnvironment('query', { ...QUERYING, [name]: value })).toThrow(name);
  });
});
