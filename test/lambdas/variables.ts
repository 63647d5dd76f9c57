/** Environments as the service stack sets them. */
export const INGEST = {
  REGISTRY_TABLE: 'registry',
  LANDING_STREAM: 'landing',
  COMPRESS_RECORDS: 'true',
  SPILL_QUEUE: 'https://sqs.eu-west-1.amazonaws.com/123456789012/parked',
  SPILL_OBJECTS: 'https://lake.s3.eu-west-1.amazonaws.com/parked/',
  CACHE_TABLE: 'cache',
  SOURCE_RATE_LIMIT: '100000',
  KEY_RATE_LIMIT: '500000',
  METRICS_NAMESPACE: 'Sluice/test',
  LOG_LEVEL: 'error',
} as const;

export const REDRIVE = {
  LANDING_STREAM: 'landing',
  SPILL_OBJECTS: 'https://lake.s3.eu-west-1.amazonaws.com/parked/',
  LOG_LEVEL: 'error',
} as const;

export const QUERYING = {
  REGISTRY_TABLE: 'registry',
  LANDING_STREAM: 'landing',
  COMPRESS_RECORDS: 'true',
  METRICS_NAMESPACE: 'Sluice/test',
  CACHE_TABLE: 'cache',
  CACHED_RESULT_BYTES: '8388608',
  WORKGROUP: 'sluice-test-api',
  LAKE_DATABASE: 'sluice_test',
  MAX_FILING_DELAY_SECONDS: '1200',
  LOG_LEVEL: 'error',
} as const;

export const VIEWS = {
  REGISTRY_TABLE: 'registry',
  CATALOG_WORKGROUP: 'sluice-test-catalog',
  LAKE_DATABASE: 'sluice_test',
  LOG_LEVEL: 'error',
} as const;

export const BOOTSTRAP = {
  ...QUERYING,
  ADMIN_KEY_SECRET:
    'arn:aws:secretsmanager:eu-west-1:123456789012:secret:sluice-test/admin-key-a1b2c3',
} as const;

export const COMPACTION = {
  ...QUERYING,
  COMPACTED_LOCATION: 's3://lake/compacted/',
  FIRST_DAY: '2026-11-01',
  RETENTION_DAYS: 'forever',
} as const;
