import type { Check } from '../trial/check.ts';

export const BATCH_EVENTS = 1_000;
/** Characters of the message of the large event: what is stored of an event may have 1,000,000 bytes. */
export const LARGE_CHARACTERS = 900_000;

export const batch: Check = {
  name: 'ingest-batch',
  says: `a batch of ${BATCH_EVENTS} events and an event of ${LARGE_CHARACTERS} characters are taken`,
  needs: [],
  remedy:
    'Look at docs/http-api.md#sending-events for the limits, and at docs/runbook.md#ingest-errors for why.',

  async run(trial, findings) {
    const [many, large] = await Promise.all([trial.source('batch'), trial.source('large')]);
    const events = Array.from({ length: BATCH_EVENTS }, (_, n) => ({
      id: `${trial.prefix}-${n}`,
      timestamp: batchTime(trial.startedAt, n),
      message: `event ${n}`,
      metadata: { n },
    }));
    const answer = await trial.admin.post(`/logs?source=${many.token}`, events);
    findings.answers(`${BATCH_EVENTS} events`, answer, 200);
    const one = { id: `${trial.prefix}-large`, message: 'é'.repeat(LARGE_CHARACTERS / 2) };
    const second = await trial.admin.post(`/logs?source=${large.token}`, one);
    findings.answers('a large event', second, 200);
    trial.acknowledged('batch');
    const headers = ['x-rate-limit-source_limit', 'x-rate-limit-source_remaining'];
    for (const name of headers) {
      if (!answer.headers.has(name))
        findings.fail('headers of the rate limit', name, 'no such header');
    }
  },
};

/** Microseconds, each another one. */
export function batchTime(startedAt: number, n: number): number {
  return (startedAt - 120_000) * 1_000 + n;
}
