// Posts batches with the HTTP client that the other Logflare packages stand on.
import { HttpClient } from 'logflare-transport-core';

const { SLUICE_URL, SLUICE_KEY, SLUICE_SOURCE, SLUICE_SOURCE_NAME, SLUICE_BATCHES } = process.env;

const failures = [];
const client = new HttpClient({
  apiKey: SLUICE_KEY,
  apiBaseUrl: SLUICE_URL,
  ...(SLUICE_SOURCE_NAME ? { sourceName: SLUICE_SOURCE_NAME } : { sourceToken: SLUICE_SOURCE }),
  onError: ({ batch }, error) => {
    failures.push({
      ids: batch.map(({ id }) => id),
      status: error.response?.status,
      data: error.data,
    });
  },
});

const answers = [];
for (const batch of JSON.parse(SLUICE_BATCHES)) {
  const answer = await client.postLogEvents(batch);
  answers.push(answer instanceof Error ? answer.name : answer);
}
console.log(JSON.stringify({ answers, failures }));
