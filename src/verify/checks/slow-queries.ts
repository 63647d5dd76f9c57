import type { Answer } from '../client/answer.ts';
import type { Check } from '../trial/check.ts';

/** Thousands of rows to count at first, which any engine does in seconds. */
const FIRST_SIZE = 20;
/** Between a call's 25 s and a query's 10 minutes. */
const WANTED_S = 40;
/** Below it the time says little about the engine. */
const TELLING_S = 2;
const LARGEST_SIZE = 10_000;
const MAX_STEPS = 6;
const COLLECTED_WITHIN_S = 420;

/** Reads no event, so that Athena bills its least. The size is cubed by the engine, which cannot know the sum. */
const QUERY = `select countif(mod(a * 31 + b * 17 + c, 7) = 3) as n, @size as size
  from unnest(generate_array(1, 10000)) as a
    cross join unnest(generate_array(1, 1000)) as b
    cross join unnest(generate_array(1, cast(@size as int64))) as c`;

export const slowQueries: Check = {
  name: 'slow-queries',
  says: 'a query that takes longer than a call waits is 504, goes on, and answers a later call',
  needs: [],
  remedy:
    "See docs/runbook.md#queries-failed; Athena's history of the workgroup should have one execution of it (docs/http-api.md#running-saved-queries).",

  async run(trial, findings) {
    const { token } = await trial.endpoint('slow', { query: QUERY, cache_duration_seconds: 600 });
    const slow = await findSlow((size) => trial.admin.query(token, { size: String(size) }));
    if (slow === undefined) return findings.notChecked('no query was slow enough');
    const { size, answer, seconds } = slow;
    if (answer.status !== 504) findings.end('a query that takes more than 25 s', 504, answer);
    if (!['query_timeout', 'query_queued'].includes(answer.code ?? '')) {
      findings.fail('its code', 'query_timeout or query_queued', answer);
    }
    findings.note(`the call was answered after ${Math.round(seconds)} s`);
    let late = answer;
    await trial.until(COLLECTED_WITHIN_S, async (waited) => {
      trial.progress(`slow-queries: waited ${Math.round(waited)} s for the query that goes on`);
      late = await trial.admin.query(token, { size: String(size) });
      return late.status === 504 ? undefined : late;
    });
    const [row] = findings.rows('the same call later', late);
    findings.fits('its row', { size: String(size) }, row);
    const again = await trial.admin.query(token, { size: String(size) });
    findings.fits('Sluice-Cache of one more call', 'hit', again.headers.get('Sluice-Cache'));
  },
};

/** Makes the query larger until a call does not get its rows. */
async function findSlow(
  call: (size: number) => Promise<Answer>,
): Promise<{ size: number; answer: Answer; seconds: number } | undefined> {
  let size = FIRST_SIZE;
  for (let step = 0; step < MAX_STEPS && size <= LARGEST_SIZE; step++) {
    const began = performance.now();
    const answer = await call(size);
    const seconds = (performance.now() - began) / 1_000;
    if (answer.status !== 200) return { size, answer, seconds };
    size = Math.ceil(size * (seconds < TELLING_S ? 10 : Math.max(2, WANTED_S / seconds)));
  }
  return undefined;
}
