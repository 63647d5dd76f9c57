-- Newest events of a source
-- The last 100 events since yesterday. Put the view of your source after FROM.
SELECT "timestamp", id, project, event_message, metadata
FROM cloudflare_logs_prod
WHERE dt >= current_date - INTERVAL '1' DAY
ORDER BY timestamp_us DESC
LIMIT 100
