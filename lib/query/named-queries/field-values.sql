-- Values of a field
-- How often each value of a field occurred since yesterday. Put in your own view and column.
SELECT request_cf_city AS city, count(*) AS events
FROM cloudflare_logs_prod
WHERE dt >= current_date - INTERVAL '1' DAY
GROUP BY 1
ORDER BY events DESC, city
LIMIT 100
