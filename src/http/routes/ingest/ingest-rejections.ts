import type { Context } from 'hono';
import type { Source } from '../../../catalog/types.ts';
import type { StoreOutcome } from '../../../ingest/event/store-outcome.ts';
import type { RejectionRecorder } from '../../../ingest/rejections/rejection-recorder.ts';
import { ServiceError } from '../../../platform/errors.ts';
import type { HttpEnv } from '../../middleware/http-env.ts';

type Recorder = Pick<RejectionRecorder, 'record'>;

/** What senders can mend: malformed, too large, of an unknown type, or too much at once. */
const RECORDED_STATUSES = [400, 413, 415, 429];

/** Records that a request to a source was refused as a whole. */
export async function recordRejectedRequest(
  c: Context<HttpEnv>,
  source: Source,
  error: unknown,
  recorder: Recorder,
): Promise<void> {
  if (!(error instanceof ServiceError) || !RECORDED_STATUSES.includes(error.status)) return;
  const { code, message: reason } = error;
  await recorder.record(source, requestOf(c), [{ code, reason, index: null }]);
}

/** Records the events that were refused while the others of their request were stored. */
export async function recordRejectedEvents(
  c: Context<HttpEnv>,
  source: Source,
  sent: { readonly events: readonly unknown[]; readonly rejected: StoreOutcome['rejected'] },
  recorder: Recorder,
): Promise<void> {
  const refusals = sent.rejected.map(({ index, reason }) => ({
    code: 'events_rejected',
    reason,
    index,
    event: sent.events[index],
  }));
  await recorder.record(source, requestOf(c), refusals);
}

function requestOf(c: Context<HttpEnv>) {
  return { requestId: c.get('requestId'), route: c.req.path };
}
