/** Every ingest format: one file, one row here. */

import type { IngestFormat } from '../decode/format.ts';
import { cloudWatchLogsFormat } from './aws/cloudwatch-logs.ts';
import { firehoseFormat } from './aws/firehose.ts';
import { browserReportsFormat } from './browser-reports.ts';
import { cloudEventFormat } from './cloud-event.ts';
import { cloudflareFormat } from './cloudflare.ts';
import { datadogFormat, datadogV1Format } from './datadog.ts';
import {
  elasticsearchBulkFormat,
  elasticsearchDocumentFormat,
  elasticsearchIndexBulkFormat,
} from './elasticsearch/elasticsearch.ts';
import { gelfFormat } from './gelf.ts';
import { githubFormat } from './github.ts';
import { jsonFormat } from './json.ts';
import { lokiFormat } from './loki/loki.ts';
import { netlifyFormat } from './netlify.ts';
import { otlpLogsFormat } from './otlp/otlp-logs.ts';
import { otlpMetricsFormat } from './otlp/otlp-metrics.ts';
import { otlpTracesFormat } from './otlp/otlp-traces.ts';
import { elixirFormat, rawFormat } from './raw.ts';
import { HEC_FORMATS } from './splunk/hec.ts';
import { SYSLOG_FORMATS } from './syslog/syslog.ts';
import { telegrafFormat } from './telegraf.ts';
import { typecastsFormat } from './typecasts.ts';
import { vectorFormat } from './vector.ts';
import { vercelFormat, zeitFormat } from './vercel.ts';

export const FORMATS: readonly IngestFormat[] = [
  rawFormat,
  elixirFormat,
  jsonFormat,
  vercelFormat,
  zeitFormat,
  netlifyFormat,
  browserReportsFormat,
  cloudEventFormat,
  githubFormat,
  ...SYSLOG_FORMATS,
  cloudflareFormat,
  typecastsFormat,
  vectorFormat,
  telegrafFormat,
  firehoseFormat,
  cloudWatchLogsFormat,
  otlpLogsFormat,
  otlpTracesFormat,
  otlpMetricsFormat,
  lokiFormat,
  elasticsearchBulkFormat,
  elasticsearchIndexBulkFormat,
  elasticsearchDocumentFormat,
  ...HEC_FORMATS,
  datadogFormat,
  datadogV1Format,
  gelfFormat,
];
