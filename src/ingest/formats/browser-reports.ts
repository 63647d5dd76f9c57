import type { IngestFormat } from '../decode/format.ts';
import { jsonFormat } from './json.ts';

/**
 * What browsers report: a list of reports (Reporting API) or a single one (`report-uri` of a Content
 * Security Policy), each stored as `/json` stores any event (Logflare 1.50).
 */
export const browserReportsFormat: IngestFormat = {
  path: '/browser/reports',
  decode: jsonFormat.decode,
};
