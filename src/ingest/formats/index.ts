/** Every ingest format: one file, one row here. */
import type { IngestFormat } from './format.ts';
import { jsonFormat } from './json.ts';
import { rawFormat } from './raw.ts';
import { SYSLOG_FORMATS } from './syslog.ts';

export type { DecodedEvents, DecodeInput, IngestFormat, SourceHint } from './format.ts';

export const FORMATS: readonly IngestFormat[] = [rawFormat, jsonFormat, ...SYSLOG_FORMATS];
