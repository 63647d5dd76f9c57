import { MS_PER_EVENT, MS_PER_REQUEST } from '../cost/ingest.ts';

/** What a deployment has to do, of which everything grows alike. */
export interface Load {
  readonly eventsPerSecond: number;
  readonly sources: number;
  readonly endpoints: number;
  /** Calls of saved queries a second. */
  readonly callsPerSecond: number;
}

/** Today's load: 80 GB of JSON a day, of one product's services and its dashboards. */
export const TODAY: Load = {
  eventsPerSecond: 1_000,
  sources: 50,
  endpoints: 20,
  callsPerSecond: 10,
};

/** Bytes of one event as JSON. */
const EVENT_BYTES = 1_024;
/** Share of the busiest source, access key, endpoint and result in all events or calls. */
export const BUSIEST_SHARE = 0.5;
/** Share of calls that the cache answers, as in the cost model. */
const CACHED_SHARE = 0.9;
/** Seconds of an instance for a call that the cache answers, and for one that waits for Athena. */
const CACHED_SECONDS = 0.05;
export const RUN_SECONDS = 3;
/** Bytes of Parquet per byte of JSON, as in the cost model. */
const PARQUET_SHARE = 0.25;
/** Bytes of a row before conversion, per byte of JSON: measured by `npm run bench:pack`. */
const ROW_SHARE = 1.9;

/** What requests of one size become on the stream, measured with the real packer. */
export interface StreamSizes {
  readonly eventsPerRequest: number;
  /** Bytes that are put on the stream for each event. */
  readonly bytesPerEvent: number;
  readonly recordsPerRequest: number;
}

/** Sizes of 1 KB events, compressed; a test holds them to what the packer makes. */
export const STREAM_SIZES: readonly StreamSizes[] = [
  { eventsPerRequest: 1, bytesPerEvent: 1_934, recordsPerRequest: 1 },
  { eventsPerRequest: 10, bytesPerEvent: 303, recordsPerRequest: 1 },
  { eventsPerRequest: 100, bytesPerEvent: 205, recordsPerRequest: 1 },
];

/** A load in the units that limits are in. Rates are per second. */
export interface Demand {
  readonly load: Load;
  readonly ingestRequests: number;
  readonly requests: number;
  /** Instances of the ingest function, and of the query function, that are busy. */
  readonly ingestInstances: number;
  readonly queryInstances: number;
  readonly streamBytes: number;
  readonly streamRequests: number;
  readonly streamRecords: number;
  /** Bytes of rows that the streams convert. */
  readonly rowBytes: number;
  /** Calls that run a query. */
  readonly runs: number;
  /** Bytes of Parquet that land in an hour. */
  readonly hourBytes: number;
}

/** @param factor times today's load */
export function demandOf(factor: number, sizes: StreamSizes): Demand {
  const load: Load = {
    eventsPerSecond: TODAY.eventsPerSecond * factor,
    sources: TODAY.sources * factor,
    endpoints: TODAY.endpoints * factor,
    callsPerSecond: TODAY.callsPerSecond * factor,
  };
  const { eventsPerSecond, callsPerSecond } = load;
  const ingestRequests = eventsPerSecond / sizes.eventsPerRequest;
  const seconds = (MS_PER_REQUEST + MS_PER_EVENT * sizes.eventsPerRequest) / 1_000;
  const runs = callsPerSecond * (1 - CACHED_SHARE);
  const queryInstances = callsPerSecond * CACHED_SHARE * CACHED_SECONDS + runs * RUN_SECONDS;
  return {
    load,
    ingestRequests,
    requests: ingestRequests + callsPerSecond,
    ingestInstances: ingestRequests * seconds,
    queryInstances,
    streamBytes: eventsPerSecond * sizes.bytesPerEvent,
    // An instance of the query function writes what it records once a second at most.
    streamRequests: ingestRequests + Math.min(callsPerSecond, queryInstances),
    streamRecords: ingestRequests * sizes.recordsPerRequest,
    rowBytes: eventsPerSecond * EVENT_BYTES * ROW_SHARE,
    runs,
    hourBytes: eventsPerSecond * EVENT_BYTES * PARQUET_SHARE * 3_600,
  };
}
