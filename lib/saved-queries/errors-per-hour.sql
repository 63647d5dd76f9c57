-- Errors per hour and source
-- Events and errors of the last seven days, by the hour in which they happened.
SELECT
  sources.name AS source,
  date_trunc('hour', events."timestamp") AS event_hour,
  count(*) AS events,
  count_if(
    lower(level) IN ('error', 'fatal', 'panic')
    OR response_status_code >= 500
    OR error_severity IN ('ERROR', 'FATAL', 'PANIC')
  ) AS errors
FROM events
JOIN sources ON sources.source_id = events.source_id
WHERE dt >= current_date - INTERVAL '7' DAY
  AND events."timestamp" >= current_date - INTERVAL '7' DAY
GROUP BY 1, 2
ORDER BY 1, 2
