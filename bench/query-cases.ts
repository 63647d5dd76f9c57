/** What people ask of an application's events, as BigQuery's SQL over a day of them. */

export interface QueryCase {
  readonly name: string;
  readonly sql: string;
  /** Milliseconds that it is to take at most; undefined where there is no aim. */
  readonly aimMs?: number;
}

const EVENTS = 'from `app.logs` as t cross join unnest(t.metadata) as m';
const DAY = 't.timestamp > @iso_timestamp_start and t.timestamp <= @iso_timestamp_end';

/** @param id of an event that there is. */
export function queryCases(id: string): readonly QueryCase[] {
  return [
    {
      name: 'count by minute with errors',
      sql: `select timestamp_trunc(t.timestamp, minute) as minute, count(*) as events,
        countif(m.level = 'error') as errors ${EVENTS} where ${DAY} group by minute order by minute`,
    },
    {
      name: 'count by an ordinary field',
      sql: `select m.service, count(*) as events ${EVENTS} where ${DAY} group by m.service order by events desc`,
    },
    {
      name: 'regex over messages of a project',
      sql: `select count(*) as events from \`app.logs\` as t where ${DAY} and t.project = @project
        and regexp_contains(t.event_message, r'timed out|refused by 10\\.4')`,
    },
    {
      name: 'regex over all messages',
      sql: `select count(*) as events from \`app.logs\` as t where ${DAY}
        and regexp_contains(t.event_message, r'timed out|refused by 10\\.4')`,
    },
    {
      name: 'a needle in all messages',
      sql: `select t.id, t.timestamp, t.event_message from \`app.logs\` as t where ${DAY}
        and t.event_message like '%needle%'`,
      aimMs: 100,
    },
    {
      name: 'newest 100 of a project',
      sql: `select t.id, t.timestamp, t.event_message, t.metadata from \`app.logs\` as t where ${DAY}
        and t.project = @project order by t.timestamp desc limit 100`,
      aimMs: 100,
    },
    { name: 'count of all', sql: `select count(*) as events from \`app.logs\` as t where ${DAY}` },
    {
      name: 'one event by its id',
      sql: `select t.event_message, t.metadata from \`app.logs\` as t where ${DAY} and t.id = '${id}'`,
    },
  ];
}
