-- Events and characters per source and day
-- Who sends how much, by day of arrival. Reads all text of the last seven days: mind the scan.
SELECT
  sources.name AS source,
  dt AS arrived_on,
  count(*) AS events,
  sum(
    coalesce(length(event_message), 0) + coalesce(length(metadata), 0) + coalesce(length(body), 0)
  ) AS characters
FROM events
JOIN sources ON sources.source_id = events.source_id
WHERE dt >= current_date - INTERVAL '7' DAY
GROUP BY 1, 2
ORDER BY arrived_on, characters DESC, source
