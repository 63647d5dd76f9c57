import {
  type ILogGroup,
  QueryDefinition,
  QueryString,
  type QueryStringProps,
} from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { ServiceStack } from '../service-stack.ts';

export interface LogsInsightsQueriesProps {
  /** Folder of the queries in the console. */
  readonly name: string;
  readonly service: ServiceStack;
}

/** Queries for CloudWatch Logs Insights, ready to be run in the console: what the runbook asks first. */
export class LogsInsightsQueries extends Construct {
  readonly #folder: string;

  constructor(scope: Construct, id: string, { name, service }: LogsInsightsQueriesProps) {
    super(scope, id);
    this.#folder = name;
    const { api, functions, query, warmer } = service;
    const job = service.compaction.function.logs;
    const requests = [api.accessLogs];
    this.#save('Requests by status and route', requests, {
      statsStatements: ['count(*) as requests, pct(ms, 99) as p99 by status, route'],
      sort: 'requests desc',
    });
    this.#save('Requests by sender', requests, {
      statsStatements: ['count(*) as requests by ip, status'],
      sort: 'requests desc',
      limit: 50,
    });
    this.#save('Slowest requests', requests, {
      fields: ['@timestamp', 'ms', 'functionMs', 'route', 'path', 'status', 'requestId'],
      sort: 'ms desc',
      limit: 50,
    });
    this.#save(
      'Warnings and errors of functions',
      functions.map(({ logs }) => logs),
      {
        filterStatements: ['level in ["warn", "error", "WARN", "ERROR"]'],
        statsStatements: ['count(*) as lines, latest(@timestamp) as last by message, @log'],
        sort: 'lines desc',
      },
    );
    this.#save('Athena runs by bytes scanned', [query.logs, warmer.logs, job], {
      fields: ['@timestamp', 'bytesScanned', 'engineMs', 'queueMs', 'executionId', '@log'],
      filterStatements: ['message in ["athena execution read", "athena statement done"]'],
      sort: 'bytesScanned desc',
      limit: 50,
    });
  }

  #save(title: string, logGroups: ILogGroup[], query: QueryStringProps): void {
    new QueryDefinition(this, title.replaceAll(' ', ''), {
      queryDefinitionName: `${this.#folder}/${title}`,
      logGroups,
      queryString: new QueryString(query),
    });
  }
}
