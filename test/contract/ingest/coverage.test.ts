import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { ascending, documentedUnder, range, testedIn } from '../facts.ts';

const FACTS = range(1, 149);

/** Tests in other folders that show facts, too; each names its fact in the title: `fact 133`. */
const ELSEWHERE: readonly string[] = [
  'test/http/routes/ingest/limits.test.ts',
  'test/http/routes/ingest/otlp.test.ts',
  'test/ingest/formats/otlp/otlp-logs.test.ts',
  'test/ingest/formats/otlp/otlp-metrics.test.ts',
  'test/ingest/formats/otlp/otlp-traces.test.ts',
  'test/ingest/transforms/messages.test.ts',
  'test/ingest/routing/routing.test.ts',
  'test/ingest/transforms/transforms.test.ts',
];

const files = readdirSync(import.meta.dirname).filter(
  (name) => name.endsWith('.test.ts') && name !== 'coverage.test.ts',
);
const tested = (file: string) => testedIn(`test/contract/ingest/${file}`);
const differences = files.filter((name) => name.startsWith('differences')).flatMap(tested);
/** Once each, because there several tests may show one fact. */
const elsewhere = [...new Set(ELSEWHERE.flatMap(testedIn))];
const documented = documentedUnder('Facts of ingest');

test('every fact has one test', () => {
  expect(ascending([...files.flatMap(tested), ...elsewhere])).toEqual(FACTS);
});

test('what the tests of differences show is documented, and nothing else', () => {
  const shownHere = documented.filter((fact) => !elsewhere.includes(fact));

  expect(ascending(shownHere)).toEqual(ascending(differences));
});
