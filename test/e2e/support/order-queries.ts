/** Questions about a source `orders` whose answers compaction must not change. */
export const ORDER_QUERIES = {
  'orders.whole': 'select * from orders order by id',
  'orders.per-hour': `select timestamp_trunc(timestamp, hour) as hour, count(*) as n
    from orders group by hour order by hour`,
  'orders.paid': `select o.id, o.event_message from orders as o cross join unnest(o.metadata) as m
    where m.state = 'paid' order by o.id`,
  'orders.window': `select id from orders where timestamp >= '2026-02-03T15:00:00Z'
    and timestamp < '2026-02-03T16:30:00Z' order by id`,
};
