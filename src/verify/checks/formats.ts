import { samples } from '../samples/samples.ts';
import type { Check } from '../trial/check.ts';
import type { Trial } from '../trial/trial.ts';

/** Requests of a run, made once, so that what is sent and what is compared are the same. */
const sent = new WeakMap<Trial, ReturnType<typeof samples>>();

export function samplesOf(trial: Trial) {
  const made = sent.get(trial) ?? samples(trial.prefix, Date.now());
  sent.set(trial, made);
  return made;
}

/** Protocols that are not of this service have their routes where their senders want them. */
const AT_ROOT = /^\/(?:v1|loki|_bulk|services|api|gelf)\b/;

function pathOf(format: string): string {
  return AT_ROOT.test(format) ? format : `/logs${format}`;
}

export const formats: Check = {
  name: 'ingest-formats',
  says: 'every ingest format takes its events, plain and compressed',
  needs: [],
  remedy:
    'Read what the answer says; docs/http-api.md#answers-to-ingest has every status, docs/runbook.md#ingest-errors how to find out why.',

  async run(trial, findings) {
    const { token } = await trial.source('events');
    await trial.rule();
    let taken = 0;
    for (const { format, shape, path = pathOf(format), status = 200, headers, body } of samplesOf(
      trial,
    )) {
      const answer = await trial.admin.post(`${path}?source=${token}`, body, headers);
      if (findings.answers(`${path}: ${shape}`, answer, status)) taken++;
    }
    trial.acknowledged('events');
    findings.note(
      `${taken} requests in ${new Set(samplesOf(trial).map(({ format }) => format)).size} formats`,
    );
  },
};
