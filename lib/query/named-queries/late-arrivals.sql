-- Events that arrived late
-- Events since yesterday that arrived more than five minutes after they happened, and the latest one.
SELECT
  sources.name AS source,
  count_if(date_diff('second', events."timestamp", ingested_at) > 300) AS late_events,
  count(*) AS events,
  max(date_diff('second', events."timestamp", ingested_at)) AS longest_delay_s
FROM events
JOIN sources ON sources.source_id = events.source_id
WHERE dt >= current_date - INTERVAL '1' DAY
GROUP BY 1
ORDER BY late_events DESC, source
