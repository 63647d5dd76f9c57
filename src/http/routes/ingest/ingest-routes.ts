import type { Context, Hono } from 'hono';
import type { Authenticator } from '../../../access/authenticator.ts';
import {
  mayIngest,
  mayIngestAnywhere,
  mayManage,
  onlySource,
  type Principal,
} from '../../../access/scopes.ts';
import type { Registry, Source } from '../../../catalog/types.ts';
import { decodeRequest } from '../../../ingest/decode/decode.ts';
import type { DecodedEvents, IngestFormat } from '../../../ingest/decode/format.ts';
import { listRejections, type StoreOutcome } from '../../../ingest/event/store-outcome.ts';
import { FORMATS } from '../../../ingest/formats/index.ts';
import type { RateLimiter } from '../../../ingest/limits/rate-limiter.ts';
import type { IngestPipeline } from '../../../ingest/pipeline.ts';
import type { IngestPreview } from '../../../ingest/preview.ts';
import type { RejectionRecorder } from '../../../ingest/rejections/rejection-recorder.ts';
import { type ServiceError, unauthorized } from '../../../platform/errors.ts';
import { type Metrics, noMetrics } from '../../../platform/metrics.ts';
import { answer, answerWith } from '../../middleware/finish-answer.ts';
import type { HttpEnv } from '../../middleware/http-env.ts';
import { admit } from '../../middleware/rate-limit-headers.ts';
import { readBody } from '../../middleware/read-body.ts';
import { unknownName } from '../unknown-name.ts';
import { recordRejectedEvents, recordRejectedRequest } from './ingest-rejections.ts';
import { type ForeignNaming, findSource, namedSource, sourceMissing } from './ingest-source.ts';
import { addProbes } from './probes.ts';
import { checkSignature } from './signature.ts';
import { repeatVerificationCode } from './webhook-verification.ts';

export interface IngestLimits {
  /** Bytes of a body as sent. */
  readonly maxBodyBytes: number;
  /** Bytes of a body after decompression. */
  readonly maxInflatedBytes: number;
}

/**
 * A Lambda takes 6 MB of event JSON, and escaping adds about a tenth to a JSON body:
 * 5 MiB is what fits. Inflated bodies are only bounded by memory, so that limit stops bombs.
 */
export const DEFAULT_INGEST_LIMITS: IngestLimits = {
  maxBodyBytes: 5 * 1024 * 1024,
  maxInflatedBytes: 20 * 1024 * 1024,
};

export interface IngestDeps {
  readonly registry: Pick<Registry, 'sourceByToken' | 'sourceByName' | 'sourceNames'>;
  readonly authenticator: Pick<Authenticator, 'principal'>;
  readonly pipeline: Pick<IngestPipeline, 'store'>;
  readonly limits: IngestLimits;
  readonly limiter: Pick<RateLimiter, 'admit'>;
  readonly recorder: Pick<RejectionRecorder, 'record'>;
  readonly preview: Pick<IngestPreview, 'preview'>;
  /** @default nothing is counted */
  readonly metrics?: Metrics;
}

/** Logflare mounts the whole family three times. */
const PREFIXES = ['/logs', '/api/logs', '/api/events'];

const LOGGED = JSON.stringify({ message: 'Logged!' });

/** `POST` routes of every ingest format under every prefix, and `GET` where senders verify first. */
export function addIngestRoutes(app: Hono<HttpEnv>, deps: IngestDeps): void {
  for (const format of FORMATS) {
    addProbes(app, format, deps.authenticator);
    for (const prefix of format.atRoot ? [''] : PREFIXES) {
      post(app, `${prefix}${format.path}`, (c) => ingest(c, format, deps));
      if (format.verificationHeader !== undefined) {
        app.get(`${prefix}${format.path}`, (c) => verify(c, format, deps));
      }
    }
  }
}

/**
 * A path that begins with a parameter makes Hono's router give way to a slower one, for all paths; a handler of
 * all paths does not.
 */
function post(
  app: Hono<HttpEnv>,
  path: string,
  handler: (c: Context<HttpEnv>) => Promise<Response>,
) {
  if (!path.startsWith('/:')) return app.post(path, handler);
  const pattern = new RegExp(`^/[^/]+${path.slice(path.indexOf('/', 1))}/?$`);
  return app.post('*', (c, next) => (pattern.test(c.req.path) ? handler(c) : next()));
}

/**
 * The order of the checks decides which error wins, and clients see it: no byte of a body is read for a key
 * that may not send to the source that the address names, or to any source at all. Only where the body alone
 * can name the source, a malformed one is reported first. Rate limits come before the body where the address
 * names the source, so that what is refused costs little.
 */
async function ingest(
  c: Context<HttpEnv>,
  format: IngestFormat,
  deps: IngestDeps,
): Promise<Response> {
  if (c.req.query('debug') === '1') return debug(c, format, deps);
  const { answers, keyHeader } = format;
  const headers = () => c.req.header();
  if (answers !== undefined) c.set('errorBody', (error) => answers.failed(error, headers));
  const principal = await deps.authenticator.principal(c.req, keyHeader);
  if (principal === undefined) throw unauthorized();

  const foreign = foreignNaming(c, format, principal);
  const addressed = await allowedSource(c, { foreign }, principal, deps);
  const mayBeInBody =
    namedSource(c.req, undefined, foreign) === undefined && mayIngestAnywhere(principal);
  if (addressed === undefined && !mayBeInBody) {
    throw await notAllowed(c, { foreign }, principal, deps);
  }
  try {
    const early = addressed && (await admit(c, addressed, principal, deps.limiter));
    const decoded = await decode(c, format, deps);
    const names: Names = { inBody: decoded.source, foreign };
    const source = addressed ?? (await allowedSource(c, names, principal, deps));
    if (source === undefined) throw await notAllowed(c, names, principal, deps);
    const admission = early ?? (await admit(c, source, principal, deps.limiter));

    repeatVerificationCode(c, format);
    const outcome = await deps.pipeline.store(source, decoded.events, decoded.hasPlainTexts);
    await admission.charge(outcome.stored);
    const { rejected } = outcome;
    count(c, outcome, deps.metrics);
    await recordRejectedEvents(c, source, { events: decoded.events, rejected }, deps.recorder);
    if (answers !== undefined) {
      return answer(c, answers.stored(outcome, headers, decoded));
    }
    if (rejected.length > 0) return c.json(describeRejections(outcome), 406);
    return answerWith(c, LOGGED, 200, 'application/json');
  } catch (error) {
    if (addressed !== undefined) await recordRejectedRequest(c, addressed, error, deps.recorder);
    throw error;
  }
}

function count(c: Context<HttpEnv>, outcome: StoreOutcome, metrics: Metrics = noMetrics): void {
  metrics.record('EventsStored', outcome.stored);
  metrics.record('EventsRefused', outcome.rejected.length);
  metrics.record('IngestBytes', c.get('bytesIn') ?? 0);
}

/**
 * Shows those who manage sources what a request would store, in JSON whatever the format: nothing is
 * stored, learned, counted or recorded.
 */
async function debug(
  c: Context<HttpEnv>,
  format: IngestFormat,
  deps: IngestDeps,
): Promise<Response> {
  const principal = await deps.authenticator.principal(c.req, format.keyHeader);
  if (principal === undefined || !mayManage(principal)) throw unauthorized();
  const decoded = await decode(c, format, deps);
  const names: Names = {
    inBody: decoded.source,
    foreign: foreignNaming(c, format, principal),
  };
  const source = await allowedSource(c, names, principal, deps);
  if (source === undefined) throw await notAllowed(c, names, principal, deps);
  const { token, name } = source;
  const preview = await deps.preview.preview(source, decoded.events);
  return c.json({ message: 'Debug: nothing was stored.', source: { token, name }, ...preview });
}

async function decode(c: Context<HttpEnv>, format: IngestFormat, { limits }: IngestDeps) {
  const body = await readBody(c, limits.maxBodyBytes);
  checkSignature(c, format, body);
  return decodeRequest({
    format,
    contentType: c.req.header('Content-Type'),
    contentEncoding: c.req.header('Content-Encoding'),
    headers: () => c.req.header(),
    body,
    address: c.req,
    maxInflatedBytes: limits.maxInflatedBytes,
  });
}

/** What names the source of a request beside its own parameters and headers. */
interface Names {
  readonly inBody?: DecodedEvents['source'];
  readonly foreign: ForeignNaming | undefined;
}

function foreignNaming(
  c: Context<HttpEnv>,
  { ownSource }: IngestFormat,
  principal: Principal,
): ForeignNaming | undefined {
  return ownSource && { onlyToken: onlySource(principal), name: ownSource(c.req) };
}

/** The source that a request names, if the key may send to it. */
async function allowedSource(
  c: Context<HttpEnv>,
  { inBody, foreign }: Names,
  principal: Principal,
  { registry }: IngestDeps,
): Promise<Source | undefined> {
  const source = await findSource(c.req, inBody, registry, foreign);
  return source !== undefined && mayIngest(principal, source.token) ? source : undefined;
}

/** Why there is no source to send to: 401, but where the key may see every source, what is not there. */
async function notAllowed(
  c: Context<HttpEnv>,
  { inBody, foreign }: Names,
  principal: Principal,
  { registry }: IngestDeps,
): Promise<ServiceError> {
  const named = namedSource(c.req, inBody, foreign);
  if (named === undefined && foreign !== undefined && mayIngestAnywhere(principal)) {
    return sourceMissing();
  }
  if (named === undefined || !mayManage(principal)) return unauthorized();
  const names = () => registry.sourceNames();
  return unknownName('source', named, { list: '/api/sources', names });
}

/** Shows a sender its own code, if the key may ingest into the source that the address names. */
async function verify(
  c: Context<HttpEnv>,
  format: IngestFormat,
  deps: IngestDeps,
): Promise<Response> {
  const principal = await deps.authenticator.principal(c.req, format.keyHeader);
  if (principal === undefined) throw unauthorized();
  const names: Names = { foreign: foreignNaming(c, format, principal) };
  const source = await allowedSource(c, names, principal, deps);
  if (source === undefined) throw await notAllowed(c, names, principal, deps);

  repeatVerificationCode(c, format);
  return c.json({ message: 'Ready for POST.' });
}

/** `message` is the list that Logflare's clients read; `error` and `code` are what all errors have. */
function describeRejections({ stored, dropped = 0, rejected }: StoreOutcome) {
  return {
    message: listRejections(rejected),
    error:
      `Of ${stored + dropped + rejected.length} events ${rejected.length} were rejected and ${stored} stored. ` +
      'Correct those that "message" lists (counted from 0) and send only them again.',
    code: 'events_rejected',
  };
}
