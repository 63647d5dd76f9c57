/** What checks of the AWS side look at; {@link openAws} has it from an account. */
export interface AwsSide {
  readonly signal: AbortSignal;
  /** Of the service stack: the address of the API. */
  readonly url: string;
  /** Storage, service and observability; undefined for one that does not exist. */
  stacks(): Promise<
    readonly {
      readonly name: string;
      readonly status: string | undefined;
      readonly url: string | undefined;
    }[]
  >;
  /** Keys of up to ten objects that Firehose could not convert, in the lake bucket. */
  failedObjects(): Promise<readonly string[]>;
  /** Of this deployment. */
  alarms(): Promise<readonly { readonly name: string; readonly state: string }[]>;
  /** Names of the metrics that the functions have written lately. */
  ownMetrics(): Promise<readonly string[]>;
  /** Starts one statement twice under one token. @returns the ids of both executions. */
  startTwice(): Promise<readonly [string, string]>;
  /** Of the compacted table; undefined while there is none. */
  tableProperties(): Promise<ReadonlyMap<string, string> | undefined>;
  /** OPTIMIZE of a day, as compaction does it. @param day ISO 8601. @throws ServiceError */
  optimize(day: string): Promise<void>;
  /** VACUUM, as compaction does it. @throws ServiceError */
  vacuum(): Promise<void>;
}
