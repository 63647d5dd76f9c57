-- Slowest paths
-- Requests of a source since yesterday by method and path, slowest first: count, median, 95th percentile, maximum.
SELECT
  request_method,
  request_path,
  count(*) AS requests,
  approx_percentile(response_origin_time, 0.5) AS median_ms,
  approx_percentile(response_origin_time, 0.95) AS p95_ms,
  max(response_origin_time) AS max_ms
FROM cloudflare_logs_prod
WHERE dt >= current_date - INTERVAL '1' DAY
  AND response_origin_time IS NOT NULL
GROUP BY request_method, request_path
ORDER BY p95_ms DESC, request_path
LIMIT 50
