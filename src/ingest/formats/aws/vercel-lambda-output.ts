/**
 * What AWS Lambda prints around one call and what the program printed in between, the way Vercel's
 * log drains send it (Logflare 1.50; AWS Lambda's log format).
 */

import type { Fields } from '../../../platform/json/fields.ts';
import { EmbeddedJson } from '../../decode/embedded-json.ts';
import { ValueBudget } from '../../event/max-values.ts';

/** The parts take as much room as the message beside them, and an event is limited to 1,000,000 bytes. */
const MAX_MESSAGE_LENGTH = 65_536;
/** Printed lines that become entries; more would exceed the keys of an event. */
const MAX_LINES = 1000;

export const START = 'START RequestId: ';
export const END = 'END RequestId: ';
export const REPORT = 'REPORT RequestId: ';

/** Node's prefix of what a program prints; there is no id while a function initialises. */
export const PRINTED =
  /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?Z)[\t ]([\da-fA-F-]{36}|undefined)[\t ](?:(TRACE|DEBUG|INFO|WARN|ERROR|FATAL)[\t ])?/;
const REQUEST = /^\[([A-Z]{1,20})\] (\S+) status=(\d{1,3})$/;

const MEASURES: ReadonlyMap<string, string> = new Map([
  ['Duration', 'duration_ms'],
  ['Billed Duration', 'billed_duration_ms'],
  ['Memory Size', 'memory_size_mb'],
  ['Max Memory Used', 'max_memory_used_mb'],
  ['Init Duration', 'init_duration_ms'],
]);

interface PrintedLine {
  readonly timestamp?: string;
  readonly level?: string;
  readonly text: string[];
}

/**
 * The parts of a message: `request_id`, `report`, and the printed lines as `lines`, or as
 * `lines_string` where they have no known form. `parse_status` says how that went: `full`, `partial`,
 * or `failed` where the message has nothing of Lambda at all.
 */
export function parseLambdaMessage(message: string, budget = new ValueBudget()): Readonly<Fields> {
  if (message.length > MAX_MESSAGE_LENGTH) return { parse_status: 'failed' };
  const parsed: Fields = {};
  const body: string[] = [];
  let isStarted = false;
  let isEnded = false;
  for (const line of message.split('\n')) {
    const request = body.length === 0 ? REQUEST.exec(line) : null;
    if (!isStarted && line.startsWith(START)) {
      isStarted = true;
      parsed.request_id ??= firstWord(line, START);
    } else if (line.startsWith(END)) {
      isEnded = true;
      parsed.request_id ??= firstWord(line, END);
    } else if (line.startsWith(REPORT)) {
      isEnded = true;
      parsed.request_id ??= firstWord(line, REPORT);
      parsed.report = reportOf(line);
    } else if (request !== null) {
      const [, method, path, status] = request;
      Object.assign(parsed, { method, path, status: Number(status) });
    } else if (body.length > 0 || line.trim() !== '') {
      body.push(line);
    }
  }
  const isRequest = parsed.method !== undefined;
  if (!isStarted && !isEnded && !isRequest && !body.some((line) => PRINTED.test(line))) {
    return { parse_status: 'failed', lines_string: message };
  }
  if (!isStarted && (isEnded || !isRequest)) parsed.message_truncated = true;
  const lines = printedLines(body, budget);
  if (lines !== undefined) {
    Object.assign(parsed, { parse_status: 'full', lines });
  } else if (body.length > 0) {
    const text = body.join('\n').trim();
    Object.assign(parsed, { parse_status: 'partial', lines_string: text });
  }
  return parsed;
}

/** The entries of what was printed; undefined where some of it has no known form. */
function printedLines(body: readonly string[], budget: ValueBudget): readonly Fields[] | undefined {
  const lines: PrintedLine[] = [];
  for (const line of body) {
    const match = PRINTED.exec(line);
    const last = lines.at(-1);
    if (match !== null) {
      const [prefix, timestamp, , level] = match;
      const text = [line.slice(prefix.length)];
      lines.push({
        ...(timestamp && { timestamp }),
        ...(level && { level: level.toLowerCase() }),
        text,
      });
    } else if (last === undefined) {
      lines.push({ text: [line] });
    } else {
      last.text.push(line);
    }
  }
  const json = new EmbeddedJson(budget);
  const entries = lines.length > MAX_LINES ? [] : lines.map((line) => entryOf(line, json));
  return entries.length === 0 || entries.includes(undefined)
    ? undefined
    : entries.filter((entry) => entry !== undefined);
}

/** A text without prefix counts only if it ends with JSON. */
function entryOf({ text, ...prefix }: PrintedLine, json: EmbeddedJson): Fields | undefined {
  const whole = text.join('\n').trimEnd();
  const split = json.split(whole);
  if (split === undefined && prefix.timestamp === undefined) return undefined;
  return { ...prefix, ...(split ?? { message: whole }) };
}

/** `Duration: 17.99 ms`, separated by tabs; rounded to whole numbers where nothing else is said. */
export function reportOf(line: string, toNumber = Math.round): Fields {
  const report: Fields = {};
  for (const part of line.split('\t')) {
    const [label = '', value = ''] = part.split(': ', 2);
    const name = MEASURES.get(label.trim());
    const measure = Number(value.split(' ', 1)[0] || Number.NaN);
    if (name !== undefined && Number.isFinite(measure)) report[name] = toNumber(measure);
  }
  return report;
}

/** The word after a prefix. */
export function firstWord(line: string, prefix: string): string {
  return line.slice(prefix.length).split(/\s/, 1)[0] ?? '';
}
