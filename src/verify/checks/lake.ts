import { field, type Row } from '../client/answer.ts';
import type { Check } from '../trial/check.ts';
import { fits } from '../trial/findings.ts';
import type { Trial } from '../trial/trial.ts';
import { BATCH_EVENTS, batchTime, LARGE_CHARACTERS } from './batch.ts';
import { samplesOf } from './formats.ts';

/** More rows than any of the sources gets. */
const MAX_LIMIT = 5_000;

/** What a first event takes longer because a function has to learn of its fields. */
const LEARNED_WITHIN_S = 15;

const REMEDY =
  'Look at docs/runbook.md#lake-stale and docs/runbook.md#conversion-failed; events may also be parked (docs/runbook.md#parked-events). ' +
  'If rows only come late, give a longer --timeout.';

/** A saved query over one source of the run, made when it is asked for first. */
async function rowsOf(trial: Trial, label: string, columns: string) {
  const { name } = await trial.source(label);
  return trial.endpoint(`${label}-rows`, {
    query: `select ${columns} from \`${name}\` as t order by t.id`,
    max_limit: MAX_LIMIT,
  });
}

/** Waits until a source shows so many rows. @returns them, or those that were there when the time was up. */
async function landed(trial: Trial, label: string, columns: string, wanted: number) {
  const { token } = await rowsOf(trial, label, columns);
  let answer = await trial.admin.query(token);
  const all = await trial.until(trial.patience(), async (waited) => {
    const count = answer.rows?.length ?? 0;
    trial.progress(
      `${label}: waited ${Math.round(waited)} s, ${count} of ${wanted} rows are there`,
    );
    if (answer.rows !== undefined && count >= wanted) return answer;
    // Other answers are an error to report, but for those that may pass.
    if (answer.rows === undefined && answer.status < 500) return answer;
    await trial.pause(0.2);
    answer = await trial.admin.query(token);
    return (answer.rows?.length ?? 0) >= wanted ? answer : undefined;
  });
  if (all !== undefined) trial.visible(label);
  else trial.waitedInVain();
  return answer;
}

export const lakeFormats: Check = {
  name: 'lake-formats',
  says: 'every event of every format is a row, with its id, its time in microseconds and all its fields',
  needs: ['ingest-formats'],
  remedy: REMEDY,

  async run(trial, findings) {
    const expected = samplesOf(trial).flatMap(({ format, shape, events }) =>
      events.map(([mark, stored]) => ({ what: `${format || '/logs'}: ${shape}`, mark, stored })),
    );
    const columns = 't.id, t.timestamp, t as event';
    let rows = findings.rows('rows', await landed(trial, 'events', columns, expected.length));
    const { token } = await rowsOf(trial, 'events', columns);
    // A field that came just now is a column once the functions have heard of it.
    await trial.until(LEARNED_WITHIN_S, async () => {
      if (expected.every(({ mark, stored }) => fits(stored, eventWith(mark, rows)))) return true;
      rows = (await trial.admin.query(token)).rows ?? rows;
      return undefined;
    });
    for (const { what, mark, stored } of expected) {
      const event = eventWith(mark, rows);
      if (event === undefined)
        findings.fail(what, `a row with "${mark}"`, `none among ${rows.length} rows`);
      else findings.fits(what, stored, event);
    }
    if (rows.length > expected.length)
      findings.note(
        `${rows.length - expected.length} rows too many: copies, which may be (docs/http-api.md#duplicates)`,
      );
  },
};

/** The whole event of the row that holds the mark, and no longer mark, as a value. */
function eventWith(mark: string, rows: readonly Row[]): unknown {
  return rows.map((row) => row.event).find((event) => holds(event, mark));
}

function holds(value: unknown, mark: string): boolean {
  if (typeof value === 'string') return value.split(/[\s|]+/).includes(mark);
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).some((each) => holds(each, mark))
  );
}

export const lakeBatch: Check = {
  name: 'lake-batch',
  says: `the batch of ${BATCH_EVENTS} events is ${BATCH_EVENTS} rows, and the large event is whole`,
  needs: ['ingest-batch'],
  after: ['lake-formats'],
  remedy: REMEDY,

  async run(trial, findings) {
    const rows = findings.rows(
      'rows',
      await landed(
        trial,
        'batch',
        't.id, t.timestamp, t.event_message, t.metadata.n',
        BATCH_EVENTS,
      ),
    );
    const byId = new Map(rows.map((row) => [row.id, row]));
    findings.fits('different ids', BATCH_EVENTS, byId.size);
    if (rows.length > byId.size)
      findings.note(
        `${rows.length - byId.size} copies, which may be (docs/http-api.md#duplicates)`,
      );
    for (let n = 0; n < BATCH_EVENTS; n++) {
      const id = `${trial.prefix}-${n}`;
      const timestamp = batchTime(trial.startedAt, n);
      findings.fits(
        `event ${n}`,
        { id, timestamp, event_message: `event ${n}`, n },
        byId.get(id) ?? 'no row',
      );
    }
    const large = await landed(trial, 'large', 't.id, length(t.event_message) as characters', 1);
    const [row] = findings.rows('the large event', large);
    findings.fits(
      'the large event',
      { id: `${trial.prefix}-large`, characters: LARGE_CHARACTERS / 2 },
      row ?? 'no row',
    );
  },
};

export const lakeRefused: Check = {
  name: 'lake-refused',
  says: 'of a batch that was refused in part, the rest is there and nothing else',
  needs: ['ingest-refusals'],
  after: ['lake-batch'],
  remedy: REMEDY,

  async run(trial, findings) {
    const rows = findings.rows('rows', await landed(trial, 'refused', 't.id', 1));
    findings.fits('ids', [`${trial.prefix}-kept`], [...new Set(rows.map(({ id }) => id))]);
  },
};

export const rules: Check = {
  name: 'rules',
  says: 'a rule copies the events that its LQL fits to another source, and no others',
  needs: ['lake-formats'],
  remedy: 'See docs/http-api.md#rules.',

  async run(trial, findings) {
    const rows = findings.rows('rows', await landed(trial, 'sink', 't.id, t.metadata', 1));
    findings.fits('ids', [`${trial.prefix}-object`], [...new Set(rows.map(({ id }) => id))]);
    findings.fits('fields', { kind: 'copied' }, rows[0]?.metadata);
  },
};

export const schema: Check = {
  name: 'schema',
  says: 'the source has learned the fields that its events have',
  needs: ['ingest-formats'],
  remedy: 'Look for "schema" in the log of the ingest function (docs/runbook.md#tools).',

  async run(trial, findings) {
    const { token } = await trial.source('events');
    let paths: unknown;
    await trial.until(LEARNED_WITHIN_S, async () => {
      const answer = await trial.admin.get(`/api/sources/${token}/schema?variant=dot`);
      if (answer.status !== 200) findings.end('the schema', 200, answer);
      paths = answer.body;
      return field(paths, 'nested.list') === undefined && field(paths, 'big') === undefined
        ? undefined
        : true;
    });
    findings.fits(
      'paths',
      { big: 'integer', unicode: 'string', yes: 'boolean', 'metadata.ip': 'string' },
      paths,
    );
  },
};
