-- Values of a field in the JSON
-- How often each value of a path of metadata occurred since yesterday. Put in your own view and path.
SELECT json_extract_scalar(metadata, '$.request.cf.city') AS city, count(*) AS events
FROM cloudflare_logs_prod
WHERE dt >= current_date - INTERVAL '1' DAY
GROUP BY 1
ORDER BY events DESC, city
LIMIT 100
