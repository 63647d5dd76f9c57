/** What AWS Lambda's text format puts into one log event (AWS Lambda's log format). */

import type { Fields } from '../../../platform/json/fields.ts';
import { EmbeddedJson } from '../../decode/embedded-json.ts';
import { ValueBudget } from '../../event/max-values.ts';
import { END, firstWord, PRINTED, REPORT, reportOf, START } from './vercel-lambda-output.ts';

/** The parts take as much room as the message beside them. */
const MAX_MESSAGE_LENGTH = 65_536;

/** Python's prefix of what a program logs. */
const PYTHON =
  /^\[(TRACE|DEBUG|INFO|WARNING|WARN|ERROR|CRITICAL|FATAL)\]\t(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z)\t([\da-fA-F-]{36})\t/;

/** What a report says in words. */
const REPORT_TEXTS: ReadonlyMap<string, string> = new Map([
  ['Status', 'status'],
  ['Error Type', 'error_type'],
  ['XRAY TraceId', 'xray_trace_id'],
]);

const exactly = (measure: number): number => measure;

/**
 * The parts of a message: `type` (`start`, `end`, `report` or `log`), `request_id`, the `report`, and
 * of what a program logged `level`, `message` and JSON as `data`. Undefined for what is not Lambda's.
 */
export function parseLambdaLog(
  text: string,
  budget = new ValueBudget(),
): Readonly<Fields> | undefined {
  if (text.length > MAX_MESSAGE_LENGTH) return undefined;
  if (text.startsWith(START)) {
    const version = / Version: (\S+)/.exec(text)?.[1];
    return { type: 'start', request_id: firstWord(text, START), version };
  }
  if (text.startsWith(END)) return { type: 'end', request_id: firstWord(text, END) };
  if (text.startsWith(REPORT)) {
    return { type: 'report', request_id: firstWord(text, REPORT), report: wholeReport(text) };
  }
  return printed(text, budget);
}

function printed(text: string, budget: ValueBudget): Readonly<Fields> | undefined {
  const node = PRINTED.exec(text);
  const python = node === null ? PYTHON.exec(text) : null;
  const match = node ?? python;
  if (match === null) return undefined;
  const [requestId, level] = node === null ? [match[3], match[1]] : [match[2], match[3]];
  const logged = text.slice(match[0].length).trimEnd();
  return {
    type: 'log',
    ...(requestId !== 'undefined' && { request_id: requestId }),
    ...(level !== undefined && { level: level.toLowerCase() }),
    ...(new EmbeddedJson(budget).split(logged) ?? { message: logged }),
  };
}

/** The report, which may go on in a second line. */
function wholeReport(text: string): Fields {
  const line = text.replaceAll('\n', '\t');
  const report = reportOf(line, exactly);
  for (const part of line.split('\t')) {
    const [label = '', value = ''] = part.split(': ', 2);
    const name = REPORT_TEXTS.get(label);
    if (name !== undefined) report[name] = value.trim();
  }
  return report;
}
