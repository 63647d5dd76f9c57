import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { SQSBatchResponse } from 'aws-lambda';
import type { HttpApiResponse } from '../../../lambdas/shared/response-limit.ts';
import { COMPACTED_PREFIX, LANDING_PREFIX } from '../../../lib/lake/lake-layout.ts';
import { DEFAULT_CACHE_MS } from '../../../src/catalog/registry.ts';
import type { DefaultRates } from '../../../src/ingest/limits/token-bucket.ts';
import { DAY_MS, dayOf } from '../../../src/lake/compaction/hours.ts';
import { LANDING_COLUMNS } from '../../../src/lake/layout/columns.ts';
import { TrinoClient } from '../../conformance/trino/client.ts';
import type { TrinoAddress } from '../../conformance/trino/server.ts';
import { ACCESS_KEY } from '../../support/aws/aws-environment.ts';
import { FakeLanding } from '../../support/aws/fake-landing.ts';
import { AthenaServer } from './athena.ts';
import { icebergSchema } from './catalogs.ts';
import { ChainClock } from './clock.ts';
import { type Deployment, PLACEHOLDERS } from './deployment.ts';
import { DynamoDBFront } from './dynamodb-front.ts';
import { Delivery } from './firehose/delivery.ts';
import { startHttpApi } from './http-api.ts';
import { LambdaFunction } from './lambda-function.ts';
import { CHAIN_TABLES, type ChainTables } from './tables.ts';

export interface ChainOptions {
  /** Stands for the lake bucket; the same directory, opened again, is the same deployment. */
  readonly directory: string;
  readonly deployment: Deployment;
  readonly trino: TrinoAddress;
  /** Address of moto's server. */
  readonly moto: string;
  /** Which DynamoDB. Default moto. */
  readonly dynamodb?: keyof typeof CHAIN_TABLES;
  /** ISO 8601 text of a time at which the clock stands still. */
  readonly stoppedAt?: string;
  /** In the place of the limits in the template. */
  readonly rates?: DefaultRates;
  /** Another environment of the same account: this one is `staging` then, and has its Athena and its clock. */
  readonly beside?: Chain;
}

/** Of an account with both environments. The template is that of `prod`. */
const WORK_GROUPS = ['prod', 'staging'].flatMap((environment) =>
  ['api', 'compaction'].map((name) => `sluice-${environment}-${name}`),
);
const STREAM = 'landing';

/**
 * First days of the deployments whose table Trino has, by id; the process that opened one may open it
 * again.
 */
const firstDays = new Map<string, string>();

/**
 * The deployed service as one chain on loopback: the functions' own bundles with the variables of the
 * template, behind an HTTP API; Firehose, SQS, S3 and Athena as stand-ins that speak their protocols;
 * DynamoDB by an emulator; the lake's Parquet files, and Trino to read them.
 */
export class Chain {
  readonly clock: ChainClock;
  /** Firehose's front, SQS and S3. */
  readonly landing: FakeLanding;
  /** Firehose's back. */
  readonly delivery: Delivery;
  readonly athena: AthenaServer;
  /** Before DynamoDB. */
  readonly dynamodb: DynamoDBFront;
  /** What all functions have printed. */
  output = '';
  readonly #tables: ChainTables;
  readonly #functions = new Map<string, LambdaFunction>();
  readonly #options: ChainOptions;
  readonly #database: string;
  readonly #firstDay: string;
  #api: { readonly url: string; close(): Promise<void> } | undefined;
  #registryChanged = false;

  private constructor(
    options: ChainOptions,
    parts: Pick<Chain, 'clock' | 'landing' | 'delivery' | 'athena' | 'dynamodb'> & {
      tables: ChainTables;
      database: string;
      firstDay: string;
    },
  ) {
    this.#options = options;
    this.clock = parts.clock;
    this.landing = parts.landing;
    this.delivery = parts.delivery;
    this.athena = parts.athena;
    this.dynamodb = parts.dynamodb;
    this.#tables = parts.tables;
    this.#firstDay = parts.firstDay;
    this.#database = parts.database;
  }

  static async start(options: ChainOptions): Promise<Chain> {
    const { directory, trino, moto, dynamodb = 'moto' } = options;
    const id = createHash('sha256').update(directory).digest('hex').slice(0, 12);
    const database = `chain_${id}`;
    const { beside } = options;
    const clock = beside?.clock ?? new ChainClock(options.stoppedAt);
    const landing = await FakeLanding.start();
    const delivery = new Delivery(directory, clock, LANDING_COLUMNS, (event) =>
      chain.invoke('transformation', event),
    );
    landing.now = () => clock.now();
    landing.onStored = (record) => delivery.add(record);
    const athena =
      beside?.athena ?? (await AthenaServer.start({ trino, clock, workGroups: WORK_GROUPS }));
    const tables = await CHAIN_TABLES[dynamodb]({ moto, id, directory });
    const front = await DynamoDBFront.start(tables);
    const firstDay = firstDays.get(id) ?? dayOf(clock.now() - DAY_MS);
    const parts = {
      clock,
      landing,
      delivery,
      athena,
      dynamodb: front,
      tables,
      database,
      firstDay,
    };
    const chain: Chain = new Chain(options, parts);
    const client = new TrinoClient(trino, database);
    if (!firstDays.has(id)) {
      // S3 has no directories, and the engine wants one.
      await mkdir(join(directory, LANDING_PREFIX), { recursive: true });
      await client.createTable(chain.#landingTable());
      await client.query(`CREATE SCHEMA IF NOT EXISTS ${icebergSchema(database)}`);
      firstDays.set(id, chain.#firstDay);
    }
    chain.#api = await startHttpApi(async (name, event) => {
      const answer = (await chain.invoke(name, event)) as HttpApiResponse;
      const { method } = event.requestContext.http;
      if (name === 'management' && method !== 'GET') chain.#registryChanged = true;
      return answer;
    });
    return chain;
  }

  get url(): string {
    return this.#api?.url ?? '';
  }

  /** Gives an event to a function. @throws FunctionError */
  invoke(name: string, event: unknown): Promise<unknown> {
    return this.function(name).invoke(event);
  }

  /** A function by the name of its file. */
  function(name: string): LambdaFunction {
    const known = this.#functions.get(name);
    if (known !== undefined) return known;
    const deployed = this.#options.deployment.functions[name];
    if (deployed === undefined) throw new Error(`The template has no function "${name}".`);
    const created = new LambdaFunction({
      name,
      bundle: deployed.bundle,
      environment: { ...this.#variables(name, deployed.environment), ...this.#surroundings() },
      timeoutMs: deployed.timeoutSeconds * 1_000,
      clock: this.clock,
      onOutput: (text) => {
        this.output += text;
      },
    });
    this.#functions.set(name, created);
    return created;
  }

  /**
   * Lets so much time pass that every query sees what was acknowledged: Firehose delivers, and what the functions remember of the registry is forgotten. A clock that stands still is
   * left alone.
   */
  async settle(): Promise<void> {
    const learned = !this.delivery.isEmpty;
    await this.delivery.flush();
    if ((learned || this.#registryChanged) && !this.clock.isStopped) {
      this.#registryChanged = false;
      this.clock.advance(DEFAULT_CACHE_MS);
    }
  }

  /** Lambda's part between the parking queue and the redrive function, once. */
  async redrive(): Promise<void> {
    const event = this.landing.receive(100);
    const { batchItemFailures } = (await this.invoke('redrive', event)) as SQSBatchResponse;
    const waiting = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    for (const { messageId } of event.Records) {
      if (!waiting.has(messageId)) this.landing.queued.delete(messageId);
    }
  }

  async close(): Promise<void> {
    await this.#api?.close();
    await Promise.all([...this.#functions.values()].map((each) => each.close()));
    await this.delivery.flush();
    if (this.#options.beside === undefined) await this.athena.close();
    await this.landing.close();
    await this.dynamodb.close();
    await this.#tables.close();
  }

  /** The template's variables, with this chain's resources in the place of references to others. */
  #variables(
    name: string,
    declared: Readonly<Record<string, unknown>>,
  ): Readonly<Record<string, string>> {
    const { rates, beside } = this.#options;
    const named = (text: string) =>
      beside === undefined ? text : text.replace('sluice-prod-', 'sluice-staging-');
    const resources: Readonly<Record<string, string>> = {
      REGISTRY_TABLE: this.#tables.registry,
      CACHE_TABLE: this.#tables.cache,
      LANDING_STREAM: STREAM,
      SPILL_QUEUE: this.landing.queueUrl,
      SPILL_OBJECTS: this.landing.objectsUrl,
      LAKE_DATABASE: this.#database,
      // No person is asked for it: the chain's admin key is given by its operator.
      ADMIN_KEY_SECRET: 'the-admin-key',
      ALERT_TOPIC: 'arn:aws:sns:eu-west-1:123456789012:sluice-alerts',
      COMPACTED_LOCATION: `s3://lake-of-${this.#database}/${COMPACTED_PREFIX}`,
    };
    const chosen: Readonly<Record<string, string>> = {
      FIRST_DAY: this.#firstDay,
      ...(rates && {
        SOURCE_RATE_LIMIT: String(rates.perSource),
        KEY_RATE_LIMIT: String(rates.perKey),
      }),
    };
    return Object.fromEntries(
      Object.entries(declared).map(([variable, value]) => {
        const text =
          chosen[variable] ?? (typeof value === 'string' ? named(value) : resources[variable]);
        if (text === undefined) {
          throw new Error(`The chain has nothing for ${variable} of the ${name} function.`);
        }
        return [variable, text];
      }),
    );
  }

  /** What Lambda itself puts into a function's environment, and where the SDK finds the stand-ins. */
  #surroundings(): Readonly<Record<string, string>> {
    return {
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: ACCESS_KEY.id,
      AWS_SECRET_ACCESS_KEY: ACCESS_KEY.secret,
      AWS_SESSION_TOKEN: 'session',
      AWS_ENDPOINT_URL_DYNAMODB: this.dynamodb.url,
      AWS_ENDPOINT_URL_FIREHOSE: this.landing.url,
      AWS_ENDPOINT_URL_SQS: this.landing.url,
      AWS_ENDPOINT_URL_ATHENA: this.athena.url,
    };
  }

  /** The landing table as it is deployed, over this chain's directory, from the day before now on. */
  #landingTable(): unknown {
    const { directory, deployment } = this.#options;
    const table = deployment.table
      .replaceAll(PLACEHOLDERS.directory, directory)
      .replaceAll(PLACEHOLDERS.firstDay, this.#firstDay);
    // Trino's own "now" is the machine's: partitions up to it would be hundreds of days.
    return JSON.parse(
      this.clock.isStopped
        ? table.replaceAll('NOW+1DAYS', dayOf(this.clock.now() + DAY_MS))
        : table,
    );
  }
}
