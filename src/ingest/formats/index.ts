/** Every ingest format: one file, one row here. */
import { cloudflareFormat } from './cloudflare.ts';
import type { IngestFormat } from './format.ts';
import { jsonFormat } from './json.ts';
import { rawFormat } from './raw.ts';
import { typecastsFormat } from './typecasts.ts';
import { vectorFormat } from './vector.ts';

export type { BodyParser, DecodedEvents, DecodeInput, IngestFormat, SourceHint } from './format.ts';

export const FORMATS: readonly IngestFormat[] = [
  rawFormat,
  jsonFormat,
  cloudflareFormat,
  typecastsFormat,
  vectorFormat,
];
