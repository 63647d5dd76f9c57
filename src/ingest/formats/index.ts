/** Every ingest format: one file, one row here. */
import { browserReportsFormat } from './browser-reports.ts';
import { cloudEventFormat } from './cloud-event.ts';
import type { IngestFormat } from './format.ts';
import { githubFormat } from './github.ts';
import { jsonFormat } from './json.ts';
import { rawFormat } from './raw.ts';

export type { DecodedEvents, DecodeInput, IngestFormat, SourceHint } from './format.ts';

export const FORMATS: readonly IngestFormat[] = [
  rawFormat,
  jsonFormat,
  browserReportsFormat,
  cloudEventFormat,
  githubFormat,
];
