-- Events that were delivered more than once
-- Copies among the events that arrived since yesterday; compaction removes them.
SELECT sources.name AS source, events.id, events.timestamp_us, count(*) AS copies
FROM events
JOIN sources ON sources.source_id = events.source_id
WHERE dt >= current_date - INTERVAL '1' DAY
GROUP BY 1, 2, 3
HAVING count(*) > 1
ORDER BY copies DESC, id
LIMIT 100
