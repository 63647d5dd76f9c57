-- Errors per hour of a source
-- Events and errors of the last seven days, by the hour in which they happened. Put in your own view, and what an error is.
SELECT
  date_trunc('hour', "timestamp") AS event_hour,
  count(*) AS events,
  count_if(response_status_code >= 500) AS errors
FROM cloudflare_logs_prod
WHERE dt >= current_date - INTERVAL '7' DAY
  AND "timestamp" >= current_date - INTERVAL '7' DAY
GROUP BY 1
ORDER BY 1
